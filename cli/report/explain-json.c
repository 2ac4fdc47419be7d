/* SPDX-License-Identifier: BSD-3-Clause */
/* See explain.h; docs/pipesim.schema.json says what each key is. */
#include "cli/report/explain.h"

#include "cli/report/format.h"
#include "cli/report/roofline-json.h"
#include "cli/report/trust.h"
#include "cli/report/words.h"

static void put_cycles(const PsAnswer *answer, const char *key, gint64 ticks, Json *json)
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

/* Where a node is; all are null, and near false, of what is nowhere. */
static void put_place(const PsAnswer *answer, guint program, guint node, gboolean with_line,
                      Json *json)
{
    g_auto(PsNodePlace) place = ps_answer_place(answer, program, node);
    if (with_line) {
        put_text(json, "line", place.line);
        json_raw(json, "near", place.near ? "true" : "false");
    }
    put_text(json, "via", place.via);
    put_text(json, "node", place.node);
    if (place.address >= 0)
        json_int(json, "address", place.address);
    else
        json_null(json, "address");
}

static void put_amount(const PsAnswer *answer, const PsExplainShare *share, Json *json)
{
    put_cycles(answer, "cycles", share->ticks, json);
    json_double(json, "share", share->share);
    json_int(json, "times", share->times);
}

