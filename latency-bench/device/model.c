/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A device that is the simulator: it runs a benchmark's graph on a description, and blurs the time
 * like real measurements. So everything that follows can be compared with known latencies.
 *
 * The blur depends only on the seed, the kernel and the launch with its repeat: earlier runs do not
 * matter, and a resumed campaign gets the same samples.
 */
#include "gpu/level.h"
#include "gpu/rows.h"
#include "latency-bench/internal.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* More than any benchmark has, with fast-forward. */
#define MOST_INSTRUCTIONS (G_GINT64_CONSTANT(1) << 28)

/* Bytes; plans look for room in it, the simulator needs none. */
#define MEMORY (G_GINT64_CONSTANT(1) << 34)

typedef struct {
    PsDevice device;
    PsModelDevice model;
} Model;

struct PsBenchProgram {
    const PsBenchKernel *kernel; /* borrowed */
    PsBenchLaunch last;          /* the last simulated launch, of repeat 0, */
    double start;                /* cycles until its first instructions were ready, */
    double cycles;               /* and from there to its end, as counters of CUs tell */
    double overhead;             /* seconds of its launch, */
    double timer;                /* and those that a timer counts in addition */
};

/* ---- the blur ------------------------------------------------------------------------------ */

/* SplitMix64: any seed will do, and it is used little. */
static guint64 next_bits(guint64 *state)
{
    guint64 z = *state += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

/* At least 0, below 1. */
static double next_uniform(guint64 *state)
{
    return (double)(next_bits(state) >> 11) * 0x1p-53;
}

/* Nearly normal: the sum of twelve has variance 1. The same on every machine, as log and cos of the
 * C library need not be. */
static double next_normal(guint64 *state)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += next_uniform(state);
    return sum;
}

static guint64 mix(guint64 state, guint64 value)
{
    state ^= value;
    return next_bits(&state);
}

static guint64 state_of(const Model *model, const PsBenchKernel *kernel,
                        const PsBenchLaunch *launch)
{
    const gint64 figures[] = {
        launch->groups, launch->group_size, launch->local_memory, launch->warps,
        launch->length, launch->memory,     launch->step,         launch->repeat,
    };
    guint64 state = mix(0, model->model.seed);
    for (const char *c = kernel->name; *c; c++)
        state = mix(state, (guchar)*c);
    for (guint i = 0; i < G_N_ELEMENTS(figures); i++)
        state = mix(state, (guint64)figures[i]);
    return state;
}

/* The factor on the time. */
static double blur(const Model *model, const PsBenchKernel *kernel, const PsBenchLaunch *launch)
{
    guint64 state = state_of(model, kernel, launch);
    const double factor = MAX(0.01, 1 + model->model.noise * next_normal(&state));
    const gboolean is_outlier = next_uniform(&state) < model->model.outliers;
    return is_outlier ? factor * (1 + (model->model.worst - 1) * next_uniform(&state)) : factor;
}

/* ---- simulating ---------------------------------------------------------------------------- */

/* A launch's own lack is distinguished from errors that end everything. */
static gboolean lack(GError **error, GError *why)
{
    g_set_error_literal(error, PS_ERROR, PS_ERROR_RESOURCES, why->message);
    g_error_free(why);
    return FALSE;
}

static gboolean has_param(const PsIdg *graph, const char *name)
{
    for (guint i = 0; i < graph->params->len; i++)
        if (strcmp(((const PsIdgParam *)graph->params->pdata[i])->name, name) == 0)
            return TRUE;
    return FALSE;
}

/* TRUE if repeated accesses to a buffer get to the level: no cache before it holds the buffer. */
static gboolean gets_to(const PsGpu *gpu, PsLevel level, gint64 buffer)
{
    for (PsLevel before = PS_LEVEL_L1; before < level; before++) {
        const PsMemoryLevel *cache =
            before == PS_LEVEL_L1 ? ps_gpu_own_cache(gpu) : ps_gpu_level(gpu, before);
        if (cache && cache->bytes >= buffer && (before > PS_LEVEL_L1 || gpu->memory.l1_global))
            return FALSE;
    }
    return TRUE;
}

