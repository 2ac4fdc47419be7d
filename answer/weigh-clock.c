/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of the time goes with the clock of the compute units: what no figure in seconds decides.
 * See figures.h. */
#include "answer/figures.h"

#include <math.h>
#include <string.h>

static gboolean level_is_in_seconds(const PsAnswer *answer, PsLevel level)
{
    const PsMachine *machine = answer->machine;
    for (guint i = 0; i < machine->n_levels; i++) {
        const PsMemoryLevel *its = &machine->levels[i];
        if (its->level == level)
            return i > 0 && (its->at.num > 0 || its->bandwidth.num > 0);
    }
    return FALSE;
}

/* Atomics: their latency is that of a level; their rates go with the clock where the description
 * states at which one they were measured. */
static gboolean atomics_are_in_seconds(const PsAtomics *atomics, const char *attribute)
{
    if (strcmp(attribute, "request") == 0)
        return FALSE;
    return strcmp(attribute, "latency") == 0 ? atomics->at.num > 0 : atomics->rates_at.num == 0;
}

static gboolean is_in_seconds(const PsAnswer *answer, const PsWeighed *figure)
{
    switch (figure->kind) {
    case PS_ASSUMED_LEVEL:
        return level_is_in_seconds(answer, figure->level);
    case PS_ASSUMED_MEMORY:
        return strcmp(figure->attribute, "queue") == 0;
    case PS_ASSUMED_ATOMICS:
        return atomics_are_in_seconds(&answer->gpu->atomics, figure->attribute);
    case PS_ASSUMED_OVERHEADS:
        return strcmp(figure->attribute, "kernel-launch") == 0;
    default:
        return FALSE;
    }
}

/* Where the roofline decides, the clock decides if its peak is one of computing, and not if it is
 * memory's. */
static double clock_share_of_roofline(const PsAnswer *answer)
{
    const PsLaunchRoofline *roofline = &answer->roofline;
    return roofline->reached_seconds > roofline->prediction.ceiling_seconds
               ? 0
               : 1 - answer->launch_seconds / answer->seconds;
}

double ps_answer_clock_share(const PsAnswer *answer)
{
    if (answer->clamped)
        return clock_share_of_roofline(answer);
    g_autoptr(GArray) weighed = ps_answer_weigh(answer);
    double seconds = 0;
    for (guint i = 0; i < weighed->len; i++) {
        const PsWeighed *figure = &g_array_index(weighed, PsWeighed, i);
        if (is_in_seconds(answer, figure))
            seconds += figure->share;
    }
    return fmax(0, 1 - seconds);
}
