/* SPDX-License-Identifier: BSD-3-Clause */
/* Explains why the simulated time differs from the roofline's. See answer.h. */
#include "answer/answer-private.h"
#include "answer/figures.h"

#include <math.h>
#include <string.h>

/* ---- faster than the ceiling --------------------------------------------------------------- */

/* A thread's bytes from device memory, or operations of the kernel's type, in a node. */
static double weight_of(const PsProgramNode *node, PsPeakKind peak, const char *type)
{
    const PsRational share = node->share[PS_LEVEL_DEVICE];
    if (peak == PS_B_MEM)
        return share.num > 0 ? (double)node->bytes * ps_rational_to_double(share) : 0;
    return node->item->type && type && strcmp(node->item->type, type) == 0 ? (double)node->ops : 0;
}

/* The class with most of the ceiling's operations, on the pipeline whose operations count. Codes of
 * different warps count alike, kinds of groups by their share. G_MAXUINT: there is none. */
static guint class_of_most(const PsAnswer *answer, PsPeakKind peak)
{
    const PsMachine *machine = answer->machine;
    const char *type = ps_k_type_name(answer->roofline.params.K_type);
    g_autofree double *weights = g_new0(double, machine->n_classes + 1);
    guint most = machine->n_classes;
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        const PsProgram *program = &answer->kernel->programs[p];
        const double share = (double)answer->kernel->kinds[program->kind].share;
        for (guint n = 0; n < program->n_nodes; n++) {
            const guint class_index = machine->class_of[p][n];
            if (peak != PS_B_MEM &&
                machine->classes[class_index].pipeline != answer->roofline.pipeline)
                continue;
            weights[class_index] +=
                share * weight_of(&program->nodes[n], peak, type) * (double)program->nodes[n].count;
            if (weights[class_index] > weights[most])
                most = class_index;
        }
    }
    return most < machine->n_classes ? most : G_MAXUINT;
}

/* Without levels an access takes its class's time, whatever its bytes. */
static gint64 bytes_of_class(const PsAnswer *answer, guint class_index)
{
    const PsMachine *machine = answer->machine;
    gint64 most = 0;
    if (class_index == G_MAXUINT || machine->classes[class_index].by_levels)
        return 0;
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        for (guint n = 0; n < answer->kernel->programs[p].n_nodes; n++)
            if (machine->class_of[p][n] == class_index)
                most = MAX(most, answer->kernel->programs[p].nodes[n].bytes);
    return most > PS_REQUEST_BYTES ? most : 0;
}

/* The peak that was reached: B_mem, or that of the operations that take longest. */
static PsPeakKind peak_of_clamp(const PsLaunchRoofline *roofline)
{
    const double least = ps_launch_roofline_seconds(roofline, PS_CLAMP_CEILING);
    const gboolean memory = roofline->reached_seconds >= least;
    return memory || !roofline->params.K_type ? PS_B_MEM : roofline->unit_peak;
}

static PsVerdict find_impossible(const PsAnswer *answer)
{
    const PsPeakKind peak = peak_of_clamp(&answer->roofline);
    const guint most = class_of_most(answer, peak);
    return (PsVerdict){.kind = PS_VERDICT_IMPOSSIBLE,
                       .near = fabs(answer->ratio - 1) <= PS_AGREE,
                       .peak = peak,
                       .class_index = most,
                       .bytes = peak == PS_B_MEM ? bytes_of_class(answer, most) : 0};
}

/* ---- slower than equation 19 --------------------------------------------------------------- */

/* The share of all CUs' places that groups fill, if the fullest CU has work all the time. */
static double filled(const PsAnswer *answer)
{
    const PsLaunch *launch = &answer->machine->launch;
    return (double)launch->groups /
           ((double)launch->groups_per_cu * (double)answer->gpu->compute_units);
}

/* The limit of a saturated run. Of equal loads the dispatch of groups comes first, then memory. */
static PsVerdictKind find_saturated(const PsAnswer *answer, double load, const PsServerRow **server)
{
    if (ps_answer_busiest_part(answer).kind == PS_BUSY_PORTS)
        return PS_VERDICT_PORTS;
    const PsServerRow *busiest = ps_busiest_server(answer);
    if (ps_dispatch_utilization(answer) >= load)
        return PS_VERDICT_DISPATCH;
    if (!busiest || ps_server_utilization(answer, busiest) < load)
        return PS_VERDICT_PIPELINE;
    *server = busiest;
    return PS_VERDICT_SERVER;
}

static PsVerdict find_slower(const PsAnswer *answer)
{
    const double fill = filled(answer);
    PsVerdict verdict = {.class_index = G_MAXUINT, .load = ps_answer_busiest_part(answer).load};
    if (answer->ratio * fill <= 1 + PS_AGREE) {
        verdict.kind = PS_VERDICT_UNEVEN;
        return verdict;
    }
    verdict.uneven = fill <= 1 - PS_AGREE;
    verdict.kind = verdict.load < PS_SATURATED
                       ? PS_VERDICT_LATENCY
                       : find_saturated(answer, verdict.load, &verdict.server);
    /* The path of an explained run shows what warps wait for. */
    const gboolean explained =
        answer->explain && answer->explain->by_class && answer->explain->by_class->len > 0;
    if (verdict.kind == PS_VERDICT_LATENCY && !explained)
        verdict.class_index = ps_critical_class(answer, &verdict.share);
    return verdict;
}

/* -------------------------------------------------------------------------------------------- */

PsVerdict ps_verdict_find(const PsAnswer *answer)
{
    if (!answer->pipelines->len)
        return (PsVerdict){.kind = PS_VERDICT_NONE};
    if (ps_launch_roofline_is_passed(&answer->roofline, ps_answer_execution(answer),
                                     PS_CLAMP_CEILING))
        return find_impossible(answer);
    if (isnan(answer->ratio))
        return (PsVerdict){.kind = PS_VERDICT_NONE};
    if (fabs(answer->ratio - 1) <= PS_AGREE)
        return (PsVerdict){.kind = PS_VERDICT_AGREE};
    if (answer->ratio < 1)
        return (PsVerdict){.kind = PS_VERDICT_FASTER};
    return find_slower(answer);
}
