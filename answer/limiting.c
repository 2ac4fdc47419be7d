/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what limits a run, and the remedy that its busy units suggest. See answer.h. */
#include "answer/answer-private.h"
#include "answer/figures.h"

/* ---- what limits it ------------------------------------------------------------------------ */

static GArray *find_parts(const PsAnswer *answer, guint *busiest)
{
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(PsBusyPart));
    for (guint i = 0; i < answer->pipelines->len; i++) {
        const PsStatsRow *row = answer->pipelines->pdata[i];
        const PsBusyPart part = {.pipeline = row, .load = ps_answer_share(answer, row)};
        g_array_append_val(parts, part);
    }
    for (guint i = 0; i < answer->servers->len; i++) {
        const PsServerRow *row = answer->servers->pdata[i];
        const PsBusyPart part = {.server = row, .load = ps_server_utilization(answer, row)};
        g_array_append_val(parts, part);
    }
    *busiest = 0;
    for (guint i = 1; i < parts->len; i++)
        if (g_array_index(parts, PsBusyPart, i).load >
            g_array_index(parts, PsBusyPart, *busiest).load)
            *busiest = i;
    return parts;
}

PsLimiting ps_answer_limiting(const PsAnswer *answer)
{
    PsLimiting limiting = {.regime = PS_REGIME_NOTHING};
    if (!answer->pipelines->len)
        return limiting;
    limiting.parts = find_parts(answer, &limiting.busiest);
    const double load = g_array_index(limiting.parts, PsBusyPart, limiting.busiest).load;
    const double dispatch = ps_dispatch_utilization(answer);
    const PsBusiest most = ps_answer_busiest_part(answer);
    limiting.regime = dispatch >= PS_SATURATED && dispatch > load ? PS_REGIME_DISPATCH
                      : most.kind == PS_BUSY_PORTS                ? PS_REGIME_PORTS
                      : load >= PS_SATURATED                      ? PS_REGIME_SATURATED
                      : load >= PS_NEARLY_SATURATED               ? PS_REGIME_PARTLY
                      : ps_starts_share(answer) >= PS_STARTS_MOST ? PS_REGIME_STARTS
                                                                  : PS_REGIME_LATENCY;
    return limiting;
}

void ps_limiting_clear(PsLimiting *limiting)
{
    g_clear_pointer(&limiting->parts, g_array_unref);
}

/* ---- what would help ----------------------------------------------------------------------- */

/* The hint where a pipeline is full. */
static PsHint relieve_pipeline(const PsAnswer *answer)
{
    const guint pipeline = ps_busiest_pipeline(answer);
    const guint class_index = ps_busiest_class(answer, pipeline);
    return (PsHint){.kind = PS_HINT_PIPELINE,
                    .pipeline = pipeline,
                    .class_index = class_index,
                    .share = ps_class_utilization(answer, class_index) /
                             ps_pipeline_utilization(answer, pipeline)};
}

/* The hint where nothing is busy all the time: warps wait. */
static PsHint hide_latency(const PsAnswer *answer)
{
    const PsLaunch *launch = &answer->machine->launch;
    PsHint hint = {.kind = PS_HINT_MORE_GROUPS, .class_index = G_MAXUINT};
    if (launch->groups < answer->gpu->compute_units)
        return hint;
    if (ps_starts_share(answer) >= PS_STARTS_MOST)
        return (PsHint){.kind = PS_HINT_LARGER_GROUPS, .class_index = G_MAXUINT};
    const gint64 warps = launch->active_groups * launch->warps_per_group;
    hint.kind = warps < answer->gpu->limits.warps && ps_answer_limits(answer) ? PS_HINT_MORE_WARPS
                                                                              : PS_HINT_INDEPENDENT;
    hint.class_index = ps_critical_class(answer, &hint.share);
    return hint;
}

PsHint ps_answer_hint(const PsAnswer *answer)
{
    if (!answer->pipelines->len || answer->clamped)
        return (PsHint){.kind = PS_HINT_NONE};
    const PsServerRow *server = ps_busiest_server(answer);
    const PsBusiest busiest = ps_answer_busiest_part(answer);
    const double load = busiest.load;
    if (load < PS_NEARLY_SATURATED)
        return hide_latency(answer);
    if (busiest.kind == PS_BUSY_PORTS)
        return (PsHint){.kind = PS_HINT_INSTRUCTIONS, .class_index = G_MAXUINT, .share = load};
    if (ps_dispatch_utilization(answer) >= load)
        return (PsHint){.kind = PS_HINT_LARGER_GROUPS};
    if (!server || ps_server_utilization(answer, server) < load)
        return relieve_pipeline(answer);
    return (PsHint){.kind = PS_HINT_SERVER,
                    .server = server,
                    .class_index = ps_server_busiest_class(answer, server)};
}
