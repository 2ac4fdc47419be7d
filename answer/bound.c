/* SPDX-License-Identifier: BSD-3-Clause */
/* A time below which no simulation of a question falls. */
#include "answer/answer-private.h"

/* Relative; more than rounding errors can add up to. */
#define ROUNDING 1e-9

/* [program]: warps that run it, in the fullest CU's groups. */
static double *warps_by_program(const PsMachine *machine)
{
    const PsKernel *kernel = machine->kernel;
    double *warps = g_new0(double, kernel->n_programs);
    for (guint k = 0; k < kernel->n_kinds; k++)
        for (gint64 warp = 0; warp < machine->launch.warps_per_group; warp++)
            warps[ps_kernel_program_of(kernel, k, warp)] +=
                (double)ps_kernel_groups_of(kernel, k, machine->launch.groups_per_cu);
    return warps;
}

/* Ticks for which the groups of the fullest CU keep it busy: the busiest of its pipelines, shared
 * evenly by schedulers that have one each, and of its issue ports (R1). */
static double busy_ticks(const PsMachine *machine)
{
    const gint64 schedulers = MAX(1, machine->refinements.schedulers);
    g_autofree double *warps = warps_by_program(machine);
    g_autofree double *busy = g_new0(double, machine->gpu->pipelines->len);
    double port = 0, most = 0;
    for (guint p = 0; p < machine->kernel->n_programs; p++) {
        const PsProgram *program = &machine->kernel->programs[p];
        for (guint n = 0; n < program->n_nodes; n++) {
            const PsMachineClass *class = &machine->classes[machine->class_of[p][n]];
            const double count = (double)program->nodes[n].count * warps[p];
            busy[class->pipeline] += count * (double)machine->costs[p][n].issue /
                                     (double)(class->per_scheduler ? schedulers : 1);
            port += count * (double)machine->port_busy / (double)schedulers;
        }
    }
    for (guint i = 0; i < machine->gpu->pipelines->len; i++)
        most = MAX(most, busy[i]);
    return MAX(most, port);
}

gboolean ps_answer_bound(const PsQuestion *question, double *seconds, GError **error)
{
    g_autoptr(PsAnswer) answer = ps_answer_prepare(question, error);
    if (!answer)
        return FALSE;
    const PsMachine *machine = answer->machine;
    const double cycles = busy_ticks(machine) / (double)machine->ticks_per_cycle;
    const double busy = cycles / (ps_rational_to_double(machine->clock) * 1e6);
    const double allowed = ps_launch_roofline_seconds(&answer->roofline, answer->clamp);
    *seconds =
        (MAX(busy, allowed) + ps_rational_to_double(machine->kernel_launch) / 1e6) * (1 - ROUNDING);
    return TRUE;
}
