/* SPDX-License-Identifier: BSD-3-Clause */
/* Which code a GPU could not run, and of which products of matrices it has no units. */
#include "base/message.h"
#include "gpu/rows.h"
#include "launch/units.h"

#include <string.h>

static void test_target(void)
{
    static const struct {
        guint capability;
        const char *target;
        gboolean ptx_runs, machine_runs;
    } rows[] = {
        {70, "sm_70", TRUE, TRUE},     {70, "sm_52", TRUE, FALSE},     {70, "sm_75", TRUE, FALSE},
        {70, "sm_80", FALSE, FALSE},   {61, "sm_70", TRUE, FALSE},     {70, "sm_90a", FALSE, FALSE},
        {90, "sm_90a", TRUE, TRUE},    {100, "sm_90a", FALSE, FALSE},  {100, "sm_90", TRUE, FALSE},
        {103, "sm_100f", TRUE, TRUE},  {120, "sm_100f", FALSE, FALSE}, {86, "sm_86", TRUE, TRUE},
        {86, "sm_89", FALSE, FALSE},   {0, "sm_90", TRUE, TRUE},       {70, "gfx90a", TRUE, TRUE},
        {80, "sm_75", TRUE, FALSE},    {75, "sm_75", TRUE, TRUE},      {75, "sm_70", TRUE, TRUE},
        {89, "sm_80", TRUE, TRUE},     {90, "sm_80", TRUE, FALSE},     {90, "sm_52", TRUE, FALSE},
        {121, "sm_120", TRUE, TRUE},   {120, "sm_121", FALSE, FALSE},  {100, "sm_100a", TRUE, TRUE},
        {103, "sm_100a", FALSE, FALSE}};
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(PsGpu) gpu = ps_gpu_new("X");
        gpu->capability = rows[i].capability;
        g_autofree char *ptx = ps_launch_target_wrong(gpu, rows[i].target, PS_CODE_FORM_PTX),
                        *machine =
                            ps_launch_target_wrong(gpu, rows[i].target, PS_CODE_FORM_MACHINE);
        g_test_message("%u %s", rows[i].capability, rows[i].target);
        g_assert_true((ptx == NULL) == rows[i].ptx_runs);
        g_assert_true((machine == NULL) == rows[i].machine_runs);
    }
    g_autoptr(PsGpu) gpu = ps_gpu_new("Tesla V100");
    gpu->capability = 70;
    g_autofree char *wrong = ps_launch_target_wrong(gpu, "sm_90a", PS_CODE_FORM_PTX),
                    *machine = ps_launch_target_wrong(gpu, "sm_80", PS_CODE_FORM_MADE);
    /* The assembler at hand makes nothing older of PTX; what a file has is what it is. */
    g_autofree char *made = ps_launch_target_wrong(gpu, "sm_75", PS_CODE_FORM_MADE);
    g_assert_cmpstr(made, ==, NULL);
    g_assert_cmpstr(wrong, ==,
                    "code for sm_90a does not run on Tesla V100, whose compute capability is 7.0; "
                    "the answer is that of such instructions on it");
    g_assert_cmpstr(machine, ==,
                    "machine code for sm_80 does not run on Tesla V100, whose compute capability "
                    "is 7.0; the answer is that of such instructions on it");
}

/* CUDA's source and PTX stand for kernels of AMD's GPUs; machine code of NVIDIA's is for no other.
 */
static void test_other_vendor(void)
{
    g_autoptr(PsGpu) gpu = ps_gpu_new("Instinct MI210");
    gpu->vendor = g_strdup("AMD");
    g_autofree char *ptx = ps_launch_target_wrong(gpu, "sm_80", PS_CODE_FORM_PTX),
                    *own = ps_launch_target_wrong(gpu, "gfx90a", PS_CODE_FORM_MACHINE),
                    *machine = ps_launch_target_wrong(gpu, "sm_80", PS_CODE_FORM_MACHINE);
    g_assert_null(ptx);
    g_assert_null(own);
    g_assert_cmpstr(machine, ==,
                    "machine code for sm_80 is for GPUs of NVIDIA and does not run on Instinct "
                    "MI210; the answer is that of such instructions on it");
}

