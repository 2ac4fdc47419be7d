/* SPDX-License-Identifier: BSD-3-Clause */
/* See describe.h. */
#include "cli/describe.h"

#include "cli/format.h"

#include <string.h>

/* ---- the answer ---------------------------------------------------------------------------- */

char *describe_cus(const Answer *answer)
{
    const gint64 n = answer->machine->n_cus, units = answer->gpu->compute_units;
    g_autofree char *of = format_noun(units, "CU");
    if (!answer->machine->refinements.all_cus)
        return g_strdup("the fullest CU");
    if (n < units)
        return g_strdup_printf("%" G_GINT64_FORMAT " of %s", n, of);
    return units == 1 ? g_strdup("the only CU") : g_strdup_printf("all %s", of);
}

char *describe_simulated(const Answer *answer)
{
    g_autofree char *time = format_time(answer->simulated);
    g_autofree char *cycles = format_cycles(answer->result.cycles);
    g_autofree char *launch = format_time(answer->launch_seconds);
    return g_strdup_printf("%s, %s cycles%s%s", time, cycles,
                           answer->launch_seconds > 0 ? " and the kernel's launch, " : "",
                           answer->launch_seconds > 0 ? launch : "");
}

char *describe_time(const Answer *answer)
{
    if (!answer->clamped)
        return describe_simulated(answer);
    g_autofree char *time = format_time(answer->seconds);
    return g_strdup_printf("%s, clamped to the %s%s", time,
                           answer->clamp == CLAMP_ROOFLINE ? "roofline" : "ceiling",
                           answer->launch_seconds > 0 ? " and the kernel's launch" : "");
}

/* The types of the operations that make up the rate, such as " (fp32)". */
static char *describe_types(const Answer *answer)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < answer->operations->len; i++) {
        const Operations *some = &g_array_index(answer->operations, Operations, i);
        if (strcmp(some->type, "int") != 0)
            g_string_append_printf(out, "%s%s", out->len ? ", " : " (", some->type);
    }
    if (out->len)
        g_string_append_c(out, ')');
    return g_string_free(out, FALSE);
}

char *describe_performance(const Answer *answer)
{
    const double gflops = answer_gflops(answer, answer->seconds);
    g_autofree char *rate = gflops > 0 ? format_number(gflops) : g_strdup("-");
    g_autofree char *types = describe_types(answer);
    return answer->flops > 0 ? g_strdup_printf("%s GFLOP/s%s", rate, types) : NULL;
}

/* ---- the launch ---------------------------------------------------------------------------- */

char *describe_launch(const Answer *answer)
{
    const PsLaunch *launch = &answer->machine->launch;
    g_autofree char *where = describe_cus(answer);
    g_autofree char *groups = format_noun(launch->groups, "group");
    g_autofree char *threads = format_noun(launch->group_size, "thread");
    g_autofree char *warps = format_noun(launch->warps_per_group, "warp");
    g_autofree char *share = format_count(launch->groups_per_cu);
    const gboolean all = answer->machine->refinements.all_cus;
    return g_strdup_printf("%s of %s (%s), %s%son %s", groups, threads, warps, all ? "" : share,
                           all ? "" : " ", where);
}

char *describe_limits(const Answer *answer)
{
    static const struct {
        const char *word, *text;
    } texts[] = {{"groups", "groups per CU"},
                 {"warps", "warps per CU"},
                 {"registers", "registers"},
                 {"local_memory", "local memory"},
                 {"launch", "the launch, which has no more groups"},
                 {"active", "--active"}};
    g_autofree const char **limits = answer_limits(answer);
    GString *out = g_string_new(NULL);
    for (guint i = 0; limits[i]; i++)
        for (guint j = 0; j < G_N_ELEMENTS(texts); j++)
            if (strcmp(limits[i], texts[j].word) == 0)
                g_string_append_printf(out, "%s%s", i ? " and " : "", texts[j].text);
    return g_string_free(out, FALSE);
}

char *describe_occupancy(const Answer *answer)
{
    const PsLaunch *launch = &answer->machine->launch;
    GString *text = g_string_new(NULL);
    g_autofree char *groups = format_noun(launch->active_groups, "group");
    const gint64 n_warps = launch->active_groups * launch->warps_per_group;
    g_autofree char *warps = format_noun(n_warps, "warp");
    g_autofree char *limits = describe_limits(answer);
    if (answer->gpu->limits.warps) {
        g_autofree char *share = format_share(launch->occupancy);
        g_string_append_printf(text, "%s: ", share);
    }
    g_string_append_printf(text, "%s at once, ", groups);
    if (answer->gpu->limits.warps)
        g_string_append_printf(text, "%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " warps", n_warps,
                               answer->gpu->limits.warps);
    else
        g_string_append(text, warps);
    if (*limits)
        g_string_append_printf(text, "; limited by %s", limits);
    if (answer->gpu->limits.warps) {
        g_autofree char *achieved = format_share(answer->achieved);
        g_string_append_printf(text, "; %s achieved on average", achieved);
    }
    return g_string_free(text, FALSE);
}

/* ---- what limits it ------------------------------------------------------------------------ */

/* The busiest pipeline, and those that would be the limit nearly as soon. */
static char *describe_saturated(const Answer *answer)
{
    const PsStatsRow *busiest = answer_busiest(answer);
    g_autofree char *share = format_share(answer_busy(answer));
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "throughput of the pipeline %s, which is busy %s of the time",
                           busiest->name, share);
    for (guint i = 0; i < answer->pipelines->len; i++) {
        const PsStatsRow *row = answer->pipelines->pdata[i];
        const double load = answer_share(answer, row);
        if (row == busiest || load < ANSWER_NEARLY)
            continue;
        g_autofree char *near = format_share(load);
        if (load >= ANSWER_SATURATED)
            g_string_append_printf(out, "; so is %s, %s of it", row->name, near);
        else
            g_string_append_printf(out, "; %s is near that, with %s", row->name, near);
    }
    return g_string_free(out, FALSE);
}

char *describe_bound(const Answer *answer)
{
    const PsStatsRow *busiest = answer_busiest(answer);
    if (!busiest)
        return g_strdup("nothing: the graph has no instruction to run");
    const double busy = answer_busy(answer);
    g_autofree char *share = format_share(busy);
    if (busy >= ANSWER_SATURATED)
        return describe_saturated(answer);
    if (busy >= ANSWER_NEARLY)
        return g_strdup_printf("throughput in part: the busiest pipeline, %s, is busy %s of the "
                               "time; for the rest warps wait for results",
                               busiest->name, share);
    return g_strdup_printf(
        "latency: warps wait for results; even the busiest pipeline, %s, is busy "
        "only %s of the time",
        busiest->name, share);
}

char *describe_busiest(const Answer *answer)
{
    const PsStatsRow *busiest = answer_busiest(answer);
    g_autofree char *share = format_share(answer_busy(answer));
    return busiest ? g_strdup_printf("%s %s", busiest->name, share) : g_strdup("-");
}
