/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The least time of a kernel's operations, by the pipelines that serve them: integer products and
 * sums have one each on many GPUs, special functions have their own, minima use that of sums. A
 * pipeline's time for an instruction follows from the peak that a class of that pipeline states.
 */
#include "answer/answer-private.h"

#include "base/class-name.h"
#include "roofline/terms.h"

#include <math.h>

/* Peaks of a type's operations, and the operations in one instruction of the class that states the
 * peak. */
typedef struct {
    PsPeakKind peak;
    double worth; /* 0: instructions differ, so operations count */
} Worth;

#define MOST_PEAKS 2

typedef struct {
    Worth of[MOST_PEAKS];
    guint n;
} Worths;

static const Worths by_type[] = {[PS_K_FP64] = {{{PS_T_DP, 2}}, 1},
                                 [PS_K_FP32] = {{{PS_T_SP, 2}}, 1},
                                 [PS_K_FP16] = {{{PS_T_HP, 4}}, 1},
                                 [PS_K_TENSOR] = {{{PS_T_TENSOR, 0}}, 1},
                                 [PS_K_INT] = {{{PS_T_INT, 2}, {PS_T_ADD, 1}}, 2}};

/* The ratio of the time that a class takes its pipeline to that of the class that states the peak.
 * Both are from the description, since a peak does not follow a what-if. */
static double share_of(const PsClass *class, const PsClass *tells)
{
    double least = ps_rational_to_double(class->latency.issue);
    for (guint i = 0; class->at && i < class->at->len; i++)
        least = fmin(least,
                     ps_rational_to_double(g_array_index(class->at, PsLatencyAt, i).latency.issue));
    return fmin(1, least / ps_rational_to_double(tells->latency.issue));
}

/* The least seconds that all CUs together take for a thread's instruction; NaN: the peak does not
 * apply to the class's pipeline. */
static double cost_of(const PsMachine *machine, const PsMachineClass *bound, const Worth *worth,
                      double ops, double peak)
{
    const PsClass *tells = ps_peak_class(machine->gpu, worth->peak);
    const gboolean other =
        tells ? tells->pipeline != bound->pipeline : ps_class_is_special(bound->asked);
    if (!(peak > 0) || other)
        return NAN;
    const double whole = (worth->worth > 0 ? worth->worth : ops) / peak;
    return tells ? whole * share_of(bound->class, tells) : whole;
}

/* Seconds of a type's operations, by pipeline. */
typedef struct {
    const PsMachine *machine;
    PsRational clock;
    PsKType type;
    const PsPeaks *peaks;
    double *seconds;
    int *told; /* [pipeline]: number of the peak; -1: none */
} Sums;

/* Operations per second of a class by a peak. Products of matrices have a rate for each kind, and a
 * peak states only their mix. */
static double rate_of(const Sums *sums, const PsMachineClass *bound, PsPeakKind peak)
{
    const double own =
        peak == PS_T_TENSOR ? ps_product_limit(sums->machine->gpu, sums->clock, bound->asked) : NAN;
    return isnan(own) ? sums->peaks->value[peak] : own;
}

/* The least seconds of a thread's instruction with so many operations, by any peak of its type;
 * NAN: none applies. *by is that peak. */
static double least_cost(const Sums *sums, const PsMachineClass *bound, double ops, int *by)
{
    const Worths *worths = &by_type[sums->type];
    double least = NAN;
    for (guint i = 0; i < worths->n; i++) {
        const PsPeakKind peak = worths->of[i].peak;
        const double cost =
            cost_of(sums->machine, bound, &worths->of[i], ops, rate_of(sums, bound, peak));
        if (cost < least || (isnan(least) && !isnan(cost))) {
            least = cost;
            *by = (int)peak;
        }
    }
    return least;
}

static void add_node(const Sums *sums, const PsMachineClass *bound, double threads,
                     const PsProgramNode *node)
{
    const double instructions = ps_node_instructions(node, sums->type);
    if (!(instructions > 0))
        return;
    int by = -1;
    const double least = least_cost(sums, bound, (double)node->ops / instructions, &by);
    if (by < 0)
        return;
    sums->seconds[bound->pipeline] += least * instructions * threads * (double)node->count;
    sums->told[bound->pipeline] = by;
}

PsUnitCeiling ps_unit_ceiling_find(const PsMachine *machine, PsRational clock, PsKType type,
                                   const PsPeaks *peaks)
{
    const guint n = machine->gpu->pipelines->len;
    g_autofree double *threads = ps_threads_by_program(machine);
    g_autofree double *seconds = g_new0(double, n);
    g_autofree int *told = g_new(int, n);
    const Sums sums = {machine, clock, type, peaks, seconds, told};
    PsUnitCeiling most = {NAN, PS_T_SP, G_MAXUINT};
    for (guint i = 0; i < n; i++)
        told[i] = -1;
    for (guint p = 0; type && p < machine->kernel->n_programs; p++) {
        const PsProgram *program = &machine->kernel->programs[p];
        for (guint k = 0; k < program->n_nodes; k++)
            add_node(&sums, &machine->classes[machine->class_of[p][k]], threads[p],
                     &program->nodes[k]);
    }
    for (guint i = 0; i < n; i++)
        if (told[i] >= 0 && !(seconds[i] <= most.seconds))
            most = (PsUnitCeiling){seconds[i], (PsPeakKind)told[i], i};
    return most;
}
