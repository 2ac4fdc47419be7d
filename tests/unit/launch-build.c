/* SPDX-License-Identifier: BSD-3-Clause */
/* From texts to a graph: what the lift is told of the launch, and of the GPU. */
#include "tests/help/launch.h"

#include <string.h>

/* ---- the launch ----------------------------------------------------------------------------- */

/* Loads a word 68 bytes behind that of the thread before, and once more when all have. */
static const LaunchCase strided = {
    .before = ".extern .shared .align 4 .b8 dynamic[];",
    .params = ".param .u64 x, .param .u64 y, .param .u32 n",
    .body = "ld.param.u64 d1, [x]; ld.param.u64 d2, [y]; ld.param.u32 r1, [n];"
            "mov.u32 r2, %tid.x; mov.u32 r3, %ctaid.x; mad.lo.u32 r2, r3, r1, r2;"
            "mov.u32 r6, %tid.y; mad.lo.u32 r2, r6, 16, r2;"
            "mov.u32 r7, %tid.z; mad.lo.u32 r2, r7, 64, r2;"
            "mul.wide.u32 d3, r2, 68; add.u64 d1, d1, d3; mul.wide.u32 d4, r2, 4;"
            "add.u64 d2, d2, d4; ld.global.u32 r4, [d1]; bar.sync 0; ld.global.u32 r5, [d1];"
            "add.u32 r4, r4, r5; st.global.u32 [d2], r4;"};

/* Stores a word 68 bytes behind that of the thread before, in a sector of its own. */
static const LaunchCase scattered = {
    .params = ".param .u64 x, .param .u64 y, .param .u32 n",
    .body = "ld.param.u64 d1, [x]; ld.param.u32 r1, [n]; mov.u32 r2, %tid.x;"
            "mov.u32 r3, %ctaid.x; mad.lo.u32 r2, r3, r1, r2;"
            "mul.wide.u32 d3, r2, 68; add.u64 d1, d1, d3; st.global.u32 [d1], r2;"};

typedef struct {
    Launched *launched;
    PsLaunchGrid *grid;
    PsBuildOptions options;
} Prepared;

static const PsLaunchTexts texts = {
    .grid = "4096/n", .block = "n/8 x 4 x 2", .samples = "1;2", .sample_name = "--sample"};

static void prepare_of(Prepared *prepared, LaunchCase what)
{
    g_autoptr(GError) error = NULL;
    prepared->launched = launch_with(what, TEXTS("ramp:400K:u32", "zero:16K", "128"));
    g_assert_no_error(prepared->launched->error);
    prepared->grid = ps_launch_grid_new(prepared->launched->arguments, &texts, &error);
    g_assert_no_error(error);
    ps_build_options_init(&prepared->options);
    prepared->options.registers = 17;
    prepared->options.rules[PS_BUILD_SCHEDULE] = FALSE;
    ps_launch_set_up(prepared->launched->arguments, prepared->grid, &texts, &prepared->options);
}

static void prepare(Prepared *prepared)
{
    prepare_of(prepared, strided);
}

static void clear(Prepared *prepared)
{
    ps_launch_grid_free(prepared->grid);
    launch_free(prepared->launched);
}

static void test_set_up(void)
{
    Prepared prepared;
    prepare(&prepared);
    const PsBuildOptions *options = &prepared.options;
    const PsLaunchArguments *arguments = prepared.launched->arguments;
    g_assert_true(options->module == prepared.launched->module);
    g_assert_true(options->launch.kernel == arguments->kernel);
    g_assert_true(options->launch.arguments == arguments->values);
    g_assert_cmpuint(options->launch.n_arguments, ==, 3);
    g_assert_cmpuint(options->launch.grid[0], ==, 32);
    g_assert_cmpuint(options->launch.grid[1], ==, 1);
    g_assert_cmpuint(options->launch.block[0], ==, 16);
    g_assert_cmpuint(options->launch.block[1], ==, 4);
    g_assert_cmpuint(options->launch.block[2], ==, 2);
    g_assert_cmpstr(options->grid_text[0], ==, "4096/n");
    g_assert_cmpstr(options->block_text[0], ==, "n/8");
    g_assert_cmpuint(options->n_samples, ==, 2);
    g_assert_cmpuint(options->samples[1][0], ==, 2);
    g_assert_cmpstr(options->sample_name, ==, "--sample");
    g_assert_cmpint(options->registers, ==, 17);
    g_assert_false(options->rules[PS_BUILD_SCHEDULE]);
    clear(&prepared);
}

/* ---- the GPU -------------------------------------------------------------------------------- */

static PsGpu *load_gpu(void)
{
    g_autoptr(GError) error = NULL;
    PsGpu *gpu = ps_gpu_load("gpus/v100.xml", &error);
    g_assert_no_error(error);
    return gpu;
}

static char *graph_of(const PsBuildOptions *options, const PsGpu *gpu)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsBuild) build = ps_launch_build(options, gpu, &error);
    g_assert_no_error(error);
    return ps_idg_write(build->idg);
}

static guint stated(gpointer data, guint64 local_memory)
{
    g_assert_cmpuint(local_memory, ==, 20000);
    return *(const guint *)data;
}

/* The graph of the GPU's numbers, without the GPU, if a unit holds so many groups. */
static char *graph_by_hand(const PsBuildOptions *options, const PsGpu *gpu, guint groups)
{
    PsBuildOptions with = *options;
    with.l1 = (guint64)gpu->cache.l1;
    with.l1_global = TRUE;
    with.l2 = (guint64)gpu->cache.l2;
    with.fetch = 64;
    with.compute_units = (guint)gpu->compute_units;
    with.resident = stated;
    with.resident_data = &groups;
    return graph_of(&with, NULL);
}

