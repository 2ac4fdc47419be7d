/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations that are loops of compare-and-swap in machine code: graphs of PTX have the
 * loops, which run as often as threads meet at a word.
 */
#include "lift/build.h"
#include "ptx/run/run.h"
#include "tests/help/graph-text.h"

#include <string.h>

#define PLACE                                                                                      \
    "ld.param.u64 %rd1, [a];\nmov.u32 %r1, %tid.x;\nmul.lo.u32 %r2, %r1, 8;\n"                     \
    "mov.u32 %r3, s;\nadd.u32 %r2, %r2, %r3;\nmov.u64 %rd2, 0;\n"                                  \
    "st.shared.u64 [%r2], %rd2;\nbar.sync 0;\nmov.f32 %f2, 1.0;\nmov.f64 %fd2, 1.0;\n"             \
    "mov.b32 %r5, 0x3c003c00;\nmov.b16 %h2, 0x3c00;\nmov.u64 %rd3, 5;\n"                           \
    "cvt.u64.u32 %rd4, %r2;\ncvta.shared.u64 %rd4, %rd4;\n"                                        \
    "mov.u64 %rd6, s;\ncvta.shared.u64 %rd6, %rd6;\nadd.u32 %r9, %r1, 1;\ncvt.u64.u32 %rd7, "      \
    "%r9;\n"                                                                                       \
    "mov.u32 %r7, s;\nmad.lo.u32 %r8, %r1, 2, %r7;\n"                                              \
    "cvt.u64.u32 %rd8, %r8;\ncvta.shared.u64 %rd8, %rd8;\n"

/* Compare-and-swaps that the warps of a group of 256 execute, all of them. */
static double swaps_of(const char *atomic)
{
    g_autofree char *ptx = g_strconcat(PLACE, atomic, NULL);
    g_autoptr(PsBuild) build = graph_build(
        &(GraphCase){.ptx = ptx, .arguments = "a:4096", .block = {256}, .target = "sm_90"});
    double swaps = 0;
    for (guint i = 0; build && i < build->mix->len; i++) {
        const PsBuildMix *mix = build->mix->pdata[i];
        if (strstr(mix->class_name, ".cas") || strcmp(mix->class_name, "atomic.global") == 0 ||
            strcmp(mix->class_name, "atomic.global.float") == 0)
            swaps += (double)mix->after;
    }
    return swaps;
}

/* W warps whose lanes all add to one word go round 16 W (W + 1) times; to words of their own, once.
 */
static void test_turns(void)
{
    static const struct {
        const char *atomic;
        double swaps;
    } cases[] = {
        {"atom.shared.add.f32 %f1, [s], %f2;\n", 16 * 8 * 9},
        {"red.shared.add.f32 [s+8], %f2;\n", 16 * 8 * 9},
        {"atom.shared.add.f64 %fd1, [s], %fd2;\n", 16 * 8 * 9},
        {"atom.shared.add.noftz.f16x2 %r6, [s], %r5;\n", 16 * 8 * 9},
        {"atom.shared.add.noftz.f16 %h1, [s], %h2;\n", 16 * 8 * 9},
        {"atom.shared.add.u64 %rd5, [s], %rd3;\n", 16 * 8 * 9},
        {"atom.shared.add.f32 %f1, [%r2], %f2;\n", 8},
        {"atom.shared.add.f32 %f1, [%r2], 0f3F800000;\n", 8},
        {"red.shared.add.f64 [%r2], %fd2;\n", 8},
        {"atom.shared.min.u64 %rd5, [%r2], %rd3;\n", 0}, /* 0 is there, which stays */
        {"atom.add.f32 %f1, [%rd4], %f2;\n", 8},         /* generic, in shared memory */
        {"atom.add.f32 %f1, [%rd1], %f2;\n", 8}, /* in global memory: the operation itself */
        {"atom.add.f32 %f1, [%rd6], %f2;\n", 16 * 8 * 9}, /* generic: one word of shared memory */
        {"red.add.f64 [%rd6], %fd2;\n", 16 * 8 * 9},
        {"atom.add.noftz.bf16x2 %r6, [%rd6+8], %r5;\n", 16 * 8 * 9},
        {"atom.xor.b64 %rd5, [%rd6], %rd7;\n", 16 * 8 * 9},
        {"atom.add.noftz.f16 %h1, [%rd6], %h2;\n", 16 * 8 * 9},
        {"red.add.noftz.bf16 [%rd6+2], %h2;\n", 16 * 8 * 9},
        {"atom.exch.b64 %rd5, [%rd6], %rd7;\n", 0}, /* one instruction each */
        {"atom.cas.b64 %rd5, [%rd6], %rd3, %rd7;\n", 8},
        {"atom.add.u32 %r6, [%rd6], %r5;\n", 0},
        {"red.shared::cluster.add.f32 [%r7], %f2;\n", 16 * 8 * 9},
        {"atom.shared::cluster.add.f64 %fd1, [%r7+8], %fd2;\n", 16 * 8 * 9},
        {"atom.shared::cluster.add.noftz.f16 %h1, [%r7], %h2;\n", 16 * 8 * 9},
        {"atom.shared::cluster.xor.b64 %rd5, [%r7], %rd7;\n", 16 * 8 * 9},
        /* halves beside each other lie in one word: two turns for each warp */
        {"red.shared.add.noftz.f16 [%r8], %h2;\n", 16},
        {"red.add.noftz.bf16 [%rd8], %h2;\n", 16},
        {"atom.shared.cas.b16 %h1, [%r8], 0, %h2;\n", 16},
        {"atom.shared.cas.b16 %h1, [%r2], 0, %h2;\n", 8},
        {"red.global.add.f32 [%rd1], %f2;\n", 8},
        {"atom.global.add.u64 %rd5, [%rd1], %rd3;\n", 8},
        {"setp.lt.u32 %p1, %r1, 32;\n@%p1 red.shared.add.f32 [%r2], %f2;\n", 1},
        {"setp.lt.u32 %p1, %r1, 32;\n@!%p1 red.shared.add.f32 [%r2], %f2;\n", 7},
        {"mov.u32 %r6, 0;\nNEXT: red.shared.add.f32 [%r2], %f2;\nadd.u32 %r6, %r6, 1;\n"
         "setp.lt.u32 %p1, %r6, 4;\n@%p1 bra NEXT;\n",
         32}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const double swaps = swaps_of(cases[i].atomic);
        g_assert_cmpfloat(swaps, ==, cases[i].swaps);
        if (swaps != cases[i].swaps)
            g_test_message("%s", cases[i].atomic);
    }
}

