/* SPDX-License-Identifier: BSD-3-Clause */
/* The launch: sizes from the graph, options that replace them, and the groups that occupancy
 * allows. */
#include "gpu/rows.h"
#include "sim/sim.h"

#include "idg/words.h"

static gboolean check_options(const PsLaunchOptions *options, GError **error)
{
    const struct {
        const char *name;
        gint64 value;
    } parts[] = {{"groups", options->groups},
                 {"group size", options->group_size},
                 {"active groups", options->active}};
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (parts[i].value >= 0)
            continue;
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE, "the number of %s must be above 0",
                    parts[i].name);
        return FALSE;
    }
    return TRUE;
}

PsGroupNeeds ps_kernel_needs(const PsKernel *kernel, gint64 group_size)
{
    return (PsGroupNeeds){group_size,           kernel->registers,        kernel->local_memory,
                          kernel->accumulators, kernel->scalar_registers, kernel->tensor_memory};
}

/* The groups that occupancy allows. If none fits, that is an error unless M is forced. */
static gboolean find_occupancy(const PsKernel *kernel, const PsGpu *gpu, gboolean forced,
                               PsLaunch *launch, GPtrArray *warnings, GError **error)
{
    const PsGroupNeeds needs = ps_kernel_needs(kernel, launch->group_size);
    PsOccupancy occupancy = {0};
    g_autoptr(GError) why = NULL;
    if (ps_gpu_occupancy_in_words(gpu, &needs, ps_idg_local_memory(kernel->idg), &occupancy,
                                  &why)) {
        launch->fitting_groups = occupancy.groups;
        launch->limited_by = occupancy.limited_by;
        return TRUE;
    }
    if (!forced) {
        g_propagate_error(error, g_steal_pointer(&why));
        return FALSE;
    }
    g_ptr_array_add(warnings, g_strdup_printf("no group fits: %s", why->message));
    return TRUE;
}

/* M: as many groups as fit or are forced, but no more than there are. */
static void choose_active(PsLaunch *launch, gint64 forced, GPtrArray *warnings)
{
    gint64 active = launch->fitting_groups;
    if (forced > 0) {
        launch->forced = TRUE;
        launch->limited_by = 0;
        if (forced > launch->fitting_groups && launch->fitting_groups > 0)
            g_ptr_array_add(warnings,
                            g_strdup_printf("%" G_GINT64_FORMAT
                                            " active groups do not fit on a CU: occupancy allows "
                                            "%" G_GINT64_FORMAT,
                                            forced, launch->fitting_groups));
        active = forced;
    }
    if (active > launch->groups_per_cu) {
        active = launch->groups_per_cu;
        launch->limited_by = 0;
        launch->limited_by_launch = TRUE;
        launch->forced = FALSE;
    }
    launch->active_groups = active;
}

static gboolean check_warps(const PsLaunch *launch, GError **error)
{
    if (launch->active_groups <= PS_SIM_MAX_WARPS / launch->warps_per_group)
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "%" G_GINT64_FORMAT " active groups of %" G_GINT64_FORMAT
                " warps: a CU is simulated with at most %d warps",
                launch->active_groups, launch->warps_per_group, PS_SIM_MAX_WARPS);
    return FALSE;
}

gboolean ps_launch_resolve(const PsKernel *kernel, const PsGpu *gpu, const PsLaunchOptions *options,
                           PsLaunch *launch, GPtrArray *warnings, GError **error)
{
    if (!check_options(options, error))
        return FALSE;
    *launch = (PsLaunch){0};
    launch->groups = options->groups > 0 ? options->groups : kernel->groups;
    launch->group_size = options->group_size > 0 ? options->group_size : kernel->group_size;
    launch->warps_per_group = (launch->group_size - 1) / gpu->warp_size + 1;
    launch->groups_per_cu = (launch->groups - 1) / gpu->compute_units + 1;
    if (!find_occupancy(kernel, gpu, options->active > 0, launch, warnings, error))
        return FALSE;
    choose_active(launch, options->active, warnings);
    if (!check_warps(launch, error))
        return FALSE;
    if (gpu->limits.warps > 0)
        launch->occupancy = (double)launch->active_groups * (double)launch->warps_per_group /
                            (double)gpu->limits.warps;
    return TRUE;
}
