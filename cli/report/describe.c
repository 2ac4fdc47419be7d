/* SPDX-License-Identifier: BSD-3-Clause */
/* See describe.h. */
#include "cli/report/describe.h"

#include "cli/report/format.h"
#include "answer/levels.h"
#include "answer/loads.h"
#include "cli/run/refinements.h"

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

char *describe_model(const Answer *answer)
{
    char *text = refinements_describe(&answer->machine->refinements);
    if (*text)
        return text;
    g_free(text);
    return g_strdup("as published, without refinements");
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
                 {"scalar_registers", "scalar registers"},
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

/* More groups than fit: only --active can say so. */
static gboolean is_too_full(const PsLaunch *launch)
{
    return launch->fitting_groups > 0 && launch->active_groups > launch->fitting_groups;
}

/* Of so many groups at once. */
static char *describe_too_full(const PsLaunch *launch, double groups)
{
    return g_strdup_printf("%.4g times what fits", groups / (double)launch->fitting_groups);
}

char *describe_resident(const Answer *answer, double share)
{
    const PsLaunch *launch = &answer->machine->launch;
    const double warps = share * (double)answer->gpu->limits.warps;
    return is_too_full(launch) ? describe_too_full(launch, warps / (double)launch->warps_per_group)
                               : format_share(share);
}

/* "64 of 64 warps" */
static char *describe_warps(const Answer *answer)
{
    const PsLaunch *launch = &answer->machine->launch;
    const gint64 most = answer->gpu->limits.warps,
                 n = launch->active_groups * launch->warps_per_group;
    g_autofree char *warps = format_noun(n, "warp");
    return most == 0 ? g_steal_pointer(&warps)
           : n > most
               ? g_strdup_printf("%s where %" G_GINT64_FORMAT " fit", warps, most)
               : g_strdup_printf("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " warps", n, most);
}

char *describe_occupancy(const Answer *answer)
{
    const PsLaunch *launch = &answer->machine->launch;
    const gboolean known = answer->gpu->limits.warps > 0;
    g_autofree char *groups = format_noun(launch->active_groups, "group");
    g_autofree char *warps = describe_warps(answer);
    g_autofree char *limits = describe_limits(answer);
    g_autofree char *share = is_too_full(launch)
                                 ? describe_too_full(launch, (double)launch->active_groups)
                             : known ? format_share(launch->occupancy)
                                     : NULL;
    g_autofree char *achieved = known ? describe_resident(answer, answer->achieved) : NULL;
    return g_strconcat(share ? share : "", share ? ": " : "", groups, " at once, ", warps,
                       *limits ? "; limited by " : "", limits, achieved ? "; " : "",
                       achieved ? achieved : "", achieved ? " achieved on average" : "", NULL);
}

/* ---- what limits it ------------------------------------------------------------------------ */

/* A pipeline, or what serves memory: as the subject of a sentence, and as one of several. */
typedef struct {
    char *subject, *name;
    double load;
} Load;

static void clear_load(void *data)
{
    Load *load = data;
    g_free(load->subject);
    g_free(load->name);
}

static void add_pipeline(GArray *loads, const Answer *answer, const PsStatsRow *row)
{
    const Load load = {g_strdup_printf("throughput of the pipeline %s, which", row->name),
                       g_strdup(row->name), answer_share(answer, row)};
    g_array_append_val(loads, load);
}

static void add_server(GArray *loads, const Answer *answer, const PsServerRow *row)
{
    g_autofree char *text = level_text(row);
    const Load load = {g_strdup_printf("%s, which", text), g_strdup(text), level_load(answer, row)};
    g_array_append_val(loads, load);
}

/* All of them; *busiest is the index of the one that is busiest. */
static GArray *find_loads(const Answer *answer, guint *busiest)
{
    GArray *loads = g_array_new(FALSE, FALSE, sizeof(Load));
    g_array_set_clear_func(loads, clear_load);
    for (guint i = 0; i < answer->pipelines->len; i++)
        add_pipeline(loads, answer, answer->pipelines->pdata[i]);
    for (guint i = 0; i < answer->servers->len; i++)
        add_server(loads, answer, answer->servers->pdata[i]);
    *busiest = 0;
    for (guint i = 1; i < loads->len; i++)
        if (g_array_index(loads, Load, i).load > g_array_index(loads, Load, *busiest).load)
            *busiest = i;
    return loads;
}

/* The busiest, and those that would be the limit nearly as soon. */
static char *describe_saturated(const GArray *loads, guint busiest)
{
    const Load *first = &g_array_index(loads, Load, busiest);
    g_autofree char *share = format_share(first->load);
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "%s is busy %s of the time", first->subject, share);
    for (guint i = 0; i < loads->len; i++) {
        const Load *other = &g_array_index(loads, Load, i);
        if (i == busiest || other->load < ANSWER_NEARLY)
            continue;
        g_autofree char *near = format_share(other->load);
        if (other->load >= ANSWER_SATURATED)
            g_string_append_printf(out, "; so is %s, %s of it", other->name, near);
        else
            g_string_append_printf(out, "; %s is near that, with %s", other->name, near);
    }
    return g_string_free(out, FALSE);
}

/* Groups come one after the other, sooner done than the next is there. */
static char *describe_dispatch(const Answer *answer)
{
    const PsRational between = ps_machine_cycles(answer->machine, answer->machine->group_interval);
    g_autofree char *cycles = format_rational(between);
    g_autofree char *share = format_share(load_of_dispatch(answer));
    return g_strdup_printf("launches of groups: a CU gets one every %s cycles, which takes %s of "
                           "the time",
                           cycles, share);
}

char *describe_bound(const Answer *answer)
{
    if (!answer_busiest(answer))
        return g_strdup("nothing: the graph has no instruction to run");
    guint busiest;
    g_autoptr(GArray) loads = find_loads(answer, &busiest);
    const Load *first = &g_array_index(loads, Load, busiest);
    const gboolean memory = busiest >= answer->pipelines->len;
    g_autofree char *share = format_share(first->load);
    if (load_of_dispatch(answer) >= ANSWER_SATURATED && load_of_dispatch(answer) > first->load)
        return describe_dispatch(answer);
    if (first->load >= ANSWER_SATURATED)
        return describe_saturated(loads, busiest);
    if (first->load >= ANSWER_NEARLY)
        return g_strdup_printf("throughput in part: %s%s, is busy %s of the time; for the rest "
                               "warps wait for results",
                               memory ? "what is busiest, " : "the busiest pipeline, ", first->name,
                               share);
    return g_strdup_printf("latency: warps wait for results; even %s%s, is busy only %s of the "
                           "time",
                           memory ? "what is busiest, " : "the busiest pipeline, ", first->name,
                           share);
}

char *describe_busiest(const Answer *answer)
{
    double load;
    const char *busiest = load_busiest(answer, &load);
    g_autofree char *share = format_share(load);
    return busiest ? g_strdup_printf("%s %s", busiest, share) : g_strdup("-");
}
