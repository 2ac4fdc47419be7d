/* SPDX-License-Identifier: BSD-3-Clause */
/* See next-step.h. Every trial asks the occupancy itself, so that its rule stands once. */
#include "gpu/next-step.h"

/* TRUE if so many groups fit. */
static gboolean fit(const PsGpu *gpu, const PsGroupNeeds *needs, gint64 groups)
{
    PsOccupancy occupancy;
    return ps_gpu_occupancy(gpu, needs, &occupancy, NULL) && occupancy.groups >= groups;
}

/* The most of a need, from 0 to its present amount, with which so many groups fit; -1: none. Less
 * never fits fewer groups. */
static gint64 most_that_fits(const PsGpu *gpu, PsGroupNeeds *needs, gint64 *need, gint64 groups)
{
    const gint64 was = *need;
    gint64 from = 0, to = was; /* with `to` they do not fit */
    *need = 0;
    if (!fit(gpu, needs, groups)) {
        *need = was;
        return -1;
    }
    while (to - from > 1) {
        *need = from + (to - from) / 2;
        if (fit(gpu, needs, groups))
            from = *need;
        else
            to = *need;
    }
    *need = was;
    return from;
}

/* Looks for one more group with less of a need. A kernel has at least one register. */
static gboolean need_less(const PsGpu *gpu, const PsGroupNeeds *needs, const PsOccupancy *occupancy,
                          PsNextStep *step)
{
    const gint64 groups = occupancy->groups + 1;
    PsGroupNeeds less = *needs, alone = *needs;
    alone.local_memory = 0;
    if (occupancy->limited_by & PS_LIMIT_REGISTERS) {
        step->registers = most_that_fits(gpu, &alone, &alone.registers, groups);
        if (step->registers < 1)
            return FALSE;
        less.registers = step->registers;
    }
    if (!fit(gpu, &less, groups)) {
        step->local_memory = most_that_fits(gpu, &less, &less.local_memory, groups);
        if (step->local_memory < 0)
            return FALSE;
    }
    if (step->local_memory >= 0)
        less.local_memory = step->local_memory;
    PsOccupancy then;
    if (!ps_gpu_occupancy(gpu, &less, &then, NULL))
        return FALSE;
    step->groups = then.groups;
    step->warps = then.groups * then.warps_per_group;
    return TRUE;
}

static gint64 warps_of(const PsGpu *gpu, PsGroupNeeds needs, gint64 group_size, gint64 *groups)
{
    PsOccupancy occupancy;
    needs.group_size = group_size;
    if (!ps_gpu_occupancy(gpu, &needs, &occupancy, NULL))
        return 0;
    *groups = occupancy.groups;
    return occupancy.groups * occupancy.warps_per_group;
}

/* The nearest size with more warps; of two equally near ones the larger. */
static gboolean change_size(const PsGpu *gpu, const PsGroupNeeds *needs,
                            const PsOccupancy *occupancy, PsNextStep *step)
{
    const gint64 warps = occupancy->groups * occupancy->warps_per_group,
                 most = gpu->limits.group_size / gpu->warp_size;
    for (gint64 apart = 1; apart < most; apart++)
        for (gint64 sign = 1; sign >= -1; sign -= 2) {
            const gint64 size = (occupancy->warps_per_group + sign * apart) * gpu->warp_size;
            gint64 groups = 0;
            const gint64 then = size > 0 && size <= most * gpu->warp_size
                                    ? warps_of(gpu, *needs, size, &groups)
                                    : 0;
            if (then > warps) {
                step->group_size = size;
                step->groups = groups;
                step->warps = then;
                return TRUE;
            }
        }
    return FALSE;
}

gboolean ps_gpu_next_step(const PsGpu *gpu, const PsGroupNeeds *needs, const PsOccupancy *occupancy,
                          PsNextStep *step)
{
    const guint less = PS_LIMIT_REGISTERS | PS_LIMIT_LOCAL_MEMORY;
    *step = (PsNextStep){-1, -1, -1, 0, 0};
    if (occupancy->groups == G_MAXINT64 ||
        (gpu->limits.warps && occupancy->groups * occupancy->warps_per_group >= gpu->limits.warps))
        return FALSE;
    return occupancy->limited_by & ~less ? change_size(gpu, needs, occupancy, step)
                                         : need_less(gpu, needs, occupancy, step);
}
