/* SPDX-License-Identifier: BSD-3-Clause */
/* See reading.h. */
#include "answer/reading.h"

#include "answer/critical.h"
#include "answer/explain.h"
#include "cli/report/format.h"
#include "answer/levels.h"
#include "answer/loads.h"

#include <math.h>
#include <string.h>

/* Up to here, 10 %, two times are the same: neither model claims to be more exact. */
#define AGREE 0.1

/* ---- faster than the ceiling --------------------------------------------------------------- */

/* Device memory's bytes, or operations of the kernel's type, that a thread has of a node. */
static double weight_of(const PsProgramNode *node, PsPeakKind peak, const char *type)
{
    const PsRational share = node->share[PS_LEVEL_DEVICE];
    if (peak == PS_B_MEM)
        return share.num > 0 ? (double)node->bytes * ps_rational_to_double(share) : 0;
    return node->item->type && type && strcmp(node->item->type, type) == 0 ? (double)node->ops : 0;
}

/* The class that most of what the ceiling counts comes from; codes of different warps count alike.
 * NULL where there is none. */
static const PsMachineClass *class_of_most(const Answer *answer, PsPeakKind peak)
{
    const PsMachine *machine = answer->machine;
    const char *type = ps_k_type_name(answer->bound.params.K_type);
    g_autofree double *weights = g_new0(double, machine->n_classes + 1);
    guint most = machine->n_classes;
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        const PsProgram *program = &answer->kernel->programs[p];
        for (guint n = 0; n < program->n_nodes; n++) {
            const guint class = machine->class_of[p][n];
            weights[class] +=
                weight_of(&program->nodes[n], peak, type) * (double)program->nodes[n].count;
            if (weights[class] > weights[most])
                most = class;
        }
    }
    return most < machine->n_classes ? &machine->classes[most] : NULL;
}

static char *read_impossible(const Answer *answer)
{
    const Bound *bound = &answer->bound;
    const PsPeakKind peak = bound_ceiling_peak(bound);
    const gboolean memory = peak == PS_B_MEM;
    const PsMachineClass *class = class_of_most(answer, peak);
    g_autofree char *value = format_scaled(bound->peaks.value[peak]);
    g_autofree char *issue = class ? format_rational(class->latency.issue) : NULL;
    g_autofree char *latency =
        class && class->by_levels && memory ? g_strdup(", or the bandwidth of the level device")
        : class ? g_strdup_printf(", or lambda of %s (%s cycle%s)", class->asked, issue,
                                  strcmp(issue, "1") == 0 ? "" : "s")
                : NULL;
    const gboolean near = fabs(answer->ratio - 1) <= AGREE;
    return g_strdup_printf("%sfaster than the ceiling %s allows, so an input is wrong: check the "
                           "peak %s (%s%s), the %s that the graph states%s",
                           near ? "the two agree within 10 %, but it is a little " : "",
                           memory ? "O_krn * B_mem" : "E_mix * T_op", ps_peak_kind_name(peak),
                           value, memory ? "B/s" : "OP/s", memory ? "traffic" : "operations",
                           latency ? latency : "");
}

/* ---- faster than equation 19 --------------------------------------------------------------- */

static char *describe_busy(const Answer *answer, guint pipeline)
{
    const PsStatsRow *row = answer->pipelines->pdata[pipeline];
    g_autofree char *share = format_share(answer_share(answer, row));
    return g_strdup_printf("%s (busy %s)", row->name, share);
}

/* The busiest pipeline but the busiest. */
static guint second_busiest(const Answer *answer)
{
    guint second = answer->busiest == 0 ? 1 : 0;
    for (guint i = 0; i < answer->pipelines->len; i++)
        if (i != answer->busiest && answer_share(answer, answer->pipelines->pdata[i]) >
                                        answer_share(answer, answer->pipelines->pdata[second]))
            second = i;
    return second;
}

static char *read_faster(const Answer *answer)
{
    g_autofree char *first = describe_busy(answer, answer->busiest);
    if (answer->pipelines->len < 2)
        return g_strdup_printf("faster than equation 19, which counts more for the instructions "
                               "of %s, the only pipeline, than their latencies say",
                               first);
    g_autofree char *second = describe_busy(answer, second_busiest(answer));
    return g_strdup_printf("faster than equation 19, which counts all instructions on one "
                           "pipeline: the pipelines overlap, %s and %s above all",
                           first, second);
}

