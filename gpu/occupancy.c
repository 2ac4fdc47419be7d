/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Occupancy: how many groups a CU holds at once. All sums and products are of 128 bits, so that no
 * description and no launch, however odd, overflows.
 */
#include "gpu/internal.h"

__extension__ typedef __int128 Wide;

#define UNLIMITED G_MAXINT64

static Wide round_up(Wide value, Wide unit)
{
    return unit > 1 ? (value + unit - 1) / unit * unit : value;
}

static Wide round_down(Wide value, Wide unit)
{
    return unit > 1 ? value / unit * unit : value;
}

static gint64 narrow(Wide value)
{
    return value > G_MAXINT64 ? G_MAXINT64 : (gint64)value;
}

static gint64 registers_per_warp(const PsGpu *gpu, const PsGroupNeeds *needs)
{
    return narrow(round_up((Wide)needs->registers * gpu->warp_size, gpu->limits.register_unit));
}

static gint64 local_memory_per_group(const PsGpu *gpu, const PsGroupNeeds *needs)
{
    return narrow(round_up((Wide)needs->local_memory + gpu->limits.local_memory_reserved,
                           gpu->limits.local_memory_unit));
}

/* Groups that the registers allow: they are allocated to warps, and the warps that they allow are
 * shared evenly among the parts of a CU, hence the rounding down. */
static gint64 groups_by_registers(const PsGpu *gpu, const PsGroupNeeds *needs, gint64 warps)
{
    const PsLimits *limits = &gpu->limits;
    if (limits->registers == 0 || needs->registers == 0)
        return UNLIMITED;
    return narrow(
        round_down(limits->registers / registers_per_warp(gpu, needs), limits->warp_unit) / warps);
}

static gint64 groups_by_local_memory(const PsGpu *gpu, const PsGroupNeeds *needs)
{
    gint64 bytes = local_memory_per_group(gpu, needs);
    if (gpu->limits.local_memory == 0 || bytes == 0)
        return UNLIMITED;
    return gpu->limits.local_memory / bytes;
}

/* FALSE and *error where one figure alone is beyond the GPU. */
static gboolean check(const PsGpu *gpu, const PsGroupNeeds *needs, GError **error)
{
    const PsLimits *limits = &gpu->limits;
    PsPlace place = {gpu->path, limits->line};
    PsPlace file = {gpu->path, 0}; /* where no line of it is to blame */
    const char *name = gpu->name ? gpu->name : "the GPU";
    if (needs->group_size < 1)
        ps_error_at(error, PS_ERROR_VALUE, file,
                    "a group of %" G_GINT64_FORMAT " threads: it needs at least 1",
                    needs->group_size);
    else if (needs->registers < 0 || needs->local_memory < 0)
        ps_error_at(error, PS_ERROR_VALUE, file,
                    "a group cannot need less than 0 registers or bytes of local memory");
    else if (limits->group_size > 0 && needs->group_size > limits->group_size)
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "a group of %" G_GINT64_FORMAT " threads is too large: %s takes at most "
                    "%" G_GINT64_FORMAT,
                    needs->group_size, name, limits->group_size);
    else if (limits->registers_per_thread > 0 && needs->registers > limits->registers_per_thread)
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "%" G_GINT64_FORMAT " registers per thread are too many: a thread of %s has at "
                    "most %" G_GINT64_FORMAT,
                    needs->registers, name, limits->registers_per_thread);
    else if (limits->local_memory_per_group > 0 &&
             needs->local_memory > limits->local_memory_per_group)
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "%" G_GINT64_FORMAT " bytes of local memory per group are too many: a group of "
                    "%s has at most %" G_GINT64_FORMAT,
                    needs->local_memory, name, limits->local_memory_per_group);
    else
        return TRUE;
    return FALSE;
}

/* Not even one group fits: says which resource is too small, the first where there are several. */
static gboolean nothing_fits(const PsGpu *gpu, const PsGroupNeeds *needs,
                             const PsOccupancy *occupancy, GError **error)
{
    const PsLimits *limits = &gpu->limits;
    gint64 warps = occupancy->warps_per_group;
    gint64 needed = warps, there = limits->warps;
    const char *what = "warps";
    if (!(occupancy->limited_by & PS_LIMIT_WARPS)) {
        gboolean registers = (occupancy->limited_by & PS_LIMIT_REGISTERS) != 0;
        what = registers ? "registers" : "bytes of local memory";
        needed =
            registers
                ? narrow((Wide)registers_per_warp(gpu, needs) * round_up(warps, limits->warp_unit))
                : local_memory_per_group(gpu, needs);
        there = registers ? limits->registers : limits->local_memory;
    }
    ps_error_at(error, PS_ERROR_VALUE, (PsPlace){gpu->path, limits->line},
                "not even one group of %" G_GINT64_FORMAT
                " threads fits: it needs %" G_GINT64_FORMAT
                " %s, and a compute unit of %s has %" G_GINT64_FORMAT,
                needs->group_size, needed, what, gpu->name ? gpu->name : "the GPU", there);
    return FALSE;
}

/*
 * The least of what each resource allows, where a limit of 0 is none:
 *
 *   G             = ceil(group size / warp size), the warps of a group
 *   warps         : floor(limits.warps / G)
 *   groups        : limits.groups
 *   registers     : a warp gets r = registers * warp size, rounded up to register_unit; the CU's
 *                   registers make floor(limits.registers / r) warps, rounded down to warp_unit;
 *                   these make floor(that / G) groups
 *   local memory  : a group gets b = local memory + reserved, rounded up to local_memory_unit:
 *                   floor(limits.local_memory / b)
 */
gboolean ps_gpu_occupancy(const PsGpu *gpu, const PsGroupNeeds *needs, PsOccupancy *occupancy,
                          GError **error)
{
    if (!check(gpu, needs, error))
        return FALSE;
    const PsLimits *limits = &gpu->limits;
    gint64 warps = (needs->group_size - 1) / gpu->warp_size + 1;
    const struct {
        PsLimitBits bit;
        gint64 groups;
    } allowed[] = {
        {PS_LIMIT_WARPS, limits->warps > 0 ? limits->warps / warps : UNLIMITED},
        {PS_LIMIT_GROUPS, limits->groups > 0 ? limits->groups : UNLIMITED},
        {PS_LIMIT_REGISTERS, groups_by_registers(gpu, needs, warps)},
        {PS_LIMIT_LOCAL_MEMORY, groups_by_local_memory(gpu, needs)},
    };
    *occupancy = (PsOccupancy){warps, UNLIMITED, 0};
    for (guint i = 0; i < G_N_ELEMENTS(allowed); i++) {
        if (allowed[i].groups < occupancy->groups)
            occupancy->limited_by = 0;
        occupancy->groups = MIN(occupancy->groups, allowed[i].groups);
        if (allowed[i].groups == occupancy->groups && allowed[i].groups != UNLIMITED)
            occupancy->limited_by |= allowed[i].bit;
    }
    return occupancy->groups > 0 || nothing_fits(gpu, needs, occupancy, error);
}