static void test_clusters(void)
{
    static const struct {
        guint capability;
        const char *code;
        gboolean runs;
    } rows[] = {
        {80, "barrier.cluster.arrive; barrier.cluster.wait;", FALSE},
        {90, "barrier.cluster.arrive; barrier.cluster.wait;", TRUE},
        {0, "barrier.cluster.arrive; barrier.cluster.wait;", TRUE},
        {89, "mapa.u64 %d, %d, 1;", FALSE},
        {120, "mapa.u64 %d, %d, 1;", TRUE},
        {80,
         "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
         "[%r], [%d], 16, [%r], %h;",
         FALSE},
        {80, "barrier.sync 0;", TRUE},
        {80, "fence.acq_rel.cluster;", TRUE},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = g_strdup_printf(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n"
            "{ .reg .b64 %%d; .reg .b32 %%r; .reg .b16 %%h; mov.u64 %%d, 0; %s ret; }\n",
            rows[i].code);
        g_autoptr(GError) error = NULL;
        g_autoptr(PsGpu) gpu = ps_gpu_new("A100");
        PsPtxModule *module = ps_ptx_parse(text, strlen(text), "k.ptx", &error);
        g_assert_no_error(error);
        gpu->capability = rows[i].capability;
        g_autofree char *wrong = ps_launch_clusters_wrong(gpu, module->functions->pdata[0]);
        g_test_message("%u %s", rows[i].capability, rows[i].code);
        g_assert_true((wrong == NULL) == rows[i].runs);
        if (i == 0)
            g_assert_cmpstr(wrong, ==,
                            "the groups of kernel \"k\" form clusters, which came with compute "
                            "capability 9.0, and A100 has 8.0; the answer is that of such "
                            "instructions on it");
        ps_ptx_free(module);
    }
}

static PsBuild *build_of(const char *class_name, gint64 n)
{
    PsBuild *build = g_new0(PsBuild, 1);
    PsBuildMix *mix = g_new0(PsBuildMix, 1);
    mix->class_name = g_strdup(class_name);
    mix->before = 1;
    mix->after = n;
    build->idg = ps_idg_new("k");
    build->mix = g_ptr_array_new();
    g_ptr_array_add(build->mix, mix);
    return build;
}

static void free_build(PsBuild *build)
{
    PsBuildMix *mix = build->mix->pdata[0];
    g_free(mix->class_name);
    g_free(mix);
    ps_build_free(build);
}

/* The message says both capabilities. */
static void check_figures(const GError *error, guint has, guint least)
{
    g_autofree char *figures = g_strdup_printf(
        "of compute capability %.1f, has no units; they came with %.1f", has / 10.0, least / 10.0);
    g_assert_true(!error || g_str_has_suffix(error->message, figures));
}

static void test_units(void)
{
    static const struct {
        const char *class_name;
        guint least;
    } rows[] = {
        {"fmadd", 0},
        {"tensor", 70},
        {"tensor.f16.f32.m16n8k16", 70},
        {"tensor.s8.m16n8k32", 72},
        {"tensor.s4.m16n8k64", 75},
        {"tensor.b1.m16n8k256", 75},
        {"tensor.bf16.m16n8k16", 80},
        {"tensor.tf32.m16n8k8", 80},
        {"tensor.f64.m8n8k4", 80},
        {"tensor.f16.f32.sparse.m16n8k32", 80},
        {"tensor.f8.f32.m16n8k32", 89},
        {"tensor.f4.f32.m16n8k64", 100},
    };
    static const guint capabilities[] = {0, 30, 61, 70, 72, 75, 80, 86, 89, 90, 100, 120};
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
        for (gsize k = 0; k < G_N_ELEMENTS(capabilities); k++) {
            g_autoptr(GError) error = NULL;
            g_autoptr(PsGpu) gpu = ps_gpu_new("X");
            PsBuild *build = build_of(rows[i].class_name, 1), *none = build_of("tensor.f8", 0);
            gpu->capability = capabilities[k];
            const gboolean has = capabilities[k] == 0 || capabilities[k] >= rows[i].least;
            g_test_message("%u %s", capabilities[k], rows[i].class_name);
            g_assert_cmpint(ps_launch_check_units(build, gpu, &error), ==, has);
            g_assert_cmpint(!error, ==, has);
            check_figures(error, capabilities[k], rows[i].least);
            g_assert_true(ps_launch_check_units(none, gpu, NULL));
            free_build(build);
            free_build(none);
        }
}

static guint8 some;