/* What a group reads twice; it is found in its share of L1 as long as that has as many bytes. */
#define FOOTPRINT 8704

/* A share of L1 is all of it by the groups of 20000 bytes that a unit holds: one more or less makes
 * another graph where the share is just large enough, or not. */
static void check_groups(PsGpu *gpu, gint64 registers, gint64 accumulators, gint64 scalar_registers,
                         guint groups)
{
    Prepared prepared;
    prepare(&prepared);
    prepared.options.launch.dynamic_shared = 20000;
    prepared.options.registers = registers;
    prepared.options.accumulators = accumulators;
    prepared.options.scalar_registers = scalar_registers;
    for (guint short_of = 0; short_of < 2; short_of++) {
        gpu->cache.l1 = FOOTPRINT * (gint64)groups - short_of * 128;
        g_autofree char *given = graph_of(&prepared.options, gpu),
                        *same = graph_by_hand(&prepared.options, gpu, groups),
                        *other = graph_by_hand(&prepared.options, gpu,
                                               short_of ? groups - 1 : groups + 1);
        g_assert_cmpstr(given, ==, same);
        g_assert_cmpstr(given, !=, other);
    }
    clear(&prepared);
}

static void test_occupancy(void)
{
    g_autoptr(PsGpu) gpu = load_gpu();
    gpu->compute_units = 2;
    gpu->capability = 0;           /* its L1 is a memory of its own */
    check_groups(gpu, 0, 0, 0, 4); /* of 96 KiB */
    check_groups(gpu, 255, 0, 0, 2);
    gpu->limits.accumulators = PS_ACCUMULATORS_JOINT;
    check_groups(gpu, 100, 150, 0, 2);
    gpu->limits.scalar_registers = 1200;
    gpu->limits.scalar_registers_per_warp = 100;
    gpu->limits.scalar_register_unit = 1;
    check_groups(gpu, 0, 0, 100, 3);
}

/* Four groups take 78 KiB, for which 96 of 128 are local memory, so L1 has 32. */
static void test_carve_out(void)
{
    Prepared prepared;
    prepare(&prepared);
    prepared.options.launch.dynamic_shared = 20000;
    g_autoptr(PsGpu) gpu = load_gpu();
    gpu->compute_units = 2;
    g_autofree char *given = graph_of(&prepared.options, gpu);
    g_assert_nonnull(strstr(given, "with 32768 bytes of L1 per compute unit"));
    gpu->cache.l1 = 32768;
    g_autofree char *same = graph_by_hand(&prepared.options, gpu, 4);
    gpu->cache.l1 = 131072;
    g_autofree char *other = graph_by_hand(&prepared.options, gpu, 4);
    g_assert_cmpstr(given, ==, same);
    g_assert_cmpstr(given, !=, other);
    clear(&prepared);
}

/* Each of its numbers counts. */
static void test_numbers(void)
{
    Prepared prepared;
    prepare(&prepared);
    g_autoptr(PsGpu) gpu = load_gpu();
    g_autofree char *large = graph_of(&prepared.options, gpu);
    gpu->cache.l1_global = FALSE;
    g_autofree char *apart = graph_of(&prepared.options, gpu);
    g_assert_cmpstr(large, !=, apart);
    gpu->cache.l2 = 4096;
    g_autofree char *small = graph_of(&prepared.options, gpu);
    g_assert_cmpstr(apart, !=, small);
    prepared.options.fetch = 32; /* the GPU's counts */
    g_autofree char *same = graph_of(&prepared.options, gpu);
    g_assert_cmpstr(small, ==, same);
    gpu->memory.fetch_bytes = 32;
    g_autofree char *fetched = graph_of(&prepared.options, gpu);
    g_assert_cmpstr(small, !=, fetched);
    gpu->memory.sector_bytes = 64;
    g_autofree char *parts = graph_of(&prepared.options, gpu);
    g_assert_cmpstr(parts, !=, fetched);
    gpu->memory.fill_bytes = 128;
    g_autofree char *filled = graph_of(&prepared.options, gpu);
    g_assert_cmpstr(filled, !=, parts);
    clear(&prepared);
}

/* Sectors in part are read before they are written, unless device memory has masks. */
static void test_masked(void)
{
    Prepared prepared;
    prepare_of(&prepared, scattered);
    g_autoptr(PsGpu) gpu = load_gpu();
    gpu->cache.l2 = 4096;
    g_autofree char *read = graph_of(&prepared.options, gpu);
    gpu->memory.masked = TRUE;
    g_autofree char *masked = graph_of(&prepared.options, gpu);
    g_assert_cmpstr(read, !=, masked);
    clear(&prepared);
}

/* ---- the file ------------------------------------------------------------------------------- */

/* A graph is written only if it can be read again. */
static void test_too_long(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *name = g_strnfill(33 << 20, 'k');
    g_autoptr(PsBuild) build = g_new0(PsBuild, 1);
    build->idg = ps_idg_new("k");
    g_autofree char *text = ps_build_write(build, &error);
    g_assert_no_error(error);
    g_assert_true(g_str_has_prefix(text, "<?xml"));
    ps_idg_free(build->idg);
    build->idg = ps_idg_new(name);
    g_assert_null(ps_build_write(build, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
    g_assert_true(error &&
                  strstr(error->message, "would be a file of 33 MiB, too long to be read"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/launch/build/set-up", test_set_up);
    g_test_add_func("/launch/build/masked", test_masked);
    g_test_add_func("/launch/build/too-long", test_too_long);
    g_test_add_func("/launch/build/occupancy", test_occupancy);
    g_test_add_func("/launch/build/carve-out", test_carve_out);
    g_test_add_func("/launch/build/numbers", test_numbers);
    return g_test_run();
}
