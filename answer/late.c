/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where long groups stand in the launch. The model lets groups of the longest kind start first on
 * their CU (docs/reference/model.md, Kinds of groups). If they are fewer than the CUs, their place
 * decides: a long group that starts last runs on when all others have ended. The latest end is then
 * that of all others plus the long group's own time.
 */
#include "answer/answer-private.h"
#include "answer/figures.h"

#include <math.h>

/* The kind that is looked at, and the instructions that its run may simulate. */
#define LONGEST 0
#define MOST_SIMULATED 4000000
/* A time that is longer by a smaller share is not worth a word. */
#define LATE_LEAST 0.02

/* Groups of the longest kind, if they are few enough for a CU each; otherwise 0. */
static gint64 lone_groups(const PsAnswer *answer)
{
    const PsKernel *kernel = answer->kernel;
    const PsLaunch *launch = &answer->machine->launch;
    if (kernel->n_kinds < 2 || launch->groups_per_cu <= launch->active_groups)
        return 0;
    const double share = (double)kernel->kinds[LONGEST].share / (double)kernel->parts;
    const gint64 groups = (gint64)ceil(share * (double)launch->groups - 0.5);
    return groups < answer->machine->busy_cus ? MAX(groups, 1) : 0;
}

/* Seconds of the launch with the longest kind alone, or with all other kinds; -1 if that takes long
 * to simulate. */
static double seconds_of(const PsAnswer *answer, const PsMachine *machine, gboolean alone)
{
    g_autofree PsKernelKind *kinds =
        g_memdup2(answer->kernel->kinds, answer->kernel->n_kinds * sizeof(PsKernelKind));
    PsKernel kernel = *answer->kernel;
    PsMachine other = *machine;
    const PsSimOptions options = {.most_instructions = MOST_SIMULATED};
    PsSimResult result;
    kernel.kinds = kinds;
    for (guint i = 0; i < kernel.n_kinds; i++)
        kinds[i].share = alone == (i == LONGEST) ? kinds[i].share : 0;
    kernel.parts = 0;
    for (guint i = 0; i < kernel.n_kinds; i++)
        kernel.parts += kinds[i].share;
    other.kernel = &kernel;
    if (!ps_sim_run(&other, &options, &result, NULL))
        return -1;
    return ps_rational_to_double(result.cycles) / (ps_rational_to_double(machine->clock) * 1e6);
}

PsLateGroups ps_answer_late(const PsAnswer *answer)
{
    PsLateGroups late = {.groups = lone_groups(answer),
                         .kind = answer->kernel->kinds[LONGEST].name};
    if (late.groups == 0)
        return late;
    PsMachine one = *answer->machine;
    one.launch.groups = one.launch.groups_per_cu = one.busy_cus = one.n_cus = 1;
    const double others = seconds_of(answer, answer->machine, FALSE);
    const double alone = others < 0 ? -1 : seconds_of(answer, &one, TRUE);
    late.seconds = others + alone + answer->launch_seconds;
    if (alone < 0 || late.seconds <= (1 + LATE_LEAST) * answer->seconds)
        late.groups = 0;
    return late;
}
