/* SPDX-License-Identifier: BSD-3-Clause */
/* See explain.h; docs/reference/pipesim.schema.json says what each key is. */
#include "cli/report/explain.h"

#include "cli/report/roofline-json.h"
#include "pipesim-private.h"

static void put_cycles(const PsAnswer *answer, const char *key, gint64 ticks, PsJson *json)
{
    g_autofree char *text = ps_format_rational(ps_machine_cycles(answer->machine, ticks));
    ps_json_raw(json, key, text);
}

/* ---- the critical path --------------------------------------------------------------------- */

/* Where a node is; all are null, and near false, of what is nowhere. */
static void put_place(const PsAnswer *answer, guint program, guint node, gboolean with_line,
                      PsJson *json)
{
    g_auto(PsNodePlace) place = ps_answer_place(answer, program, node);
    if (with_line) {
        ps_json_known_text(json, "line", place.line);
        ps_json_raw(json, "near", place.near ? "true" : "false");
    }
    ps_json_known_text(json, "via", place.via);
    ps_json_known_text(json, "node", place.node);
    if (place.address >= 0)
        ps_json_int(json, "address", place.address);
    else
        ps_json_unknown(json, "address");
}

static void put_amount(const PsAnswer *answer, const PsExplainShare *share, PsJson *json)
{
    put_cycles(answer, "cycles", share->ticks, json);
    ps_json_double(json, "share", share->share);
    ps_json_int(json, "times", share->times);
}

static void put_by_class(const PsAnswer *answer, PsJson *json)
{
    const PsMachine *machine = answer->machine;
    ps_json_open(json, "by_class", '[', PS_JSON_LINES);
    for (guint i = 0; i < answer->explain->by_class->len; i++) {
        const PsExplainShare *share = answer->explain->by_class->pdata[i];
        ps_json_open(json, NULL, '{', PS_JSON_LINE);
        ps_json_text(json, "kind", ps_path_kind_name(share->kind));
        ps_json_known_text(
            json, "class",
            share->class_index == G_MAXUINT ? NULL : machine->classes[share->class_index].asked);
        put_amount(answer, share, json);
        if (share->kind == PS_PATH_BARRIER)
            ps_json_int(json, "warp", share->warp);
        else
            ps_json_unknown(json, "warp");
        put_place(answer, share->program, share->node, TRUE, json);
        ps_json_close(json, '}');
    }
    ps_json_close(json, ']');
}

/* NULL stands for what has no line, or no pipeline. */
static void put_by_line(const PsAnswer *answer, PsJson *json)
{
    ps_json_open(json, "by_line", '[', PS_JSON_LINES);
    for (guint i = 0; i < answer->explain->by_line->len; i++) {
        const PsExplainShare *share = answer->explain->by_line->pdata[i];
        ps_json_open(json, NULL, '{', PS_JSON_LINE);
        ps_json_known_text(json, "line", share->line);
        put_amount(answer, share, json);
        put_cycles(answer, "near_cycles", share->near, json);
        put_place(answer, share->program, share->node, FALSE, json);
        ps_json_close(json, '}');
    }
    ps_json_close(json, ']');
}

static void put_by_pipeline(const PsAnswer *answer, PsJson *json)
{
    ps_json_open(json, "by_pipeline", '[', PS_JSON_LINES);
    for (guint i = 0; i < answer->explain->by_pipeline->len; i++) {
        const PsExplainShare *share = answer->explain->by_pipeline->pdata[i];
        const gboolean none = share->pipeline == G_MAXUINT && share->kind != PS_PATH_PORT;
        g_autofree char *name = none ? NULL : ps_pipeline_share_name(answer, share);
        ps_json_open(json, NULL, '{', PS_JSON_LINE);
        ps_json_known_text(json, "pipeline", name);
        put_amount(answer, share, json);
        put_place(answer, share->program, share->node, TRUE, json);
        ps_json_close(json, '}');
    }
    ps_json_close(json, ']');
}