/* ---- slower than equation 19 --------------------------------------------------------------- */

/* What the run waits for, where it was explained. */
static char *read_path(const Answer *answer)
{
    const ExplainShare *longest = answer->explain->by_class->pdata[0];
    g_autofree char *percent = format_share(longest->share);
    return g_strdup_printf("slower than equation 19: no pipeline is saturated; the "
                           "longest part of the critical path, %s, is %s",
                           percent, longest->name);
}

static char *read_latency(const Answer *answer)
{
    double share, load;
    (void)load_busiest(answer, &load);
    if (answer->explain && answer->explain->by_class && answer->explain->by_class->len > 0)
        return read_path(answer);
    const PsMachineClass *class = critical_class(answer, &share);
    if (!class)
        return g_strdup("slower than equation 19: no pipeline is saturated");
    g_autofree char *completion = format_rational(class->latency.completion);
    g_autofree char *percent = format_share(share);
    return g_strdup_printf("slower than equation 19, %s: warps wait most for %s "
                           "(Lambda %s cycles), an estimated %s of their critical path",
                           load >= ANSWER_NEARLY ? "no pipeline is saturated" : "latency-bound",
                           class->asked, completion, percent);
}

/* How much of all CUs' places groups fill, if the fullest CU has work all the time. */
static double filled(const Answer *answer)
{
    const PsLaunch *launch = &answer->machine->launch;
    return (double)launch->groups /
           ((double)launch->groups_per_cu * (double)answer->gpu->compute_units);
}

/* "the fullest CU runs 2 groups, a CU 1.1 on average" */
static char *describe_fill(const Answer *answer)
{
    const PsLaunch *launch = &answer->machine->launch;
    g_autofree char *fullest = format_noun(launch->groups_per_cu, "group");
    g_autofree char *mean =
        format_number((double)launch->groups / (double)answer->gpu->compute_units);
    return g_strdup_printf("the fullest CU runs %s, a CU %s on average", fullest, mean);
}

static char *read_saturated(const Answer *answer)
{
    double load;
    const PsServerRow *level = level_busiest(answer);
    (void)load_busiest(answer, &load);
    if (load_of_dispatch(answer) >= load) {
        g_autofree char *share = format_share(load);
        return g_strdup_printf("slower than equation 19: what limits the run is launches of "
                               "groups (%s of the time)",
                               share);
    }
    if (level && level_load(answer, level) >= load) {
        g_autofree char *text = level_text(level), *share = format_share(load);
        return g_strdup_printf("slower than equation 19: what limits the run is %s (busy %s)", text,
                               share);
    }
    g_autofree char *busiest = describe_busy(answer, answer->busiest);
    return g_strdup_printf("slower than equation 19: the pipeline %s takes longer for its "
                           "instructions than the peaks say",
                           busiest);
}

static char *read_slower(const Answer *answer)
{
    const double fill = filled(answer);
    g_autofree char *uneven = describe_fill(answer);
    if (answer->ratio * fill <= 1 + AGREE)
        return g_strdup_printf("slower than equation 19, which shares the work among all CUs "
                               "evenly: %s",
                               uneven);
    double load;
    (void)load_busiest(answer, &load);
    char *reading = load < ANSWER_SATURATED ? read_latency(answer) : read_saturated(answer);
    if (fill > 1 - AGREE)
        return reading;
    g_autofree char *alone = reading;
    return g_strdup_printf("%s; besides, the work is uneven: %s", alone, uneven);
}

/* -------------------------------------------------------------------------------------------- */

char *reading_new(const Answer *answer)
{
    if (!answer->pipelines->len)
        return NULL;
    if (bound_is_passed(&answer->bound, answer_execution(answer), CLAMP_CEILING))
        return read_impossible(answer);
    if (isnan(answer->ratio))
        return NULL;
    if (fabs(answer->ratio - 1) <= AGREE)
        return g_strdup("the two agree within 10 %");
    return answer->ratio < 1 ? read_faster(answer) : read_slower(answer);
}
