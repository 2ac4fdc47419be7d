/* SPDX-License-Identifier: BSD-3-Clause */
/* See describe.h. */
#include "tell/describe.h"

#include "answer/figures.h"
#include "answer/words.h"
#include "gpu/rows.h"
#include "idg/words.h"
#include "tell/format.h"
#include "tell/words.h"

#include <math.h>
#include <string.h>

/* ---- the answer ---------------------------------------------------------------------------- */

char *ps_sentence_cus(const PsAnswer *answer)
{
    const gint64 n = answer->machine->n_cus, units = answer->gpu->compute_units;
    g_autofree char *of = ps_format_noun(units, "CU");
    if (!answer->machine->refinements.all_cus)
        return g_strdup("the fullest CU");
    if (n < units)
        return g_strdup_printf("%" G_GINT64_FORMAT " of %s", n, of);
    return units == 1 ? g_strdup("the only CU") : g_strdup_printf("all %s", of);
}

char *ps_sentence_seconds(const PsAnswer *answer)
{
    return ps_format_interval(answer->seconds, answer->clamped ? 0 : answer->half_width);
}

char *ps_sentence_cycles(const PsAnswer *answer)
{
    if (answer->half_width == 0)
        return ps_format_rounded_cycles(answer->result.cycles);
    return ps_format_count((gint64)(ps_rational_to_double(answer->result.cycles) + 0.5));
}

char *ps_sentence_estimated(const PsAnswer *answer)
{
    const PsSimResult *result = &answer->result;
    g_autofree char *time =
        ps_format_share((double)result->estimated_ticks / (double)result->ticks);
    g_autofree char *wide = ps_format_interval(answer->simulated, answer->half_width);
    return g_strdup_printf(
        "%s of the time is steady and was extrapolated; the exact time is within "
        "%s in 95 of 100 cases; tables, paths, waits, timelines and traces are "
        "of the part that was simulated, scaled; an exact run simulates all",
        time, wide);
}

char *ps_sentence_simulated(const PsAnswer *answer)
{
    g_autofree char *time = ps_format_interval(answer->simulated, answer->half_width);
    g_autofree char *cycles = ps_sentence_cycles(answer);
    g_autofree char *launch = ps_format_time(answer->launch_seconds);
    return g_strdup_printf("%s, %s cycles%s%s", time, cycles,
                           answer->launch_seconds > 0 ? " and the kernel's launch, " : "",
                           answer->launch_seconds > 0 ? launch : "");
}

char *ps_sentence_time(const PsAnswer *answer)
{
    if (!answer->clamped)
        return ps_sentence_simulated(answer);
    g_autofree char *time = ps_format_time(answer->seconds);
    const PsLaunchRoofline *roofline = &answer->roofline;
    const gboolean reached = roofline->reached_seconds > roofline->prediction.ceiling_seconds;
    return g_strdup_printf("%s, clamped to the %s%s", time,
                           answer->clamp == PS_CLAMP_ROOFLINE ? "roofline"
                           : reached                          ? "bandwidth that was reached"
                                                              : "ceiling",
                           answer->launch_seconds > 0 ? " and the kernel's launch" : "");
}

/* Seconds; beyond them the few microseconds of a timer are not worth a line. */
#define TIMED_MOST 30e-6

/* Marks a figure of launches that was not measured. */
static const char *if_assumed(const PsGpu *gpu, const char *name)
{
    const PsSource *source = ps_gpu_source(gpu, ps_gpu_setting_source(gpu, "overheads", name));
    return source && source->kind == PS_SOURCE_ASSUMED ? ", which is assumed" : "";
}

char *ps_sentence_timed(const PsAnswer *answer)
{
    const PsGpu *gpu = answer->gpu;
    const double timed = ps_answer_timed(answer), in_graph = ps_answer_in_graph(answer);
    if (!(timed > 0) || answer->seconds >= TIMED_MOST)
        return NULL;
    g_autofree char *time = ps_format_time(timed), *more = ps_format_time(timed - answer->seconds);
    GString *out = g_string_new(NULL);
    g_string_printf(out,
                    "about %s, by two events round this launch alone: %s more than the "
                    "kernel's own%s",
                    time, more, if_assumed(gpu, "timer"));
    if (in_graph > 0) {
        g_autofree char *behind = ps_format_time(in_graph);
        g_string_append_printf(out, "; in a graph of launches %s%s", behind,
                               if_assumed(gpu, "in-graph"));
    }
    return g_string_free(out, FALSE);
}