static void put_path(const PsAnswer *answer, PsJson *json)
{
    const PsExplain *explain = answer->explain;
    if (!explain->path) {
        ps_json_unknown(json, "critical_path");
        return;
    }
    ps_json_open(json, "critical_path", '{', PS_JSON_LINES);
    put_cycles(answer, "cycles", answer->result.ticks, json);
    ps_json_int(json, "places", explain->places);
    put_by_class(answer, json);
    put_by_line(answer, json);
    put_by_pipeline(answer, json);
    ps_json_close(json, '}');
}

/* ---- waits --------------------------------------------------------------------------------- */

static void put_waits(const PsAnswer *answer, PsJson *json)
{
    const PsExplain *explain = answer->explain;
    ps_json_open(json, "waits", '[', PS_JSON_LINES);
    for (guint i = 0; i < explain->waits->len; i++) {
        const PsWaitRow *row = explain->waits->pdata[i];
        const gboolean named = row->which != G_MAXUINT, queue = row->kind == PS_WAIT_QUEUE;
        ps_json_open(json, NULL, '{', PS_JSON_LINE);
        ps_json_text(json, "kind", ps_wait_kind_name(row->kind));
        ps_json_known_text(json, "class",
                           named && !queue ? answer->machine->classes[row->which].asked : NULL);
        ps_json_known_text(
            json, "pipeline",
            named && queue ? ((const PsPipeline *)answer->gpu->pipelines->pdata[row->which])->name
                           : NULL);
        ps_json_double(json, "share", ps_explain_wait_share(explain, row));
        ps_json_close(json, '}');
    }
    ps_json_close(json, ']');
}

static void put_occupancy(const PsAnswer *answer, PsJson *json)
{
    const PsExplain *explain = answer->explain;
    ps_json_open(json, "occupancy_over_time", '{', PS_JSON_LINE);
    ps_json_int(json, "most_warps",
                answer->machine->launch.active_groups * answer->machine->launch.warps_per_group);
    ps_json_open(json, "warps", '[', PS_JSON_LINE);
    for (guint i = 0; i < explain->n_occupancy; i++)
        ps_json_double(json, NULL, explain->occupancy[i]);
    ps_json_close(json, ']');
    put_cycles(answer, "tail_cycles", explain->tail, json);
    ps_json_close(json, '}');
}

static void put_bottleneck(const PsAnswer *answer, PsJson *json)
{
    static const char *const of[] = {"critical_path", "warps", "busy"};
    PsBottleneck bottleneck;
    ps_json_figure(json, "headroom", ps_answer_headroom(answer));
    if (!ps_answer_bottleneck(answer, &bottleneck)) {
        ps_json_unknown(json, "bottleneck");
        return;
    }
    ps_json_open(json, "bottleneck", '{', PS_JSON_LINE);
    ps_json_text(json, "kind", ps_cause_name(bottleneck.cause));
    ps_json_known_text(json, "class",
                       bottleneck.class_index == G_MAXUINT
                           ? NULL
                           : answer->machine->classes[bottleneck.class_index].asked);
    put_place(answer, bottleneck.program, bottleneck.node, TRUE, json);
    if (answer->machine->n_levels > 0)
        ps_json_known_text(json, "level", bottleneck.server ? bottleneck.server->name : NULL);
    ps_json_double(json, "share", bottleneck.share);
    ps_json_text(json, "share_of", of[bottleneck.of]);
    ps_json_close(json, '}');
}

/* ---- sensitivity and advice ---------------------------------------------------------------- */

static void put_rational(PsJson *json, const char *key, PsRational value)
{
    if (value.num <= 0) {
        ps_json_unknown(json, key);
        return;
    }
    ps_json_exact(json, key, value);
}