static void put_by_class(const PsAnswer *answer, Json *json)
{
    const PsMachine *machine = answer->machine;
    json_open(json, "by_class", '[', JSON_LINES);
    for (guint i = 0; i < answer->explain->by_class->len; i++) {
        const PsExplainShare *share = answer->explain->by_class->pdata[i];
        json_open(json, NULL, '{', JSON_LINE);
        json_text(json, "kind", ps_path_kind_name(share->kind));
        put_text(json, "class",
                 share->class_index == G_MAXUINT ? NULL
                                                 : machine->classes[share->class_index].asked);
        put_amount(answer, share, json);
        if (share->kind == PS_PATH_BARRIER)
            json_int(json, "warp", share->warp);
        else
            json_null(json, "warp");
        put_place(answer, share->program, share->node, TRUE, json);
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* NULL stands for what has no line, or no pipeline. */
static void put_by_line(const PsAnswer *answer, Json *json)
{
    json_open(json, "by_line", '[', JSON_LINES);
    for (guint i = 0; i < answer->explain->by_line->len; i++) {
        const PsExplainShare *share = answer->explain->by_line->pdata[i];
        json_open(json, NULL, '{', JSON_LINE);
        put_text(json, "line", share->line);
        put_amount(answer, share, json);
        put_cycles(answer, "near_cycles", share->near, json);
        put_place(answer, share->program, share->node, FALSE, json);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_by_pipeline(const PsAnswer *answer, Json *json)
{
    json_open(json, "by_pipeline", '[', JSON_LINES);
    for (guint i = 0; i < answer->explain->by_pipeline->len; i++) {
        const PsExplainShare *share = answer->explain->by_pipeline->pdata[i];
        const gboolean none = share->pipeline == G_MAXUINT && share->kind != PS_PATH_PORT;
        g_autofree char *name = none ? NULL : pipeline_share_name(answer, share);
        json_open(json, NULL, '{', JSON_LINE);
        put_text(json, "pipeline", name);
        put_amount(answer, share, json);
        put_place(answer, share->program, share->node, TRUE, json);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_path(const PsAnswer *answer, Json *json)
{
    const PsExplain *explain = answer->explain;
    if (!explain->path) {
        json_null(json, "critical_path");
        return;
    }
    json_open(json, "critical_path", '{', JSON_LINES);
    put_cycles(answer, "cycles", answer->result.ticks, json);
    json_int(json, "places", explain->places);
    put_by_class(answer, json);
    put_by_line(answer, json);
    put_by_pipeline(answer, json);
    json_close(json, '}');
}

/* ---- waits --------------------------------------------------------------------------------- */

static void put_waits(const PsAnswer *answer, Json *json)
{
    const PsExplain *explain = answer->explain;
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
        json_double(json, "share", ps_explain_wait_share(explain, row));
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_occupancy(const PsAnswer *answer, Json *json)
{
    const PsExplain *explain = answer->explain;
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

static void put_bottleneck(const PsAnswer *answer, Json *json)
{
    static const char *const of[] = {"critical_path", "warps", "busy"};
    PsBottleneck bottleneck;
    put_roofline_number(json, "headroom", ps_answer_headroom(answer));
    if (!ps_answer_bottleneck(answer, &bottleneck)) {
        json_null(json, "bottleneck");
        return;
    }
    json_open(json, "bottleneck", '{', JSON_LINE);
    json_text(json, "kind", ps_cause_name(bottleneck.cause));
    put_text(json, "class",
             bottleneck.class_index == G_MAXUINT
                 ? NULL
                 : answer->machine->classes[bottleneck.class_index].asked);
    put_place(answer, bottleneck.program, bottleneck.node, TRUE, json);
    if (answer->machine->n_levels > 0)
        put_text(json, "level", bottleneck.server ? bottleneck.server->name : NULL);
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

static void put_tried(const PsSensitivity *row, guint i, const char *key, Json *json)
{
    json_open(json, key, '{', JSON_LINE);
    put_rational(json, "value", row->tried[i]);
    put_roofline_number(json, "seconds", row->seconds[i]);
    put_text(json, "problem", row->why[i]);
    json_close(json, '}');
}

static void put_rows(const PsSensitivities *sensitivities, Json *json)
{
    json_open(json, "sensitivity", '[', JSON_LINES);
    for (guint i = 0; i < sensitivities->rows->len; i++) {
        const PsSensitivity *row = sensitivities->rows->pdata[i];
        json_open(json, NULL, '{', JSON_LINE);
        json_text(json, "varies", ps_varies_name(row->varies));
        put_text(json, "class", ps_varies_of_level(row->varies) ? NULL : row->class_name);
        if (ps_varies_of_level(row->varies))
            json_text(json, "level", row->class_name);
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

static void put_avoidables(const PsSensitivities *sensitivities, Json *json)
{
    json_open(json, "reliefs", '[', JSON_LINES);
    for (guint i = 0; i < sensitivities->avoidables->len; i++) {
        const PsAvoidable *avoidable = sensitivities->avoidables->pdata[i];
        json_open(json, NULL, '{', JSON_LINE);
        json_text(json, "class", avoidable->class_name);
        put_text(json, "plain", avoidable->plain);
        put_latency(json, "from", avoidable->from);
        put_latency(json, "to", avoidable->to);
        put_rational(json, "degree", avoidable->degree);
        put_rational(json, "sectors", PS_RATIONAL_INT(avoidable->sectors));
        put_rational(json, "least_sectors", PS_RATIONAL_INT(avoidable->least));
        put_roofline_number(json, "seconds", avoidable->seconds);
        put_text(json, "problem", avoidable->why);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_certainty(const PsAdvice *advice, Json *json)
{
    const GArray *assumed = advice->trust.assumed;
    json_open(json, "certainty", '{', JSON_LINE);
    json_open(json, "assumed", '[', JSON_LINE);
    for (guint i = 0; assumed && i < assumed->len; i++)
        json_text(json, NULL, assumed_name(&g_array_index(assumed, PsAssumed, i)));
    json_close(json, ']');
    json_raw(json, "within_error", "false"); /* such gains are not told; programs read the key */
    json_close(json, '}');
}

static void put_extent(Json *json, const char *key, const guint n[3])
{
    json_open(json, key, '[', JSON_LINE);
    for (guint i = 0; i < 3; i++)
        json_int(json, NULL, n[i]);
    json_close(json, ']');
}

static void put_shape(const PsAdvice *advice, Json *json)
{
    static const char *const keys[] = {"from", "to"};
    json_open(json, "shape", '{', JSON_LINE);
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        json_open(json, keys[i], '{', JSON_LINE);
        put_extent(json, "grid", advice->grid[i]);
        put_extent(json, "block", advice->block[i]);
        json_close(json, '}');
    }
    json_close(json, '}');
}

/* The ways to write a loop that were tried; null where it is about none. */
static void put_loop(const PsAnswer *answer, const PsAdvice *advice, Json *json)
{
    if (advice->change != PS_CHANGE_LOOP) {
        json_null(json, "loop");
        return;
    }
    g_auto(PsNodePlace) end = ps_answer_place(answer, advice->program, advice->loop);
    json_open(json, "loop", '{', JSON_LINE);
    put_text(json, "line", end.line);
    json_open(json, "ways", '[', JSON_LINE);
    for (guint i = 0; i < advice->ways->len; i++) {
        const PsLoopWay *way = &g_array_index(advice->ways, PsLoopWay, i);
        json_open(json, NULL, '{', JSON_LINE);
        json_int(json, "times", way->times);
        json_raw(json, "ahead", way->ahead ? "true" : "false");
        json_int(json, "sums", way->sums);
        json_raw(json, "rounds", way->rounds ? "true" : "false");
        json_raw(json, "passes_store", way->passes_store ? "true" : "false");
        json_int(json, "registers", way->registers);
        put_roofline_number(json, "seconds", way->seconds);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

static void put_advice(const PsAnswer *answer, Json *json)
{
    json_open(json, "advice", '[', JSON_LINES);
    for (guint i = 0; i < answer->advice->len; i++) {
        const PsAdvice *advice = answer->advice->pdata[i];
        json_open(json, NULL, '{', JSON_LINE);
        g_autofree char *sentence = advice_sentence(answer, advice);
        json_text(json, "kind", ps_cause_name(advice->cause));
        put_text(json, "class", advice->class_name);
        put_roofline_number(json, "seconds", advice->seconds);
        json_double(json, "half_width_seconds", advice->half_width);
        json_double(json, "gain", advice->gain);
        put_place(answer, advice->program, advice->node, TRUE, json);
        put_loop(answer, advice, json);
        json_text(json, "sentence", sentence);
        put_certainty(advice, json);
        if (advice->change == PS_CHANGE_SHAPE)
            put_shape(advice, json);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_need(Json *json, const char *name, gint64 need)
{
    if (need)
        json_int(json, name, need);
    else
        json_null(json, name);
}

static void put_step(const PsAnswer *answer, Json *json)
{
    const PsOccupancyStep *step = answer->occupancy_step;
    if (!step) {
        json_null(json, "occupancy_step");
        return;
    }
    json_open(json, "occupancy_step", '{', JSON_LINE);
    g_autofree char *sentence = step_sentence(answer);
    json_int(json, "groups", step->groups);
    put_need(json, "registers", step->registers);
    put_need(json, "local_memory_bytes", step->local_memory);
    json_double(json, "seconds", step->seconds);
    json_double(json, "half_width_seconds", step->half_width);
    json_double(json, "gain", step->gain);
    json_raw(json, "pays", step->pays ? "true" : "false");
    json_text(json, "sentence", sentence);
    json_close(json, '}');
}

/* --------------------------------------------------------------------------------------------
 */

void explain_json(const PsAnswer *answer, Json *json)
{
    if (answer->explain) {
        put_bottleneck(answer, json);
        put_path(answer, json);
        put_waits(answer, json);
        put_occupancy(answer, json);
    }
    if (answer->sensitivities) {
        put_rows(answer->sensitivities, json);
        put_avoidables(answer->sensitivities, json);
        json_int(json, "simulations", answer->sensitivities->runs);
        json_int(json, "simulations_instructions", answer->sensitivities->instructions);
        json_int(json, "untried", answer->sensitivities->untried);
    }
    if (answer->advice) {
        put_advice(answer, json);
        put_step(answer, json);
    }
}