/* The types of the counted operations, such as " (fp32)". */
static char *describe_types(const PsAnswer *answer)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < answer->operations->len; i++) {
        const PsOperations *some = &g_array_index(answer->operations, PsOperations, i);
        if (strcmp(some->type, "int") != 0)
            g_string_append_printf(out, "%s%s", out->len ? ", " : " (", some->type);
    }
    if (out->len)
        g_string_append_c(out, ')');
    return g_string_free(out, FALSE);
}

char *ps_sentence_performance(const PsAnswer *answer)
{
    const double gflops = ps_answer_gflops(answer, answer->seconds);
    g_autofree char *rate = gflops > 0 ? ps_format_number(gflops) : g_strdup("-");
    g_autofree char *types = describe_types(answer);
    return answer->flops > 0 ? g_strdup_printf("%s GFLOP/s%s", rate, types) : NULL;
}

char *ps_sentence_code(const PsAnswer *answer)
{
    return g_strdup(answer->idg->made_of);
}

static void add_refinement(GString *out, const char *text)
{
    g_string_append_printf(out, "%s%s", out->len ? ", " : "", text);
}

char *ps_sentence_refinements(const PsRefinements *refinements)
{
    GString *out = g_string_new(NULL);
    if (refinements->schedulers > 0) {
        g_autofree char *width = ps_rational_format(refinements->issue_width);
        g_string_append_printf(out, "schedulers (%" G_GINT64_FORMAT ", %s per cycle)",
                               refinements->schedulers, width);
    }
    if (refinements->order == PS_ORDER_PROGRAM)
        add_refinement(out, "program order");
    if (refinements->policy != PS_POLICY_FIFO)
        add_refinement(out, ps_policy_name(refinements->policy));
    if (refinements->contention)
        add_refinement(out, "contention");
    if (refinements->overheads)
        add_refinement(out, "overheads");
    if (refinements->levels) {
        g_autofree char *levels =
            g_strdup_printf("memory levels (%s)", ps_cache_state_name(refinements->cache));
        add_refinement(out, levels);
    }
    if (refinements->all_cus)
        add_refinement(out, "all CUs");
    return g_string_free(out, FALSE);
}

char *ps_sentence_model(const PsAnswer *answer)
{
    char *text = ps_sentence_refinements(&answer->machine->refinements);
    if (*text)
        return text;
    g_free(text);
    return g_strdup("as published, without refinements");
}

char *ps_sentence_not_kept(const PsAnswer *answer)
{
    if (answer->machine->refinements.cache != PS_CACHE_WARM || answer->machine->warm)
        return NULL;
    return g_strdup("cold after all: the launch moves more at device memory than the last cache "
                    "holds, so a launch before leaves nothing in it");
}

char *ps_sentence_chip(const PsAnswer *answer)
{
    g_autofree char *chip = ps_format_chip(answer->gpu, answer->clock);
    return g_strconcat(chip, answer->by_power ? " by power" : "", NULL);
}

/* ---- the launch ---------------------------------------------------------------------------- */

char *ps_sentence_launch(const PsAnswer *answer)
{
    const PsLaunch *launch = &answer->machine->launch;
    g_autofree char *where = ps_sentence_cus(answer);
    g_autofree char *groups = ps_format_noun(launch->groups, "group");
    g_autofree char *threads = ps_format_noun(launch->group_size, "thread");
    g_autofree char *warps = ps_format_noun(launch->warps_per_group, "warp");
    g_autofree char *share = ps_format_count(launch->groups_per_cu);
    const gboolean all = answer->machine->refinements.all_cus;
    return g_strdup_printf("%s of %s (%s), %s%son %s", groups, threads, warps, all ? "" : share,
                           all ? "" : " ", where);
}

char *ps_sentence_kinds(const PsAnswer *answer)
{
    const PsKernel *kernel = answer->kernel;
    GString *out = g_string_new(NULL);
    if (kernel->n_kinds == 1)
        return g_string_free(out, TRUE);
    for (guint k = 0; k < kernel->n_kinds; k++) {
        const PsKernelKind *kind = &kernel->kinds[k];
        const double length =
            ps_kernel_group_length(kernel, k, answer->machine->launch.warps_per_group);
        g_autofree char *share = ps_format_share((double)kind->share / (double)kernel->parts);
        g_autofree char *count = ps_format_count((gint64)length);
        if (kind->share > 0)
            g_string_append_printf(out, "%s%s %s (%s%s)", out->len ? ", " : "", share, kind->name,
                                   count, out->len ? "" : " instructions of warps");
    }
    return g_string_free(out, FALSE);
}

/* The resources that allow no further group: JSON's words, and words for people; NULL: the word of
 * the source's language. */
