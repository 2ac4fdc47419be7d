/* SPDX-License-Identifier: BSD-3-Clause */
/* See build-graph.h. */
#include "cli/build/graph.h"

#include "cli/build/launch.h"
#include "cli/build/compiler.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/report/format.h"
#include "cli/system/progress.h"

#include <string.h>

/* Bytes that L2 fetches from device memory at once: CUDA's cudaLimitMaxL2FetchGranularity unless a
 * program asks for something else; AMD's L2 reads 64 bytes where it need not read 32. */
#define L2_FETCH 64

/* The most of a grid, and of a block, that CUDA allows in each direction. */
static const guint MOST_GROUPS[3] = {G_MAXINT32, 65535, 65535};
static const guint MOST_THREADS[3] = {1024, 1024, 64};

/* A build in the making. */
typedef struct {
    const BuildOptions *options;
    BuiltGraph *built;
    PsBuildOptions with;
    Extent grid, block;
    guint (*samples)[3];
    const PsGpu *gpu;
    char *registers_from; /* where their number comes from, for provenance; NULL where not known */
    char *registers_missing; /* why not, which matters only once there is a graph */
} Making;

/* ---- the launch ---------------------------------------------------------------------------- */

/* Groups of the size that the kernel requires need not be given. */
static gboolean parse_block(Making *making, GError **error)
{
    const PsPtxFunction *kernel = making->built->kernel;
    if (making->options->block)
        return extent_parse("--block", making->options->block, making->built->arguments->scope,
                            MOST_THREADS, &making->block, error);
    for (guint i = 0; i < 3; i++)
        making->block.size[i] = MAX(kernel->required[i], 1);
    return kernel->required[0] ||
           usage_error(error, "say how many threads a group has, such as --block 32x8");
}

static gboolean parse_launch(Making *making, GError **error)
{
    const BuildOptions *options = making->options;
    PsBuildOptions *with = &making->with;
    if (!options->grid)
        return usage_error(error, "say how many groups there are, such as --grid 32x32");
    if (!extent_parse("--grid", options->grid, making->built->arguments->scope, MOST_GROUPS,
                      &making->grid, error) ||
        !parse_block(making, error))
        return FALSE;
    for (guint i = 0; i < 3; i++) {
        with->launch.grid[i] = making->grid.size[i];
        with->launch.block[i] = making->block.size[i];
        with->grid_text[i] = making->grid.text[i];
        with->block_text[i] = making->block.text[i];
    }
    if (!options->samples)
        return TRUE;
    making->samples = samples_parse(options->samples, making->grid.size, &with->n_samples, error);
    with->samples = (const guint(*)[3])making->samples;
    return making->samples != NULL;
}

/* ---- registers ----------------------------------------------------------------------------- */

/* What ptxas tells, and with which version of PTX in place of the module's. */
static gboolean ask_ptxas(Making *making, GError **error)
{
    const BuildModule *module = making->built->module;
    g_autofree char *version = NULL, *as = NULL;
    making->with.registers = compiler_count_registers(module->text, making->built->kernel->name,
                                                      module->module->target, &version, error);
    if (!making->with.registers)
        return FALSE;
    if (version)
        as = g_strdup_printf(", read as PTX %s, the latest version that it knows", version);
    making->registers_from = g_strdup_printf("Registers: as ptxas -v reports them for %s%s.",
                                             module->module->target, as ? as : "");
    return TRUE;
}

/* Without being asked to, ptxas that is missing or cannot tell is no error. */
static gboolean find_registers(Making *making, GError **error)
{
    const BuildOptions *options = making->options;
    g_autoptr(GError) why = NULL;
    if (options->registers_from == REGISTERS_GIVEN) {
        making->with.registers = options->registers;
        making->with.accumulators = options->accumulators;
        making->with.scalar_registers = options->scalar_registers;
        making->registers_from = g_strdup("Registers: given by --registers.");
    }
    if (options->registers_from == REGISTERS_GIVEN || options->registers_from == REGISTERS_NONE ||
        ask_ptxas(making, &why))
        return TRUE;
    if (options->registers_from == REGISTERS_PTXAS) {
        g_propagate_prefixed_error(error, g_steal_pointer(&why), "--registers ptxas: ");
        return FALSE;
    }
    making->registers_missing =
        g_strdup_printf("registers are not known, so they limit no occupancy: "
                        "%s; --registers N states them",
                        why->message);
    return TRUE;
}

static void add_provenance(PsIdg *idg, char *text)
{
    PsSource *source = g_new0(PsSource, 1);
    source->kind = PS_SOURCE_DERIVED;
    source->text = text;
    g_ptr_array_add(idg->sources, source);
}

/* ---- building ------------------------------------------------------------------------------ */

/* Executing may take a minute and more: how far the group is, on a terminal. */
static void on_progress(gpointer data, guint64 executed, guint64 most)
{
    g_autofree char *done = format_count((gint64)executed), *limit = format_count((gint64)most);
    g_autofree char *text =
        g_strdup_printf("executing a group: %s warp instructions, at most %s", done, limit);
    progress_say_text(data, text);
}

/* Other groups are executed after the samples, for what they share in caches. */
static void keep_dumps(gpointer data)
{
    const Making *making = data;
    const BuiltGraph *built = making->built;
    for (char **dump = making->options->dumps; dump && *dump; dump++) {
        ArgumentDump found = {0};
        if (arguments_find_dump(built->arguments, built->kernel, *dump, &found, NULL))
            g_ptr_array_add(built->dumped, g_bytes_new(found.data, found.size));
    }
}

