/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the graph of a launch on a GPU: the lift gets numbers of the GPU. */
#include "launch/launch.h"

#include "gpu/carve-out.h"
#include "gpu/rows.h"
#include "launch/units.h"

void ps_launch_set_up(const PsLaunchArguments *arguments, const PsLaunchGrid *grid,
                      const PsLaunchTexts *texts, PsBuildOptions *options)
{
    PsPtxLaunch *launch = &options->launch;
    options->module = arguments->module;
    options->source = texts->source;
    launch->kernel = arguments->kernel;
    launch->n_arguments = arguments->n;
    launch->arguments = arguments->values;
    for (guint i = 0; i < 3; i++) {
        launch->grid[i] = grid->groups.size[i];
        launch->block[i] = grid->threads.size[i];
        options->grid_text[i] = grid->groups.text[i];
        options->block_text[i] = grid->threads.text[i];
    }
    options->n_samples = grid->n_samples;
    options->samples = (const guint(*)[3])grid->samples;
    options->sample_name = texts->sample_name;
}

typedef struct {
    const PsBuildOptions *options;
    const PsGpu *gpu;
} OnGpu;

static PsGroupNeeds needs_of(const OnGpu *on, guint64 local_memory)
{
    const guint *block = on->options->launch.block;
    return (PsGroupNeeds){(gint64)block[0] * block[1] * block[2], on->options->registers,
                          (gint64)MIN(local_memory, G_MAXINT64),  on->options->accumulators,
                          on->options->scalar_registers,          0};
}

/* Groups on a compute unit; 0 if the description sets no limit, or if none fits, which the
 * simulation will report. */
static guint resident(gpointer data, guint64 local_memory)
{
    const OnGpu *on = data;
    const PsGroupNeeds needs = needs_of(on, local_memory);
    PsOccupancy occupancy;
    if (!ps_gpu_occupancy(on->gpu, &needs, &occupancy, NULL) || occupancy.groups > G_MAXINT32)
        return 0;
    return (guint)occupancy.groups;
}

static guint64 l1_beside(gpointer data, guint64 local_memory)
{
    const OnGpu *on = data;
    const PsGroupNeeds needs = needs_of(on, local_memory);
    return (guint64)ps_gpu_l1_beside(on->gpu, &needs, resident(data, local_memory));
}

/* The most registers per thread with which a compute unit of NVIDIA's holds all its warps; 0: not
 * known. */
static gint64 full_registers(const PsGpu *gpu)
{
    const PsLimits *limits = &gpu->limits;
    const gint64 unit = MAX(limits->register_unit, 1);
    if (ps_gpu_is_amd(gpu) || limits->warps <= 0 || limits->registers <= 0)
        return 0;
    return limits->registers / limits->warps / unit * unit / gpu->warp_size;
}

/* Read from what ptxas 12.8 and 13.0 make of our kernels. Of some 900 pairs of special functions in
 * straight code none is nearer than 8 cycles on sm_70 to sm_100, and most are just that; on sm_120
 * they may be one cycle apart. Products of matrices that do not wait for each other stand 8 cycles
 * apart on sm_75 to sm_100, 6 on sm_90 and 16 on sm_120, for all types (those of half the depth, 4
 * on sm_80 to sm_90, are kept apart as others here). Between products stands one load of a matrix
 * or one asynchronous copy, on sm_120 two. */
static PsBuildApart apart_on(const PsGpu *gpu)
{
    const gint64 capability = ps_gpu_is_amd(gpu) ? 0 : gpu->capability;
    const guint usual = capability == 90 ? 6 : 8;
    return (PsBuildApart){.special = capability >= 70 && capability <= 100 ? 8 : 0,
                          .tensor = capability >= 120  ? 16
                                    : capability >= 75 ? usual
                                                       : 0,
                          .matrices = capability >= 75 ? usual : 0};
}

/* Takes ownership of the text, which may be NULL. */
static void add_warning(PsBuild *build, char *text)
{
    if (text)
        g_ptr_array_add(build->warnings, text);
}

PsBuild *ps_launch_build(const PsBuildOptions *options, const PsGpu *gpu, GError **error)
{
    OnGpu on = {options, gpu};
    PsBuildOptions with = *options;
    if (!gpu)
        return ps_build(options, error);
    with.l1 = (guint64)gpu->cache.l1;
    with.l1_global = gpu->cache.l1_global;
    with.l2 = (guint64)gpu->cache.l2;
    with.sector = (guint64)gpu->memory.sector_bytes;
    with.fill = (guint64)gpu->memory.fill_bytes;
    with.fetch = (guint64)gpu->memory.fetch_bytes;
    with.masked = gpu->memory.masked;
    const PsMemoryLevel *device = ps_gpu_level(gpu, PS_LEVEL_DEVICE);
    with.rows = device && device->rows.num > 0;
    with.place = (guint)ps_rational_to_double(gpu->atomics.block);
    if (ps_gpu_is_amd(gpu)) /* it is ptxas's own: LLVM has loops of unknown trips as they are */
        with.rules[PS_BUILD_UNROLL] = FALSE;
    with.full_registers = full_registers(gpu);
    with.apart = apart_on(gpu);
    with.compute_units = (guint)MIN(gpu->compute_units, G_MAXINT32);
    with.resident = resident;
    with.l1_beside = l1_beside;
    with.resident_data = &on;
    g_autoptr(PsBuild) build = ps_build(&with, error);
    if (!build || !ps_launch_check_units(build, gpu, error) ||
        !ps_launch_check_static(build, gpu, options->launch.shared_name, error))
        return NULL;
    const PsCodeForm code = !options->module->machine ? PS_CODE_FORM_PTX
                            : options->made           ? PS_CODE_FORM_MADE
                                                      : PS_CODE_FORM_MACHINE;
    char *clusters = ps_launch_clusters_wrong(gpu, options->launch.kernel);
    add_warning(build,
                clusters ? clusters : ps_launch_target_wrong(gpu, options->module->target, code));
    add_warning(build, ps_launch_memory_short(gpu, options->module, &options->launch));
    return g_steal_pointer(&build);
}
