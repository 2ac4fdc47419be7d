/* SPDX-License-Identifier: BSD-3-Clause */
/* See explain-report.h; docs/pipesim.schema.json says what each key is. */
#include "cli/report/explain.h"

#include "cli/report/format.h"
#include "cli/report/roofline-json.h"

static void put_cycles(const Answer *answer, const char *key, gint64 ticks, Json *json)
{
    g_autofree char *text = format_rational(ps_machine_cycles(answer->machine, ticks));
    json_raw(json, key, text);
}

static void put_text(Json *json, const char *key, const char *text)
{
    if (text)
        json_text(json, key, text);
    else
        json_null(json, key);
}

/* ---- the critical path --------------------------------------------------------------------- */

static void put_amount(const Answer *answer, const ExplainShare *share, Json *json)
{
    put_cycles(answer, "cycles", share->ticks, json);
    json_double(json, "share", share->share);
    json_int(json, "times", share->times);
}

static void put_by_class(const Answer *answer, Json *json)
{
    const PsMachine *machine = answer->machine;
    json_open(json, "by_class", '[', JSON_LINES);
    for (guint i = 0; i < answer->explain->by_class->len; i++) {
        const ExplainShare *share = answer->explain->by_class->pdata[i];
        json_open(json, NULL, '{', JSON_LINE);
        json_text(json, "kind", ps_path_kind_name(share->kind));
        put_text(json, "class",
                 share->class_ == G_MAXUINT ? NULL : machine->classes[share->class_].asked);
        put_amount(answer, share, json);
        if (share->kind == PS_PATH_BARRIER)
            json_int(json, "warp", share->warp);
        else
            json_null(json, "warp");
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_shares(const Answer *answer, const char *key, const char *name,
                       const GPtrArray *shares, Json *json)
{
    json_open(json, key, '[', JSON_LINES);
    for (guint i = 0; i < shares->len; i++) {
        const ExplainShare *share = shares->pdata[i];
        json_open(json, NULL, '{', JSON_LINE);
        put_text(json, name,
                 g_str_equal(share->name, EXPLAIN_NO_LINE) ||
                         g_str_equal(share->name, EXPLAIN_NO_PIPELINE)
                     ? NULL
                     : share->name);
        put_amount(answer, share, json);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_path(const Answer *answer, Json *json)
{
    const Explain *explain = answer->explain;
    if (!explain->path) {
        json_null(json, "critical_path");
        return;
    }
    json_open(json, "critical_path", '{', JSON_LINES);
    put_cycles(answer, "cycles", answer->result.ticks, json);
    json_int(json, "places", explain->places);
    put_by_class(answer, json);
    put_shares(answer, "by_line", "line", explain->by_line, json);
    put_shares(answer, "by_pipeline", "pipeline", explain->by_pipeline, json);
    json_close(json, '}');
}

/* ---- waits --------------------------------------------------------------------------------- */

static void put_waits(const Answer *answer, Json *json)
{
    const Explain *explain = answer->explain;
    json_open(json, "waits", '[', JSON_LINES);
    for (guint i = 0; i < explain->waits->len; i++) {
        const PsWaitRow *row = explain->waits->pdata[i];
        const gboolean named = row->which != G_MAXUINT, queue = row->kind == PS_WAIT_QUEUE;
        json_open(json, NULL, '{', JSON_LINE);
        json_text(json, "kind", ps_wait_kind_name(row->kind));
        put_text(json, "class",
                 named && !queue ? answer->machine->classes[row->which].asked : NULL);
        put_text(json, "pipeline",
                 named && queue
                     ? ((const PsPipeline *)answer->gpu->pipelines->pdata[row->which])->name
                     : NULL);
        json_double(json, "share", explain_wait_share(explain, row));
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_occupancy(const Answer *answer, Json *json)
{
    const Explain *explain = answer->explain;
    json_open(json, "occupancy_over_time", '{', JSON_LINE);
    json_int(json, "most_warps",
             answer->machine->launch.active_groups * answer->machine->launch.warps_per_group);
    json_open(json, "warps", '[', JSON_LINE);
    for (guint i = 0; i < explain->n_occupancy; i++)
        json_double(json, NULL, explain->occupancy[i]);
    json_close(json, ']');
    put_cycles(answer, "tail_cycles", explain->tail, json);
    json_close(json, '}');
}

static void put_bottleneck(const Answer *answer, Json *json)
{
    static const char *const of[] = {"critical_path", "warps", "busy"};
    Bottleneck bottleneck;
    put_roofline_number(json, "headroom", explain_headroom(answer));
    if (!explain_bottleneck(answer, &bottleneck)) {
        json_null(json, "bottleneck");
        return;
    }
    json_open(json, "bottleneck", '{', JSON_LINE);
    json_text(json, "kind", bottleneck.kind);
    put_text(json, "class", bottleneck.klass);
    put_text(json, "line", bottleneck.line);
    if (answer->machine->n_levels > 0)
        put_text(json, "level", bottleneck.level);
    json_double(json, "share", bottleneck.share);
    json_text(json, "share_of", of[bottleneck.of]);
    json_close(json, '}');
}

/* ---- sensitivity and advice ---------------------------------------------------------------- */

static void put_rational(Json *json, const char *key, PsRational value)
{
    if (value.num <= 0) {
        json_null(json, key);
        return;
    }
    g_autofree char *text = format_rational(value);
    json_raw(json, key, text);
}

static void put_tried(const Sensitivity *row, guint i, const char *key, Json *json)
{
    json_open(json, key, '{', JSON_LINE);
    put_rational(json, "value", row->tried[i]);
    put_roofline_number(json, "seconds", row->seconds[i]);
    put_text(json, "problem", row->why[i]);
    json_close(json, '}');
}

static void put_rows(const Sensitivities *sensitivities, Json *json)
{
    json_open(json, "sensitivity", '[', JSON_LINES);
    for (guint i = 0; i < sensitivities->rows->len; i++) {
        const Sensitivity *row = sensitivities->rows->pdata[i];
        json_open(json, NULL, '{', JSON_LINE);
        json_text(json, "varies", varies_name(row->varies));
        put_text(json, "class", varies_of_level(row->varies) ? NULL : row->klass);
        if (varies_of_level(row->varies))
            json_text(json, "level", row->klass);
        put_rational(json, "value", row->value);
        put_tried(row, 0, "half", json);
        put_tried(row, 1, "tenth_more", json);
        put_tried(row, 2, "double", json);
        put_roofline_number(json, "elasticity", row->elasticity);
        json_double(json, "effect", row->effect);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_latency(Json *json, const char *key, PsLatency latency)
{
    json_open(json, key, '{', JSON_LINE);
    put_rational(json, "issue", latency.issue);
    put_rational(json, "completion", latency.completion);
    json_close(json, '}');
}

static void put_reliefs(const Sensitivities *sensitivities, Json *json)
{
    json_open(json, "reliefs", '[', JSON_LINES);
    for (guint i = 0; i < sensitivities->reliefs->len; i++) {
        const Relief *relief = sensitivities->reliefs->pdata[i];
        json_open(json, NULL, '{', JSON_LINE);
        json_text(json, "class", relief->klass);
        put_text(json, "plain", relief->plain);
        put_latency(json, "from", relief->from);
        put_latency(json, "to", relief->to);
        put_rational(json, "degree", relief->degree);
        put_rational(json, "sectors", PS_RATIONAL_INT(relief->sectors));
        put_rational(json, "least_sectors", PS_RATIONAL_INT(relief->least));
        put_roofline_number(json, "seconds", relief->seconds);
        put_text(json, "problem", relief->why);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_advice(const Answer *answer, Json *json)
{
    json_open(json, "advice", '[', JSON_LINES);
    for (guint i = 0; i < answer->advice->len; i++) {
        const Advice *advice = answer->advice->pdata[i];
        json_open(json, NULL, '{', JSON_LINE);
        json_text(json, "kind", advice->kind);
        put_text(json, "class", advice->klass);
        put_roofline_number(json, "seconds", advice->seconds);
        json_double(json, "gain", advice->gain);
        json_text(json, "sentence", advice->sentence);
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* -------------------------------------------------------------------------------------------- */

void explain_json(const Answer *answer, Json *json)
{
    if (answer->explain) {
        put_bottleneck(answer, json);
        put_path(answer, json);
        put_waits(answer, json);
        put_occupancy(answer, json);
    }
    if (answer->sensitivities) {
        put_rows(answer->sensitivities, json);
        put_reliefs(answer->sensitivities, json);
        json_int(json, "simulations", answer->sensitivities->runs);
    }
    if (answer->advice)
        put_advice(answer, json);
}