/* FALSE if a cache would serve what the launch should find in device memory. */
static gboolean is_cold(const Model *model, const PsBenchKernel *kernel,
                        const PsBenchLaunch *launch, GError **error)
{
    const PsFootprint footprint = ps_bench_footprint(kernel, &model->device.info, launch);
    if (!ps_bench_is_cold(kernel, launch) || footprint.reuse == 0 ||
        gets_to(model->model.gpu, PS_LEVEL_DEVICE, footprint.reuse))
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "it comes to a place again after %" G_GINT64_FORMAT
                " bytes, which a cache still holds",
                footprint.reuse);
    return FALSE;
}

static PsKernel *make_kernel(const PsGpu *gpu, const PsBenchKernel *kernel,
                             const PsBenchLaunch *launch, GError **error)
{
    const struct {
        const char *name;
        gint64 value;
    } params[] = {{"length", launch->length},
                  {"step", launch->step},
                  {"memory", launch->memory},
                  {"warp", gpu->warp_size}};
    PsScope *scope = ps_scope_new();
    for (guint i = 0; i < G_N_ELEMENTS(params); i++)
        if (has_param(kernel->graph, params[i].name))
            ps_scope_set(scope, params[i].name, PS_RATIONAL_INT(params[i].value));
    if (has_param(kernel->graph, "block") && gpu->atomics.block.num > 0)
        ps_scope_set(scope, "block", gpu->atomics.block);
    for (PsLevel level = PS_LEVEL_L2; level < PS_N_LEVELS; level++)
        if (has_param(kernel->graph, ps_level_name(level)))
            ps_scope_set(scope, ps_level_name(level),
                         PS_RATIONAL_INT(gets_to(gpu, level, launch->memory)));
    PsKernel *result = ps_kernel_new(kernel->graph, scope, error);
    ps_scope_free(scope);
    return result;
}

/* Active groups with the warps of the launch; FALSE if the CU cannot hold them. */
static gboolean find_active(const PsGpu *gpu, const PsKernel *kernel, const PsBenchLaunch *launch,
                            gint64 *active, GError **error)
{
    const PsGroupNeeds needs = {.group_size = MAX(1, launch->group_size),
                                .registers = kernel->registers,
                                .local_memory = MAX(kernel->local_memory, launch->local_memory)};
    PsOccupancy occupancy;
    if (!ps_gpu_occupancy(gpu, &needs, &occupancy, error))
        return FALSE;
    *active = launch->warps / occupancy.warps_per_group;
    if (*active == 0 || launch->warps % occupancy.warps_per_group != 0) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%" G_GINT64_FORMAT " active warps are no number of groups of %" G_GINT64_FORMAT
                    " warps",
                    launch->warps, occupancy.warps_per_group);
        return FALSE;
    }
    if (*active <= occupancy.groups)
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "a CU holds %" G_GINT64_FORMAT " groups of %" G_GINT64_FORMAT
                " threads, not %" G_GINT64_FORMAT,
                occupancy.groups, launch->group_size, *active);
    return FALSE;
}

static PsMachine *make_machine(const PsGpu *gpu, const PsKernel *kernel,
                               const PsBenchLaunch *launch, GError **error)
{
    const PsRefinementOptions fullest = {.all_cus = PS_CHOICE_OFF};
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    PsLaunchOptions options = {.groups = launch->groups, .group_size = launch->group_size};
    PsMachineOptions machine = {.clock = gpu->clock};
    PsLaunch resolved;
    if (!find_active(gpu, kernel, launch, &options.active, error) ||
        !ps_launch_resolve(kernel, gpu, &options, &resolved, warnings, error) ||
        !ps_refinements_resolve(gpu, &fullest, &machine.refinements, error))
        return NULL;
    /* each of many launches finds the instructions where the last one left them */
    if (machine.refinements.levels && launch->memory == 0)
        machine.refinements.cache = PS_CACHE_WARM;
    return ps_machine_new(kernel, gpu, &resolved, &machine, warnings, error);
}