static const struct {
    guint bit;
    const char *word, *text;
} LIMITS[] = {{PS_LIMIT_GROUPS, "groups", "groups per CU"},
              {PS_LIMIT_WARPS, "warps", "warps per CU"},
              {PS_LIMIT_REGISTERS, "registers", "registers"},
              {PS_LIMIT_SCALAR_REGISTERS, "scalar_registers", "scalar registers"},
              {PS_LIMIT_LOCAL_MEMORY, "local_memory", NULL},
              {PS_LIMIT_TENSOR_MEMORY, "tensor_memory", "tensor memory"},
              {PS_LIMIT_LAUNCH, "launch", "the launch, which has no more groups"},
              {PS_LIMIT_ACTIVE, "active", "the number of groups asked for"}};

const char **ps_limit_names(const PsAnswer *answer)
{
    const guint limits = ps_answer_limits(answer);
    const char **names = g_new0(const char *, G_N_ELEMENTS(LIMITS) + 1);
    guint n = 0;
    for (guint i = 0; i < G_N_ELEMENTS(LIMITS); i++)
        if (limits & LIMITS[i].bit)
            names[n++] = LIMITS[i].word;
    return names;
}

char *ps_sentence_limits(const PsAnswer *answer)
{
    const guint limits = ps_answer_limits(answer);
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(LIMITS); i++)
        if (limits & LIMITS[i].bit)
            g_string_append_printf(out, "%s%s", out->len ? " and " : "",
                                   LIMITS[i].text ? LIMITS[i].text
                                                  : ps_idg_local_memory(answer->idg));
    return g_string_free(out, FALSE);
}

/* TRUE for more groups than fit, which only a question can ask for. */
static gboolean is_too_full(const PsLaunch *launch)
{
    return launch->fitting_groups > 0 && launch->active_groups > launch->fitting_groups;
}

/* Says that so many groups do not fit at once. */
static char *describe_too_full(const PsLaunch *launch, double groups)
{
    return g_strdup_printf("%.4g times what fits", groups / (double)launch->fitting_groups);
}

char *ps_sentence_resident(const PsAnswer *answer, double share)
{
    const PsLaunch *launch = &answer->machine->launch;
    const double warps = share * (double)answer->gpu->limits.warps;
    return is_too_full(launch) ? describe_too_full(launch, warps / (double)launch->warps_per_group)
                               : ps_format_share(share);
}

/* "64 of 64 warps" */
static char *describe_warps(const PsAnswer *answer)
{
    const PsLaunch *launch = &answer->machine->launch;
    const gint64 most = answer->gpu->limits.warps,
                 n = launch->active_groups * launch->warps_per_group;
    g_autofree char *warps = ps_format_noun(n, "warp");
    return most == 0 ? g_steal_pointer(&warps)
           : n > most
               ? g_strdup_printf("%s where %" G_GINT64_FORMAT " fit", warps, most)
               : g_strdup_printf("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " warps", n, most);
}

char *ps_sentence_occupancy(const PsAnswer *answer)
{
    const PsLaunch *launch = &answer->machine->launch;
    const gboolean known = answer->gpu->limits.warps > 0;
    g_autofree char *groups = ps_format_noun(launch->active_groups, "group");
    g_autofree char *warps = describe_warps(answer);
    g_autofree char *limits = ps_sentence_limits(answer);
    g_autofree char *share = is_too_full(launch)
                                 ? describe_too_full(launch, (double)launch->active_groups)
                             : known ? ps_format_share(launch->occupancy)
                                     : NULL;
    g_autofree char *achieved = known ? ps_sentence_resident(answer, answer->achieved) : NULL;
    return g_strconcat(share ? share : "", share ? ": " : "", groups, " at once, ", warps,
                       *limits ? "; limited by " : "", limits, achieved ? "; " : "",
                       achieved ? achieved : "", achieved ? " achieved on average" : "", NULL);
}

/* ---- what limits it ------------------------------------------------------------------------ */

/* The name of a pipeline or a server of memory in a list. */
static char *part_name(const PsAnswer *answer, const PsBusyPart *part)
{
    return part->pipeline ? ps_answer_pipeline_words(answer, part->pipeline->name)
                          : ps_server_words(part->server);
}

/* The same name as the subject of a sentence. */
static char *part_subject(const PsAnswer *answer, const PsBusyPart *part)
{
    g_autofree char *name = part_name(answer, part);
    return part->pipeline ? g_strdup_printf("throughput of the pipeline %s, which", name)
                          : g_strdup_printf("%s, which", name);
}

/* Names the busiest part, and those that would limit nearly as soon. */
static char *describe_saturated(const PsAnswer *answer, const PsLimiting *limiting)
{
    const PsBusyPart *first = &g_array_index(limiting->parts, PsBusyPart, limiting->busiest);
    g_autofree char *share = ps_format_share(first->load);
    g_autofree char *subject = part_subject(answer, first);
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "%s is busy %s of the time", subject, share);
    for (guint i = 0; i < limiting->parts->len; i++) {
        const PsBusyPart *other = &g_array_index(limiting->parts, PsBusyPart, i);
        if (i == limiting->busiest || other->load < PS_NEARLY_SATURATED)
            continue;
        g_autofree char *near = ps_format_share(other->load), *name = part_name(answer, other);
        if (other->load >= PS_SATURATED)
            g_string_append_printf(out, "; so is %s, %s of it", name, near);
        else
            g_string_append_printf(out, "; %s is near that, with %s", name, near);
    }
    return g_string_free(out, FALSE);
}

