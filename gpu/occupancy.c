/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Occupancy: how many groups a CU holds at once. All sums and products are of 128 bits, so that no
 * description and no launch, however odd, overflows.
 */
#include "gpu/internal.h"
#include "gpu/rows.h"

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

/* The registers of a thread, with its accumulation registers where the GPU has both in one file. */
static Wide registers_per_thread(const PsGpu *gpu, const PsGroupNeeds *needs)
{
    if (needs->accumulators == 0)
        return needs->registers;
    if (gpu->limits.accumulators == PS_ACCUMULATORS_JOINT)
        return round_up(needs->registers, 4) + needs->accumulators;
    return MAX(needs->registers, needs->accumulators);
}

static gint64 registers_per_warp(const PsGpu *gpu, const PsGroupNeeds *needs)
{
    return narrow(
        round_up(registers_per_thread(gpu, needs) * gpu->warp_size, gpu->limits.register_unit));
}

static gint64 scalar_registers_per_warp(const PsGpu *gpu, const PsGroupNeeds *needs)
{
    return narrow(round_up(needs->scalar_registers, gpu->limits.scalar_register_unit));
}

gint64 ps_gpu_local_memory_per_group(const PsGpu *gpu, const PsGroupNeeds *needs)
{
    return narrow(round_up((Wide)needs->local_memory + gpu->limits.local_memory_reserved,
                           gpu->limits.local_memory_unit));
}

/* Groups that a CU's registers allow. Warps get the registers, and each part of the CU holds an
 * equal number of warps, hence the rounding down. */
static gint64 groups_by_registers(gint64 registers, gint64 per_warp, gint64 warp_unit, gint64 warps)
{
    if (registers == 0 || per_warp == 0)
        return UNLIMITED;
    return narrow(round_down(registers / per_warp, warp_unit) / warps);
}

static gint64 groups_by_local_memory(const PsGpu *gpu, const PsGroupNeeds *needs)
{
    gint64 bytes = ps_gpu_local_memory_per_group(gpu, needs);
    if (gpu->limits.local_memory == 0 || bytes == 0)
        return UNLIMITED;
    return gpu->limits.local_memory / bytes;
}

/* FALSE and *error if one figure alone is beyond the GPU. */
static gboolean check(const PsGpu *gpu, const PsGroupNeeds *needs, const char *memory,
                      GError **error)
{
    const PsLimits *limits = &gpu->limits;
    PsPlace place = {gpu->path, limits->line};
    PsPlace file = {gpu->path, 0}; /* no single line of the file is to blame */
    const char *name = gpu->name ? gpu->name : "the GPU";
    if (needs->group_size < 1)
        ps_error_at(error, PS_ERROR_VALUE, file,
                    "a group of %" G_GINT64_FORMAT " threads: it needs at least 1",
                    needs->group_size);
    else if (needs->registers < 0 || needs->local_memory < 0 || needs->accumulators < 0 ||
             needs->scalar_registers < 0)
        ps_error_at(error, PS_ERROR_VALUE, file,
                    "a group cannot need less than 0 registers or bytes of %s", memory);
    else if (limits->group_size > 0 && needs->group_size > limits->group_size)
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "a group of %" G_GINT64_FORMAT " threads is too large: %s takes at most "
                    "%" G_GINT64_FORMAT,
                    needs->group_size, name, limits->group_size);
    else if (needs->accumulators > 0 && limits->accumulators == PS_ACCUMULATORS_NONE)
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "%" G_GINT64_FORMAT " accumulation registers per thread: %s has none (or its "
                    "<limits> lack 'accumulators')",
                    needs->accumulators, name);
    else if (limits->registers_per_thread > 0 &&
             registers_per_thread(gpu, needs) > limits->registers_per_thread)
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "%" G_GINT64_FORMAT " registers per thread are too many: a thread of %s has at "
                    "most %" G_GINT64_FORMAT,
                    narrow(registers_per_thread(gpu, needs)), name, limits->registers_per_thread);
    else if (limits->scalar_registers_per_warp > 0 &&
             needs->scalar_registers > limits->scalar_registers_per_warp)
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "%" G_GINT64_FORMAT " scalar registers per warp are too many: a warp of %s has "
                    "at most %" G_GINT64_FORMAT,
                    needs->scalar_registers, name, limits->scalar_registers_per_warp);
    else if (limits->local_memory_per_group > 0 &&
             needs->local_memory > limits->local_memory_per_group)
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "%" G_GINT64_FORMAT " bytes of %s per group are too many: a group of %s has at "
                    "most %" G_GINT64_FORMAT,
                    needs->local_memory, memory, name, limits->local_memory_per_group);
    else
        return TRUE;
    return FALSE;
}

