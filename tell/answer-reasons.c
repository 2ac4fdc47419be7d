/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a run takes so long, as facts: the bottleneck, the critical path, waits, occupancy. */
#include "answer/figures.h"
#include "tell/answer-parts.h"

#include "tell/describe.h"
#include "tell/words.h"

#include <math.h>

static PsRational cycles_of(const PsAnswer *answer, gint64 ticks)
{
    return ps_machine_cycles(answer->machine, ticks);
}

/* ---- places -------------------------------------------------------------------------------- */

static void tell_node(const PsNodePlace *place, PsTold *facts)
{
    ps_tell(facts, PS_FACT_NODE_PLACE_VIA, place->via);
    ps_tell(facts, PS_FACT_NODE_PLACE_NODE, place->node);
    if (place->address >= 0)
        ps_tell(facts, PS_FACT_NODE_PLACE_ADDRESS, place->address);
    else
        ps_tell_unknown(facts, PS_FACT_NODE_PLACE_ADDRESS.n);
}

void ps_tell_place(const PsAnswer *answer, guint program, guint node, PsTold *facts)
{
    g_auto(PsNodePlace) place = ps_answer_place(answer, program, node);
    ps_tell(facts, PS_FACT_PLACE_LINE, place.line);
    ps_tell(facts, PS_FACT_PLACE_NEAR, place.near);
    tell_node(&place, facts);
}

/* ---- the critical path --------------------------------------------------------------------- */

static void tell_amount(const PsAnswer *answer, const PsExplainShare *share, PsTold *facts)
{
    const PsRational cycles = cycles_of(answer, share->ticks);
    ps_tell(facts, PS_FACT_AMOUNT_CYCLES, cycles);
    ps_tell(facts, PS_FACT_AMOUNT_SECONDS,
            ps_rational_to_double(cycles) / (ps_rational_to_double(answer->clock) * 1e6));
    ps_tell(facts, PS_FACT_AMOUNT_SHARE, share->share);
    ps_tell(facts, PS_FACT_AMOUNT_TIMES, share->times);
}

static const char *class_called(const PsAnswer *answer, guint class_index)
{
    return class_index == G_MAXUINT ? NULL : answer->machine->classes[class_index].asked;
}

static void tell_by_class(const PsAnswer *answer, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_CRITICAL_PATH_BY_CLASS);
    for (guint i = 0; i < answer->explain->by_class->len; i++) {
        const PsExplainShare *share = answer->explain->by_class->pdata[i];
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_CRITICAL_PATH_BY_CLASS_KIND, ps_path_kind_name(share->kind));
        ps_tell(facts, PS_FACT_CRITICAL_PATH_BY_CLASS_CLASS,
                class_called(answer, share->class_index));
        ps_tell_taken(facts, PS_FACT_CALLED_NAME, ps_class_share_name(answer, share));
        ps_tell_taken(facts, PS_FACT_SPOKEN_WORDS, ps_class_share_words(answer, share));
        tell_amount(answer, share, facts);
        if (share->kind == PS_PATH_BARRIER)
            ps_tell(facts, PS_FACT_CRITICAL_PATH_BY_CLASS_WARP, share->warp);
        else
            ps_tell_unknown(facts, PS_FACT_CRITICAL_PATH_BY_CLASS_WARP.n);
        ps_tell_place(answer, share->program, share->node, facts);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

static void tell_by_line(const PsAnswer *answer, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_CRITICAL_PATH_BY_LINE);
    for (guint i = 0; i < answer->explain->by_line->len; i++) {
        const PsExplainShare *share = answer->explain->by_line->pdata[i];
        g_auto(PsNodePlace) place = ps_answer_place(answer, share->program, share->node);
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_CRITICAL_PATH_BY_LINE_LINE, share->line);
        ps_tell_taken(facts, PS_FACT_CALLED_NAME, ps_line_share_words(answer, share));
        tell_amount(answer, share, facts);
        ps_tell(facts, PS_FACT_CRITICAL_PATH_BY_LINE_NEAR_CYCLES, cycles_of(answer, share->near));
        tell_node(&place, facts);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

static void tell_by_pipeline(const PsAnswer *answer, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_CRITICAL_PATH_BY_PIPELINE);
    for (guint i = 0; i < answer->explain->by_pipeline->len; i++) {
        const PsExplainShare *share = answer->explain->by_pipeline->pdata[i];
        const gboolean none = share->pipeline == G_MAXUINT && share->kind != PS_PATH_PORT;
        g_autofree char *name = ps_pipeline_share_name(answer, share);
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_CRITICAL_PATH_BY_PIPELINE_PIPELINE, none ? NULL : name);
        ps_tell(facts, PS_FACT_CALLED_NAME, name);
        ps_tell_taken(facts, PS_FACT_SPOKEN_WORDS, ps_pipeline_share_words(answer, share));
        tell_amount(answer, share, facts);
        ps_tell_place(answer, share->program, share->node, facts);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

/* share: NaN if the stretch is not part of the path. */
static void tell_stretch(PsGroupFact which, PsRational cycles, double seconds, double share,
                         PsTold *facts)
{
    ps_tell_open(facts, which);
    ps_tell(facts, PS_FACT_STRETCH_CYCLES, cycles);
    ps_tell(facts, PS_FACT_STRETCH_SECONDS, seconds);
    ps_tell(facts, PS_FACT_STRETCH_SHARE, share);
    ps_tell_close(facts);
}

