/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations that are loops of compare-and-swap in machine code: graphs of PTX have the
 * loops, which run as often as threads meet at a word.
 */
#include "lift/build.h"
#include "tests/help/graph-text.h"

#include <string.h>

#define PLACE                                                                                      \
    "ld.param.u64 %rd1, [a];\nmov.u32 %r1, %tid.x;\nmul.lo.u32 %r2, %r1, 8;\n"                     \
    "mov.u32 %r3, s;\nadd.u32 %r2, %r2, %r3;\nmov.u64 %rd2, 0;\n"                                  \
    "st.shared.u64 [%r2], %rd2;\nbar.sync 0;\nmov.f32 %f2, 1.0;\nmov.f64 %fd2, 1.0;\n"             \
    "mov.b32 %r5, 0x3c003c00;\nmov.b16 %h2, 0x3c00;\nmov.u64 %rd3, 5;\n"                           \
    "cvt.u64.u32 %rd4, %r2;\ncvta.shared.u64 %rd4, %rd4;\n"

/* Compare-and-swaps that the warps of a group of 256 execute, all of them. */
static double swaps_of(const char *atomic)
{
    g_autofree char *ptx = g_strconcat(PLACE, atomic, NULL);
    g_autoptr(PsBuild) build = graph_build(
        &(GraphCase){.ptx = ptx, .arguments = "a:4096", .block = {256}, .target = "sm_90"});
    double swaps = 0;
    for (guint i = 0; build && i < build->mix->len; i++) {
        const PsBuildMix *mix = build->mix->pdata[i];
        if (strstr(mix->class_name, ".cas") || strcmp(mix->class_name, "atomic.global") == 0)
            swaps += (double)mix->after;
    }
    for (guint i = 0; build && i < build->warnings->len; i++)
        g_assert_null(strstr(build->warnings->pdata[i], "count as one"));
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

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-swaps/turns", test_turns);
    g_test_add_func("/ptx-swaps/global", test_global);
    return g_test_run();
}
