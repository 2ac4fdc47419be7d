/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tiled matrix multiplication, from CUDA's PTX and written by hand: on Pascal, with the same
 * latencies for the same work, both take the same time but for 3 %. What is left are two additions
 * to addresses per tile, which the graph by hand does not have, and what comes before the loop.
 */
#include "lift/build.h"
#include "tests/help/engine.h"

#include <string.h>

#define SIZE 1024

static PsBuild *build(const char *path, guint tile, gboolean merge)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_load(path, &error);
    const gsize bytes = (gsize)SIZE * SIZE * sizeof(float);
    g_autofree guint8 *data = g_malloc0(3 * bytes);
    const PsPtxArgument arguments[] = {
        {.name = "a", .data = data, .size = bytes},
        {.name = "b", .data = data + bytes, .size = bytes},
        {.name = "c", .data = data + 2 * bytes, .size = bytes},
        {.name = "size", .bits = SIZE},
    };
    PsBuildOptions options;
    g_assert_no_error(error);
    ps_build_options_init(&options);
    options.module = module;
    options.launch = (PsPtxLaunch){.kernel = ps_ptx_kernel(module, NULL, &error),
                                   .grid = {SIZE / tile, SIZE / tile, 1},
                                   .block = {tile, tile, 1},
                                   .n_arguments = G_N_ELEMENTS(arguments),
                                   .arguments = arguments};
    options.rules[PS_BUILD_MERGE_LOADS] = merge;
    options.grid_text[0] = options.grid_text[1] = tile == 8 ? "size/8" : "size/16";
    PsBuild *result = ps_build(&options, &error);
    g_assert_no_error(error);
    return result;
}

/* Classes that Pascal's description has for the same work. n: global accesses so far. */
static void rename_class(PsIdgItem *node, guint tile, int *n)
{
    static const char *const global[] = {"load.A", "load.B", "store.B"};
    if (g_str_has_prefix(node->class_name, "global.") && *n < 3) {
        g_free(node->class_name);
        node->class_name = g_strdup_printf("global.%s.%ux%u", global[(*n)++], tile, tile);
        return;
    }
    static const char *const same[] = {"local.", "barrier", "fmadd", "loop"};
    for (gsize i = 0; i < G_N_ELEMENTS(same); i++)
        if (g_str_has_prefix(node->class_name, same[i]))
            return;
    g_free(node->class_name);
    node->class_name = g_strdup("fadd");
}

static void rename_classes(GPtrArray *body, guint tile, int *n)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            rename_classes(item->body, tile, n);
        else
            rename_class(item, tile, n);
    }
}

static double cycles_of(const PsIdg *idg, const PsGpu *gpu)
{
    g_autoptr(GError) error = NULL;
    const EngineRun run = {.idg = idg, .gpu = gpu};
    PsSimResult result = {.ticks = 0};
    engine_run(&run, &result, &error);
    g_assert_no_error(error);
    return ps_rational_to_double(result.cycles);
}

static gboolean skipped(void)
{
    if (g_strcmp0(g_getenv("PIPESIM_CHECKER"), "valgrind") != 0)
        return FALSE;
    g_test_skip("too long under valgrind, which sees smaller runs elsewhere");
    return TRUE;
}

static void check(const char *path, const char *by_hand, guint tile)
{
    if (skipped())
        return;
    g_autoptr(GError) error = NULL;
    g_autoptr(PsIdg) hand = ps_idg_load(by_hand, &error);
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/pascal.xml", &error);
    g_autoptr(PsBuild) built = build(path, tile, FALSE);
    const PsIdgCode *code = built->idg->codes->pdata[0];
    int n = 0;
    g_assert_no_error(error);
    rename_classes(code->body, tile, &n);
    g_assert_cmpint(n, ==, 3);
    const double ratio = cycles_of(built->idg, gpu) / cycles_of(hand, gpu);
    g_test_message("built / by hand: %.4f", ratio);
    g_assert_cmpfloat(ratio, >, 0.97);
    g_assert_cmpfloat(ratio, <, 1.03);
    g_assert_cmpstr(ps_expr_text(built->idg->launch.groups), ==,
                    tile == 8 ? "(size/8)*(size/8)" : "(size/16)*(size/16)");
}

static void test_mmul08(void)
{
    check("tests/corpus/mmul08.ptx", "graphs/mmul08.idg", 8);
}

static void test_mmul16(void)
{
    check("tests/corpus/mmul16.ptx", "graphs/mmul16.idg", 16);
}

/* 16 values of b in a column are 16 loads, 16 of a in a row are four. */
static void test_merged(void)
{
    g_autoptr(PsBuild) built = build("tests/corpus/mmul16.ptx", 16, TRUE);
    gint64 loads = 0, multiplies = 0;
    for (guint i = 0; i < built->mix->len; i++) {
        const PsBuildMix *mix = built->mix->pdata[i];
        loads += g_str_has_prefix(mix->class_name, "local.load") ? mix->after : 0;
        multiplies += strcmp(mix->class_name, "fmadd") == 0 ? mix->after : 0;
    }
    const gint64 tiles = multiplies / 16;
    g_assert_cmpint(loads, ==, 20 * tiles);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-graph-mmul/mmul08", test_mmul08);
    g_test_add_func("/ptx-graph-mmul/mmul16", test_mmul16);
    g_test_add_func("/ptx-graph-mmul/merged", test_merged);
    return g_test_run();
}