/* Tells sums of the whole path, and the launch, which is not part of it. */
static void tell_sums(const PsAnswer *answer, PsTold *facts)
{
    PsRational launch, whole;
    tell_stretch(PS_FACT_CRITICAL_PATH_TOTAL, cycles_of(answer, answer->result.ticks),
                 ps_answer_execution(answer), answer->result.ticks ? 1 : 0, facts);
    if (!ps_explain_launch(answer, &launch, &whole))
        return;
    tell_stretch(PS_FACT_CRITICAL_PATH_LAUNCH, launch, answer->launch_seconds, NAN, facts);
    tell_stretch(PS_FACT_CRITICAL_PATH_WHOLE, whole, answer->simulated, NAN, facts);
}

static void tell_path(const PsAnswer *answer, PsTold *facts)
{
    if (!answer->explain->path) {
        ps_tell_unknown(facts, PS_FACT_CRITICAL_PATH.n);
        return;
    }
    ps_tell_open(facts, PS_FACT_CRITICAL_PATH);
    ps_tell(facts, PS_FACT_CRITICAL_PATH_CYCLES, cycles_of(answer, answer->result.ticks));
    ps_tell(facts, PS_FACT_CRITICAL_PATH_PLACES, answer->explain->places);
    tell_by_class(answer, facts);
    tell_by_line(answer, facts);
    tell_by_pipeline(answer, facts);
    tell_sums(answer, facts);
    ps_tell_close(facts);
}

/* ---- waits --------------------------------------------------------------------------------- */

static void tell_waits(const PsAnswer *answer, PsTold *facts)
{
    const PsExplain *explain = answer->explain;
    ps_tell_open(facts, PS_FACT_WAITS);
    for (guint i = 0; i < explain->waits->len; i++) {
        const PsWaitRow *row = explain->waits->pdata[i];
        const gboolean named = row->which != G_MAXUINT, queue = row->kind == PS_WAIT_QUEUE;
        const PsPipeline *pipeline =
            named && queue ? answer->gpu->pipelines->pdata[row->which] : NULL;
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_WAITS_KIND, ps_wait_kind_name(row->kind));
        ps_tell(facts, PS_FACT_WAITS_CLASS,
                named && !queue ? answer->machine->classes[row->which].asked : NULL);
        ps_tell(facts, PS_FACT_WAITS_PIPELINE, pipeline ? pipeline->name : NULL);
        ps_tell_taken(facts, PS_FACT_CALLED_NAME, ps_wait_name(answer, row));
        ps_tell_taken(facts, PS_FACT_SPOKEN_WORDS, ps_wait_words(answer, row));
        ps_tell(facts, PS_FACT_WAITS_SHARE, ps_explain_wait_share(explain, row));
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

static void tell_occupancy(const PsAnswer *answer, PsTold *facts)
{
    const PsExplain *explain = answer->explain;
    const PsLaunch *launch = &answer->machine->launch;
    ps_tell_open(facts, PS_FACT_OCCUPANCY_OVER_TIME);
    ps_tell(facts, PS_FACT_OCCUPANCY_OVER_TIME_MOST_WARPS,
            launch->active_groups * launch->warps_per_group);
    ps_tell_open(facts, PS_FACT_OCCUPANCY_OVER_TIME_WARPS);
    for (guint i = 0; i < explain->n_occupancy; i++)
        ps_tell_item_number(facts, explain->occupancy[i]);
    ps_tell_close(facts);
    ps_tell(facts, PS_FACT_OCCUPANCY_OVER_TIME_TAIL_CYCLES, cycles_of(answer, explain->tail));
    ps_tell_close(facts);
}

static void tell_bottleneck(const PsAnswer *answer, PsTold *facts)
{
    static const char *const of[] = {"critical_path", "warps", "busy"};
    PsBottleneck bottleneck;
    ps_tell(facts, PS_FACT_HEADROOM, ps_answer_headroom(answer));
    ps_tell(facts, PS_FACT_CEILING_SECONDS,
            ps_launch_roofline_seconds(&answer->roofline, PS_CLAMP_CEILING));
    if (!ps_answer_bottleneck(answer, &bottleneck)) {
        ps_tell_unknown(facts, PS_FACT_BOTTLENECK.n);
        return;
    }
    ps_tell_open(facts, PS_FACT_BOTTLENECK);
    ps_tell(facts, PS_FACT_BOTTLENECK_KIND, ps_cause_name(bottleneck.cause));
    ps_tell(facts, PS_FACT_BOTTLENECK_CLASS, class_called(answer, bottleneck.class_index));
    ps_tell_place(answer, bottleneck.program, bottleneck.node, facts);
    if (answer->machine->n_levels > 0)
        ps_tell(facts, PS_FACT_BOTTLENECK_LEVEL,
                bottleneck.server ? bottleneck.server->name : NULL);
    ps_tell(facts, PS_FACT_BOTTLENECK_SHARE, bottleneck.share);
    ps_tell(facts, PS_FACT_BOTTLENECK_SHARE_OF, of[bottleneck.of]);
    ps_tell_close(facts);
}

void ps_tell_reasons(const PsAnswer *answer, PsTold *facts)
{
    if (!answer->explain)
        return;
    tell_bottleneck(answer, facts);
    tell_path(answer, facts);
    tell_waits(answer, facts);
    tell_occupancy(answer, facts);
}