static void put_tried(const PsSensitivity *row, guint i, const char *key, PsJson *json)
{
    ps_json_open(json, key, '{', PS_JSON_LINE);
    put_rational(json, "value", row->tried[i]);
    ps_json_figure(json, "seconds", row->seconds[i]);
    ps_json_known_text(json, "problem", row->why[i]);
    ps_json_close(json, '}');
}

static void put_rows(const PsSensitivities *sensitivities, PsJson *json)
{
    ps_json_open(json, "sensitivity", '[', PS_JSON_LINES);
    for (guint i = 0; i < sensitivities->rows->len; i++) {
        const PsSensitivity *row = sensitivities->rows->pdata[i];
        ps_json_open(json, NULL, '{', PS_JSON_LINE);
        ps_json_text(json, "varies", ps_varies_name(row->varies));
        ps_json_known_text(json, "class", ps_varies_of_level(row->varies) ? NULL : row->class_name);
        if (ps_varies_of_level(row->varies))
            ps_json_text(json, "level", row->class_name);
        put_rational(json, "value", row->value);
        put_tried(row, 0, "half", json);
        put_tried(row, 1, "tenth_more", json);
        put_tried(row, 2, "double", json);
        ps_json_figure(json, "elasticity", row->elasticity);
        ps_json_double(json, "effect", row->effect);
        ps_json_close(json, '}');
    }
    ps_json_close(json, ']');
}

static void put_latency(PsJson *json, const char *key, PsLatency latency)
{
    ps_json_open(json, key, '{', PS_JSON_LINE);
    put_rational(json, "issue", latency.issue);
    put_rational(json, "completion", latency.completion);
    ps_json_close(json, '}');
}

static void put_avoidables(const PsSensitivities *sensitivities, PsJson *json)
{
    ps_json_open(json, "reliefs", '[', PS_JSON_LINES);
    for (guint i = 0; i < sensitivities->avoidables->len; i++) {
        const PsAvoidable *avoidable = sensitivities->avoidables->pdata[i];
        ps_json_open(json, NULL, '{', PS_JSON_LINE);
        ps_json_text(json, "class", avoidable->class_name);
        ps_json_known_text(json, "plain", avoidable->plain);
        put_latency(json, "from", avoidable->from);
        put_latency(json, "to", avoidable->to);
        put_rational(json, "degree", avoidable->degree);
        put_rational(json, "sectors", PS_RATIONAL_INT(avoidable->sectors));
        put_rational(json, "least_sectors", PS_RATIONAL_INT(avoidable->least));
        ps_json_figure(json, "seconds", avoidable->seconds);
        ps_json_known_text(json, "problem", avoidable->why);
        ps_json_close(json, '}');
    }
    ps_json_close(json, ']');
}

static void put_certainty(const PsAdvice *advice, PsJson *json)
{
    const GArray *assumed = advice->trust.assumed;
    ps_json_open(json, "certainty", '{', PS_JSON_LINE);
    ps_json_open(json, "assumed", '[', PS_JSON_LINE);
    for (guint i = 0; assumed && i < assumed->len; i++)
        ps_json_text(json, NULL, ps_assumed_name(&g_array_index(assumed, PsAssumed, i)));
    ps_json_close(json, ']');
    ps_json_raw(json, "within_error", "false"); /* such gains are not told; programs read the key */
    ps_json_close(json, '}');
}

static void put_extent(PsJson *json, const char *key, const guint n[3])
{
    ps_json_open(json, key, '[', PS_JSON_LINE);
    for (guint i = 0; i < 3; i++)
        ps_json_int(json, NULL, n[i]);
    ps_json_close(json, ']');
}

static void put_shape(const PsAdvice *advice, PsJson *json)
{
    static const char *const keys[] = {"from", "to"};
    ps_json_open(json, "shape", '{', PS_JSON_LINE);
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        ps_json_open(json, keys[i], '{', PS_JSON_LINE);
        put_extent(json, "grid", advice->grid[i]);
        put_extent(json, "block", advice->block[i]);
        ps_json_close(json, '}');
    }
    ps_json_close(json, '}');
}