static gboolean execute(Making *making, GError **error)
{
    Progress progress;
    progress_begin(&progress, 0, 0);
    making->with.progress = on_progress;
    making->with.progress_data = &progress;
    making->with.sampled = keep_dumps;
    making->with.sampled_data = making;
    making->built->dumped = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    making->built->build = ps_build(&making->with, error);
    progress_wipe(&progress);
    return making->built->build != NULL;
}

/* 0 where the description sets no limit, or not even one fits, which the simulation will say. */
static guint resident(gpointer data, guint64 local_memory)
{
    const Making *making = data;
    const guint *block = making->block.size;
    const PsGroupNeeds needs = {(gint64)block[0] * block[1] * block[2], making->with.registers,
                                (gint64)MIN(local_memory, G_MAXINT64), making->with.accumulators,
                                making->with.scalar_registers};
    PsOccupancy occupancy;
    if (!ps_gpu_occupancy(making->gpu, &needs, &occupancy, NULL) || occupancy.groups > G_MAXINT32)
        return 0;
    return (guint)occupancy.groups;
}

static void set_up(Making *making, const PsGpu *gpu)
{
    PsBuildOptions *with = &making->with;
    BuiltGraph *built = making->built;
    with->module = built->module->module;
    with->source = built->module->source;
    with->launch.kernel = built->kernel;
    with->launch.n_arguments = built->arguments->n;
    with->launch.arguments = built->arguments->values;
    with->launch.dynamic_shared = making->options->shared;
    with->launch.most_instructions = making->options->most_instructions;
    with->launch.most_name = "--max-instructions";
    with->partial = making->options->partial;
    with->partial_name = "--partial";
    with->sample_name = "--sample";
    with->launch.shared_name = "--shared";
    for (guint i = 0; i < PS_BUILD_N_RULES; i++)
        with->rules[i] = with->rules[i] && !making->options->no_rule[i];
    if (!gpu)
        return;
    with->l1 = (guint64)gpu->cache.l1;
    with->l2 = (guint64)gpu->cache.l2;
    with->fetch = L2_FETCH;
    with->compute_units = (guint)MIN(gpu->compute_units, G_MAXINT32);
    with->resident = resident;
    with->resident_data = making;
    making->gpu = gpu;
    with->l1_global = gpu->cache.l1_global;
}

/* Before anything is executed. */
static gboolean check_dumps(const Making *making, GError **error)
{
    ArgumentDump found = {0};
    for (char **dump = making->options->dumps; dump && *dump; dump++)
        if (!arguments_find_dump(making->built->arguments, making->built->kernel, *dump, &found,
                                 error))
            return FALSE;
    return TRUE;
}

/* What is dumped holds what was executed. */
static void warn_of_dumps(const Making *making)
{
    const guint *grid = making->grid.size;
    if (making->options->dumps && making->options->dumps[0] && !making->options->samples &&
        (grid[0] > 1 || grid[1] > 1 || grid[2] > 1))
        build_warn(
            making->options,
            "--dump: not all groups were executed, so buffers lack what the others would have "
            "written; --sample all executes all");
}

static gboolean make(Making *making, const char *name, const PsGpu *gpu, GError **error)
{
    BuiltGraph *built = making->built;
    built->module = build_module_load(making->options, name, gpu, error);
    built->kernel =
        built->module ? ps_ptx_kernel(built->module->module, making->options->kernel, error) : NULL;
    built->arguments =
        built->kernel ? arguments_new(built->module, built->kernel, making->options, error) : NULL;
    if (!built->arguments || !check_dumps(making, error) || !parse_launch(making, error) ||
        !find_registers(making, error))
        return FALSE;
    set_up(making, gpu);
    warn_of_dumps(making);
    if (!execute(making, error))
        return FALSE;
    PsIdg *idg = built->build->idg;
    if (!idg->path)
        idg->path = g_strdup(name);
    if (making->registers_from)
        add_provenance(idg, g_steal_pointer(&making->registers_from));
    if (making->registers_missing)
        g_ptr_array_insert(built->build->warnings, 0, g_steal_pointer(&making->registers_missing));
    return TRUE;
}

BuiltGraph *built_graph_new(const BuildOptions *options, const char *name, const PsGpu *gpu,
                            GError **error)
{
    g_autoptr(BuiltGraph) built = g_new0(BuiltGraph, 1);
    Making making = {.options = options, .built = built};
    ps_build_options_init(&making.with);
    const gboolean made = make(&making, name, gpu, error);
    extent_clear(&making.grid);
    extent_clear(&making.block);
    g_free(making.samples);
    g_free(making.registers_from);
    g_free(making.registers_missing);
    return made ? g_steal_pointer(&built) : NULL;
}

void built_graph_free(BuiltGraph *built)
{
    if (!built)
        return;
    g_clear_pointer(&built->build, ps_build_free);
    g_clear_pointer(&built->dumped, g_ptr_array_unref);
    g_clear_pointer(&built->arguments, arguments_free);
    g_clear_pointer(&built->module, build_module_free);
    g_free(built);
}

PsIdg *graph_of(const Options *options, const char *name, PsGpu **gpu, GError **error)
{
    const char *gpu_name = options->gpus ? options->gpus[0] : NULL;
    if (!build_is_code(name))
        return find_graph(name, gpu_name, error);
    if (!*gpu && gpu_name && !(*gpu = find_gpu(gpu_name, error)))
        return NULL;
    g_autoptr(BuiltGraph) built = built_graph_new(&options->build, name, *gpu, error);
    if (!built)
        return NULL;
    for (guint i = 0; i < built->build->warnings->len; i++)
        build_warn(&options->build, built->build->warnings->pdata[i]);
    return g_steal_pointer(&built->build->idg);
}