/* Lanes of a warp that meet at a half of global memory try again, too. */
static void test_global(void)
{
    g_assert_cmpfloat(swaps_of("red.global.add.noftz.f16 [%rd1], %h2;\n"), ==, 8 * 32);
}

/* What 64 threads leave in shared memory: 256 words. */
static void execute(const char *atomic, gboolean assembled, guint32 words[256])
{
    static const char copy[] =
        "bar.sync 0;\nmov.u32 %r10, 0;\nNEXT: mad.lo.u32 %r11, %r10, 256, %r2;\n"
        "ld.shared.u32 %r12, [%r11];\nmul.lo.u32 %r13, %r10, 64;\n"
        "add.u32 %r13, %r13, %r1;\nmul.wide.u32 %rd10, %r13, 4;\n"
        "add.u64 %rd10, %rd10, %rd1;\nst.global.u32 [%rd10], %r12;\n"
        "add.u32 %r10, %r10, 1;\nsetp.lt.u32 %p9, %r10, 4;\n@%p9 bra NEXT;\n";
    g_autofree char *ptx = g_strconcat(
        ".reg .f16 %half;\nmov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [a];\nmov.u32 %r3, s;\n"
        "mad.lo.u32 %r2, %r1, 4, %r3;\nmov.u32 %r4, 0x3c004000;\n"
        "st.shared.u32 [%r2], %r4;\nst.shared.u32 [%r2+256], %r4;\n"
        "st.shared.u32 [%r2+512], %r4;\nst.shared.u32 [%r2+768], %r4;\n"
        "bar.sync 0;\nmad.lo.u32 %r5, %r1, 2, %r3;\nmov.b16 %h2, 0x3c00;\n"
        "mov.b16 %h3, 0x4400;\ncvt.u64.u32 %rd5, %r5;\n"
        "cvta.shared.u64 %rd5, %rd5;\ncvt.u64.u32 %rd6, %r2;\ncvta.shared.u64 %rd6, %rd6;\n",
        atomic, copy, NULL);
    g_autoptr(GError) error = NULL;
    g_autofree char *text = graph_module(
        &(GraphCase){.ptx = ptx, .arguments = "a:1024", .block = {64}, .target = "sm_90"});
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "test", &error);
    g_assert_no_error(error);
    PsPtxArgument out = {.data = (guint8 *)words, .size = 1024};
    const PsPtxLaunch launch = {.kernel = module->functions->pdata[0],
                                .grid = {1, 1, 1},
                                .block = {64, 1, 1},
                                .n_arguments = 1,
                                .arguments = &out,
                                .assembled = assembled};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    ps_ptx_run_group(machine, (guint[]){0, 0, 0}, NULL, &error);
    g_assert_no_error(error);
}

/* The loops leave what the operations do. */
static void test_results(void)
{
    static const char *const atomics[] = {
        "red.shared.add.noftz.f16 [%r5], %h2;\n",
        "red.shared.add.noftz.f16 [%r5+6], %h2;\n",
        "red.shared.add.noftz.f16 [s+2], %h2;\n",
        "atom.shared.add.noftz.bf16 %h1, [%r5+2], %h2;\n",
        "atom.add.noftz.f16 %h1, [%rd5+4], %h2;\n",
        "atom.add.noftz.f16 %h1, [%rd5], 0x3c00;\nst.shared.b16 [%r5+512], %h1;\n",
        "atom.shared.cas.b16 %h1, [%r5], 0x4000, %h3;\nst.shared.b16 [%r5+512], %h1;\n",
        "atom.shared.cas.b16 %h1, [%r5], %h2, 0x4400;\nst.shared.b16 [%r5+512], %h1;\n",
        "atom.cas.b16 %h1, [%rd5+6], %h2, %h3;\nst.shared.b16 [%r5+512], %h1;\n",
        "atom.add.f32 %f1, [%rd6], 0f3F800000;\n",
        "red.shared::cluster.add.f32 [s], 0f3F800000;\n",
        "cvt.u64.u32 %rd6, %r3;\nred.shared::cluster.add.noftz.f16x2 [%rd6+8], %r4;\n",
        "mov.b16 %half, %h2;\natom.shared.add.noftz.f16 %half, [%r5], %half;\n",
        "red.shared::cluster.add.f64 [%r3+8], 0d3FF0000000000000;\n"};
    for (guint i = 0; i < G_N_ELEMENTS(atomics); i++) {
        guint32 is[256] = {0}, right[256] = {0};
        execute(atomics[i], TRUE, is);
        execute(atomics[i], FALSE, right);
        if (memcmp(is, right, sizeof is) != 0)
            g_test_message("%s", atomics[i]);
        g_assert_cmpmem(is, sizeof is, right, sizeof right);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-swaps/turns", test_turns);
    g_test_add_func("/ptx-swaps/global", test_global);
    g_test_add_func("/ptx-swaps/results", test_results);
    return g_test_run();
}