/* The first class that the body needs and the description lacks; NULL: it has all. */
static const char *missing_class(const PsGpu *gpu, const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        const char *missing = item->body ? missing_class(gpu, item->body)
                              : ps_gpu_class(gpu, item->class_name, NULL) ? NULL
                                                                          : item->class_name;
        if (missing)
            return missing;
    }
    return NULL;
}

/* The simulator's message would name all classes again for each kernel. */
static gboolean has_classes(const PsGpu *gpu, const PsBenchKernel *kernel, GError **error)
{
    for (guint i = 0; i < kernel->graph->codes->len; i++) {
        const PsIdgCode *code = kernel->graph->codes->pdata[i];
        const char *missing = missing_class(gpu, code->body);
        if (!missing)
            continue;
        g_set_error(error, PS_ERROR, PS_ERROR_RESOURCES, "the GPU '%s' has no class '%s'",
                    gpu->name, missing);
        return FALSE;
    }
    return TRUE;
}

/* TRUE if a single warp can be simulated: a missing class concerns all launches. */
static gboolean can_simulate(const PsGpu *gpu, const PsBenchKernel *kernel, GError **error)
{
    if (!has_classes(gpu, kernel, error))
        return FALSE;
    const PsBenchLaunch least = {
        .groups = 1, .group_size = gpu->warp_size, .warps = 1, .length = 1, .step = 1};
    g_autoptr(PsKernel) resolved = make_kernel(gpu, kernel, &least, error);
    g_autoptr(PsMachine) machine = resolved ? make_machine(gpu, resolved, &least, error) : NULL;
    return machine != NULL;
}

static gboolean simulate(const PsGpu *gpu, PsBenchProgram *program, const PsBenchLaunch *launch,
                         GError **error)
{
    const PsSimOptions options = {.most_instructions = MOST_INSTRUCTIONS};
    g_autoptr(PsKernel) kernel = make_kernel(gpu, program->kernel, launch, error);
    g_autoptr(PsMachine) machine = kernel ? make_machine(gpu, kernel, launch, error) : NULL;
    PsSimResult result;
    if (!machine || !ps_sim_run(machine, &options, &result, error))
        return FALSE;
    program->start = ps_rational_to_double(
        ps_machine_cycles(machine, MAX(machine->group_launch, machine->fetch)));
    program->cycles = ps_rational_to_double(result.cycles) - program->start;
    program->overhead = ps_rational_to_double(machine->kernel_launch) * 1e-6;
    program->timer =
        machine->refinements.overheads ? ps_rational_to_double(gpu->overheads.timer) * 1e-6 : 0;
    program->last = *launch;
    program->last.repeat = 0;
    return TRUE;
}

static gboolean is_last(const PsBenchProgram *program, const PsBenchLaunch *launch)
{
    PsBenchLaunch first = *launch;
    first.repeat = 0;
    return memcmp(&first, &program->last, sizeof first) == 0;
}

/* ---- the device ---------------------------------------------------------------------------- */

static void model_close(PsDevice *device)
{
    ps_device_info_clear(&device->info);
    g_free(device);
}

static PsBenchProgram *model_compile(PsDevice *device, const PsBenchKernel *kernel, GError **error)
{
    const Model *model = (const Model *)device;
    GError *why = NULL;
    if (!kernel->graph) {
        g_set_error(error, PS_ERROR, PS_ERROR_RESOURCES,
                    "a model needs the kernel as a graph, and '%s' has none", kernel->name);
        return NULL;
    }
    PsBenchProgram *program = g_new0(PsBenchProgram, 1);
    program->kernel = kernel;
    program->last.groups = -1;
    if (can_simulate(model->model.gpu, kernel, &why))
        return program;
    g_free(program);
    lack(error, why);
    return NULL;
}