/* The ways to write a loop that were tried; null where it is about none. */
static void put_loop(const PsAnswer *answer, const PsAdvice *advice, PsJson *json)
{
    if (advice->change != PS_CHANGE_LOOP) {
        ps_json_unknown(json, "loop");
        return;
    }
    g_auto(PsNodePlace) end = ps_answer_place(answer, advice->program, advice->loop);
    ps_json_open(json, "loop", '{', PS_JSON_LINE);
    ps_json_known_text(json, "line", end.line);
    ps_json_open(json, "ways", '[', PS_JSON_LINE);
    for (guint i = 0; i < advice->ways->len; i++) {
        const PsLoopWay *way = &g_array_index(advice->ways, PsLoopWay, i);
        ps_json_open(json, NULL, '{', PS_JSON_LINE);
        ps_json_int(json, "times", way->times);
        ps_json_raw(json, "ahead", way->ahead ? "true" : "false");
        ps_json_int(json, "sums", way->sums);
        ps_json_raw(json, "rounds", way->rounds ? "true" : "false");
        ps_json_raw(json, "passes_store", way->passes_store ? "true" : "false");
        ps_json_int(json, "registers", way->registers);
        ps_json_figure(json, "seconds", way->seconds);
        ps_json_close(json, '}');
    }
    ps_json_close(json, ']');
    ps_json_close(json, '}');
}

static void put_advice(const PsAnswer *answer, PsJson *json)
{
    ps_json_open(json, "advice", '[', PS_JSON_LINES);
    for (guint i = 0; i < answer->advice->len; i++) {
        const PsAdvice *advice = answer->advice->pdata[i];
        ps_json_open(json, NULL, '{', PS_JSON_LINE);
        g_autofree char *sentence = ps_advice_sentence(answer, advice);
        ps_json_text(json, "kind", ps_cause_name(advice->cause));
        ps_json_known_text(json, "class", advice->class_name);
        ps_json_figure(json, "seconds", advice->seconds);
        ps_json_double(json, "half_width_seconds", advice->half_width);
        ps_json_double(json, "gain", advice->gain);
        put_place(answer, advice->program, advice->node, TRUE, json);
        put_loop(answer, advice, json);
        ps_json_text(json, "sentence", sentence);
        put_certainty(advice, json);
        if (advice->change == PS_CHANGE_SHAPE)
            put_shape(advice, json);
        ps_json_close(json, '}');
    }
    ps_json_close(json, ']');
}

static void put_need(PsJson *json, const char *name, gint64 need)
{
    if (need)
        ps_json_int(json, name, need);
    else
        ps_json_unknown(json, name);
}

static void put_step(const PsAnswer *answer, PsJson *json)
{
    const PsOccupancyStep *step = answer->occupancy_step;
    if (!step) {
        ps_json_unknown(json, "occupancy_step");
        return;
    }
    ps_json_open(json, "occupancy_step", '{', PS_JSON_LINE);
    g_autofree char *sentence = ps_step_sentence(answer);
    ps_json_int(json, "groups", step->groups);
    put_need(json, "registers", step->registers);
    put_need(json, "local_memory_bytes", step->local_memory);
    ps_json_double(json, "seconds", step->seconds);
    ps_json_double(json, "half_width_seconds", step->half_width);
    ps_json_double(json, "gain", step->gain);
    ps_json_raw(json, "pays", step->pays ? "true" : "false");
    ps_json_text(json, "sentence", sentence);
    ps_json_close(json, '}');
}

/* --------------------------------------------------------------------------------------------
 */

void explain_json(const PsAnswer *answer, PsJson *json)
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
        ps_json_int(json, "simulations", answer->sensitivities->runs);
        ps_json_int(json, "simulations_instructions", answer->sensitivities->instructions);
        ps_json_int(json, "untried", answer->sensitivities->untried);
    }
    if (answer->advice) {
        put_advice(answer, json);
        put_step(answer, json);
    }
}