/* A launch with buffers of these sizes in GiB, x and y, and fields of one that is no buffer. */
static char *short_of(gint64 memory, guint64 x, guint64 y, guint64 field, guint64 variable)
{
    g_autoptr(PsGpu) gpu = ps_gpu_new("Tesla V100");
    PsPtxVariable global = {.name = (char *)"g", .space = PS_PTX_GLOBAL, .size = variable << 30},
                  shared = {.name = (char *)"s", .space = PS_PTX_SHARED, .size = (guint64)1 << 50};
    g_autoptr(GPtrArray) variables = g_ptr_array_new();
    g_ptr_array_add(variables, &global);
    g_ptr_array_add(variables, &shared);
    const PsPtxModule module = {.variables = variables};
    const PsPtxField fields[] = {{.name = "p+8", .data = &some, .size = field << 30}};
    const PsPtxArgument arguments[] = {{.name = "x", .data = &some, .size = x << 30},
                                       {.name = "n", .bits = (guint64)1 << 60},
                                       {.name = "y", .data = &some, .size = (y << 30) + 1},
                                       {.name = "p", .size = 16, .n_fields = 1, .fields = fields}};
    const PsPtxLaunch launch = {.n_arguments = 4, .arguments = arguments};
    gpu->device_memory = memory;
    return ps_launch_memory_short(gpu, &module, &launch);
}

static void test_memory(void)
{
    static const struct {
        gint64 memory;
        guint64 x, y, field, variable;
        gboolean fits;
    } rows[] = {
        {16384, 1, 1, 1, 1, TRUE},   {16384, 8, 7, 0, 0, TRUE},   {16384, 8, 8, 0, 0, FALSE},
        {16384, 20, 1, 0, 0, FALSE}, {16384, 1, 20, 0, 0, FALSE}, {16384, 1, 1, 20, 0, FALSE},
        {16384, 1, 1, 1, 14, FALSE}, {0, 20, 20, 20, 20, TRUE},   {16385, 8, 8, 0, 0, TRUE},
        {16384, 8, 1, 7, 0, FALSE},  {65536, 20, 1, 1, 1, TRUE},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *wrong =
            short_of(rows[i].memory, rows[i].x, rows[i].y, rows[i].field, rows[i].variable);
        g_test_message("%u", (guint)i);
        g_assert_true((wrong == NULL) == rows[i].fits);
    }
    g_autofree char *wrong = short_of(16384, 12, 8, 1, 2);
    g_assert_cmpstr(wrong, ==,
                    "the launch's buffers have 23553 MiB (x alone 12288), and Tesla V100 has 16384 "
                    "MiB of memory, so that they do not fit; the answer is that of such a GPU with "
                    "more memory");
    g_autofree char *most = short_of(16384, (guint64)G_MAXUINT64 >> 30, 8, 0, 0);
    g_assert_nonnull(most);
}

static void test_static(void)
{
    static const struct {
        guint capability;
        guint64 bytes;
        gboolean runs;
    } rows[] = {
        {86, 0, TRUE}, {86, 49152, TRUE}, {86, 49153, FALSE}, {61, 65536, FALSE}, {0, 65536, TRUE}};
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(PsGpu) gpu = ps_gpu_new("X");
        PsBuild *build = build_of("fmadd", 1);
        gpu->capability = rows[i].capability;
        build->static_local = rows[i].bytes;
        g_test_message("%u %" G_GUINT64_FORMAT, rows[i].capability, rows[i].bytes);
        g_assert_cmpint(ps_launch_check_static(build, gpu, "--shared", &error), ==, rows[i].runs);
        g_assert_cmpint(!error, ==, rows[i].runs);
        if (rows[i].bytes == 49153)
            g_assert_cmpstr(error->message, ==,
                            "kernel \"k\" has 49153 bytes of .shared memory of its own, and no "
                            "assembler takes more than 49152; declare the array extern, and its "
                            "bytes are those of the launch: --shared");
        free_build(build);
    }
}

/* All descriptions state how much memory there is, and those of NVIDIA's GPUs their compute
 * capability. */
static void test_capabilities(void)
{
    g_autoptr(GDir) folder = g_dir_open("gpus", 0, NULL);
    const char *name;
    guint n = 0;
    while ((name = g_dir_read_name(folder))) {
        g_autofree char *path = g_build_filename("gpus", name, NULL);
        if (!g_str_has_suffix(name, ".xml"))
            continue;
        g_autoptr(GError) error = NULL;
        g_autoptr(PsGpu) gpu = ps_gpu_load(path, &error);
        g_assert_no_error(error);
        g_test_message("%s", name);
        g_assert_true(ps_gpu_is_amd(gpu) == (gpu->capability == 0));
        g_assert_cmpint(gpu->device_memory, >=, 2048);
        g_assert_nonnull(gpu->memory_source);
        n++;
    }
    g_assert_cmpuint(n, >, 30);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/launch-units/target", test_target);
    g_test_add_func("/launch-units/other-vendor", test_other_vendor);
    g_test_add_func("/launch-units/units", test_units);
    g_test_add_func("/launch-units/clusters", test_clusters);
    g_test_add_func("/launch-units/memory", test_memory);
    g_test_add_func("/launch-units/static", test_static);
    g_test_add_func("/launch-units/capabilities", test_capabilities);
    return g_test_run();
}