/* Not even one group fits: says which resource is too small, the first where there are several. */
static gboolean nothing_fits(const PsGpu *gpu, const PsGroupNeeds *needs,
                             const PsOccupancy *occupancy, const char *memory, GError **error)
{
    const PsLimits *limits = &gpu->limits;
    const Wide warps = round_up(occupancy->warps_per_group, limits->warp_unit);
    g_autofree char *bytes = g_strconcat("bytes of ", memory, NULL);
    const struct {
        PsLimitBits bit;
        gint64 needed, there;
        const char *what;
    } parts[] = {
        {PS_LIMIT_WARPS, occupancy->warps_per_group, limits->warps, "warps"},
        {PS_LIMIT_REGISTERS, narrow(registers_per_warp(gpu, needs) * warps), limits->registers,
         "registers"},
        {PS_LIMIT_SCALAR_REGISTERS, narrow(scalar_registers_per_warp(gpu, needs) * warps),
         limits->scalar_registers, "scalar registers"},
        {PS_LIMIT_LOCAL_MEMORY, ps_gpu_local_memory_per_group(gpu, needs), limits->local_memory,
         bytes},
        {PS_LIMIT_TENSOR_MEMORY, needs->tensor_memory, limits->tensor_memory,
         "columns of tensor memory"},
    };
    guint part = 0;
    while (!(occupancy->limited_by & parts[part].bit))
        part++;
    ps_error_at(error, PS_ERROR_VALUE, (PsPlace){gpu->path, limits->line},
                "not even one group of %" G_GINT64_FORMAT
                " threads fits: it needs %" G_GINT64_FORMAT
                " %s, and a compute unit of %s has %" G_GINT64_FORMAT,
                needs->group_size, parts[part].needed, parts[part].what,
                gpu->name ? gpu->name : "the GPU", parts[part].there);
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
 *                   these make floor(that / G) groups. A thread that has accumulation registers,
 *                   too, has the larger number (apart), or the sum, from a multiple of 4 (joint).
 *
 *   scalar registers: the same with r = scalar_registers, rounded up to scalar_register_unit
 *
 *   local memory  : a group gets b = local memory + reserved, rounded up to local_memory_unit:
 *                   floor(limits.local_memory / b)
 *   tensor memory : floor(limits.tensor_memory / columns of a group)
 */
gboolean ps_gpu_occupancy_in_words(const PsGpu *gpu, const PsGroupNeeds *needs, const char *memory,
                                   PsOccupancy *occupancy, GError **error)
{
    if (!check(gpu, needs, memory, error))
        return FALSE;
    const PsLimits *limits = &gpu->limits;
    gint64 warps = (needs->group_size - 1) / gpu->warp_size + 1;
    const struct {
        PsLimitBits bit;
        gint64 groups;
    } allowed[] = {
        {PS_LIMIT_WARPS, limits->warps > 0 ? limits->warps / warps : UNLIMITED},
        {PS_LIMIT_GROUPS, limits->groups > 0 ? limits->groups : UNLIMITED},
        {PS_LIMIT_REGISTERS, groups_by_registers(limits->registers, registers_per_warp(gpu, needs),
                                                 limits->warp_unit, warps)},
        {PS_LIMIT_SCALAR_REGISTERS,
         groups_by_registers(limits->scalar_registers, scalar_registers_per_warp(gpu, needs),
                             limits->warp_unit, warps)},
        {PS_LIMIT_LOCAL_MEMORY, groups_by_local_memory(gpu, needs)},
        {PS_LIMIT_TENSOR_MEMORY, limits->tensor_memory > 0 && needs->tensor_memory > 0
                                     ? limits->tensor_memory / needs->tensor_memory
                                     : UNLIMITED},
    };
    *occupancy = (PsOccupancy){warps, UNLIMITED, 0};
    for (guint i = 0; i < G_N_ELEMENTS(allowed); i++) {
        if (allowed[i].groups < occupancy->groups)
            occupancy->limited_by = 0;
        occupancy->groups = MIN(occupancy->groups, allowed[i].groups);
        if (allowed[i].groups == occupancy->groups && allowed[i].groups != UNLIMITED)
            occupancy->limited_by |= allowed[i].bit;
    }
    return occupancy->groups > 0 || nothing_fits(gpu, needs, occupancy, memory, error);
}

gboolean ps_gpu_occupancy(const PsGpu *gpu, const PsGroupNeeds *needs, PsOccupancy *occupancy,
                          GError **error)
{
    return ps_gpu_occupancy_in_words(gpu, needs, "local memory", occupancy, error);
}