/* Groups follow one another: each ends before the next begins. */
static char *describe_dispatch(const PsAnswer *answer)
{
    const PsRational between = ps_machine_cycles(answer->machine, answer->machine->group_interval);
    g_autofree char *cycles = ps_format_rounded_cycles(between);
    g_autofree char *share = ps_format_share(ps_dispatch_utilization(answer));
    return g_strdup_printf("launches of groups: a CU gets one every %s cycles, which takes %s of "
                           "the time",
                           cycles, share);
}

/* Groups end before the next ones begin. */
static char *describe_starts(const PsAnswer *answer)
{
    const PsMachine *machine = answer->machine;
    const gint64 ticks =
        machine->group_launch +
        (machine->launch.groups_per_cu > machine->launch.active_groups ? machine->turnaround : 0);
    g_autofree char *cycles = ps_format_rounded_cycles(ps_machine_cycles(machine, ticks));
    g_autofree char *share = ps_format_share(fmin(1, ps_starts_share(answer)));
    return g_strdup_printf("launches of groups: it takes %s cycles until a group on a CU has "
                           "begun, %s of the time",
                           cycles, share);
}

/* Pipelines and memory have room, but schedulers issue no more instructions. */
static char *describe_ports(const PsAnswer *answer)
{
    g_autofree char *share = ps_format_share(ps_port_utilization(answer));
    return g_strdup_printf("the issue of instructions: schedulers are busy with it %s of the time",
                           share);
}

/* Nothing is saturated: warps wait for a part of the time, or for most of it. */
static char *describe_waiting(const PsAnswer *answer, const PsLimiting *limiting)
{
    const PsBusyPart *first = &g_array_index(limiting->parts, PsBusyPart, limiting->busiest);
    g_autofree char *share = ps_format_share(first->load), *name = part_name(answer, first);
    const char *what = first->pipeline ? "the busiest pipeline, " : "what is busiest, ";
    if (limiting->regime == PS_REGIME_PARTLY)
        return g_strdup_printf("throughput in part: %s%s, is busy %s of the time; for the rest "
                               "warps wait for results",
                               what, name, share);
    return g_strdup_printf("latency: warps wait for results; even %s%s, is busy only %s of the "
                           "time",
                           what, name, share);
}

char *ps_sentence_bound(const PsAnswer *answer)
{
    g_auto(PsLimiting) limiting = ps_answer_limiting(answer);
    switch (limiting.regime) {
    case PS_REGIME_NOTHING:
        return g_strdup("nothing: the graph has no instruction to run");
    case PS_REGIME_DISPATCH:
        return describe_dispatch(answer);
    case PS_REGIME_STARTS:
        return describe_starts(answer);
    case PS_REGIME_PORTS:
        return describe_ports(answer);
    case PS_REGIME_SATURATED:
        return describe_saturated(answer, &limiting);
    default:
        return describe_waiting(answer, &limiting);
    }
}

const char *ps_busiest_name(const PsBusiest *busiest)
{
    return busiest->kind == PS_BUSY_DISPATCH ? "dispatch"
           : busiest->kind == PS_BUSY_PORTS  ? "issue"
                                             : busiest->name;
}

char *ps_busiest_words(const PsAnswer *answer, const PsBusiest *busiest)
{
    return busiest->kind == PS_BUSY_PIPELINE  ? ps_answer_pipeline_words(answer, busiest->name)
           : busiest->kind == PS_BUSY_NOTHING ? NULL
                                              : g_strdup(ps_busiest_name(busiest));
}

char *ps_sentence_busiest(const PsAnswer *answer)
{
    const PsBusiest busiest = ps_answer_busiest_part(answer);
    g_autofree char *share = ps_format_share(busiest.load);
    g_autofree char *name = ps_busiest_words(answer, &busiest);
    return name ? g_strdup_printf("%s %s", name, share) : g_strdup("-");
}