static void model_release(PsDevice *device, PsBenchProgram *program)
{
    (void)device;
    g_free(program);
}

static gboolean model_run(PsDevice *device, PsBenchProgram *program, const PsBenchLaunch *launch,
                          PsBenchSample *sample, GError **error)
{
    const Model *model = (const Model *)device;
    GError *why = NULL;
    if (!is_last(program, launch) && (!is_cold(model, program->kernel, launch, &why) ||
                                      !simulate(model->model.gpu, program, launch, &why)))
        return lack(error, why);
    const double hertz = ps_rational_to_double(model->model.gpu->clock) * 1e6;
    const double factor = blur(model, program->kernel, launch);
    sample->cycles = program->cycles * factor;
    sample->seconds = (program->start + program->cycles) * factor / hertz + program->overhead;
    if (program->kernel->again)
        sample->seconds *= (double)launch->step;
    sample->seconds += program->timer;
    sample->mhz = hertz / 1e6;
    return TRUE;
}

static char *model_code(PsDevice *device, PsBenchProgram *program)
{
    (void)device;
    (void)program;
    return NULL;
}

static gboolean check_model(const PsModelDevice *model, GError **error)
{
    if (!(model->noise >= 0 && model->noise <= 1))
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                    "noise: %g is no standard deviation from 0 to 1", model->noise);
    else if (!(model->outliers >= 0 && model->outliers <= 1))
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE, "outliers: %g is no share from 0 to 1",
                    model->outliers);
    else if (model->outliers > 0 && !(model->worst >= 1 && isfinite(model->worst)))
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                    "worst: %g is below 1, and outliers take at least once as long", model->worst);
    else if (model->gpu->clock.num <= 0)
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "the GPU '%s' has no clock", model->gpu->name);
    else
        return TRUE;
    return FALSE;
}

/* The text of the blur, the same in any locale (g_free). */
static char *say_blur(const PsModelDevice *model)
{
    char noise[G_ASCII_DTOSTR_BUF_SIZE], outliers[sizeof noise], worst[sizeof noise];
    g_ascii_formatd(noise, sizeof noise, "%g", model->noise);
    g_ascii_formatd(outliers, sizeof outliers, "%g", model->outliers);
    g_ascii_formatd(worst, sizeof worst, "%g", model->worst);
    return g_strdup_printf("pipesim %s, noise %s, outliers %s up to %s times, seed %u",
                           PIPESIM_VERSION, noise, outliers, worst, model->seed);
}

static void describe(const PsModelDevice *model, PsDeviceInfo *info)
{
    const PsGpu *gpu = model->gpu;
    *info = (PsDeviceInfo){
        .backend = g_strdup("model"),
        .name = g_strdup(gpu->name),
        .vendor = g_strdup(gpu->vendor),
        .architecture = g_strdup(gpu->architecture),
        .driver = say_blur(model),
        .compute_units = gpu->compute_units,
        .warp_size = gpu->warp_size,
        .schedulers = gpu->schedulers,
        .clock = gpu->clock,
        .boost_clock = gpu->boost_clock,
        .limits = gpu->limits,
        .memory = gpu->device_memory ? gpu->device_memory * 1024 * 1024 : MEMORY,
        .l2 = gpu->memory.levels ? gpu->cache.l2 : 0,
        .counter = TRUE,
        .fp64 = TRUE,
        .fp16 = TRUE,
    };
    info->limits.source = NULL;
    info->limits.line = 0;
}

PsDevice *ps_device_model(const PsModelDevice *model, GError **error)
{
    static const PsDeviceClass methods = {.close = model_close,
                                          .compile = model_compile,
                                          .release = model_release,
                                          .run = model_run,
                                          .code = model_code};
    if (!check_model(model, error))
        return NULL;
    Model *self = g_new0(Model, 1);
    self->device.methods = &methods;
    self->model = *model;
    describe(model, &self->device.info);
    return &self->device;
}
