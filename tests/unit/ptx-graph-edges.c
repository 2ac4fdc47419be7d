/* SPDX-License-Identifier: BSD-3-Clause */
/* Where rules of the graph end: one more reader, a step that changes, lanes that have met again. */
#include "tests/help/graph-text.h"

#include <string.h>

/* %r1 becomes the thread's number, %rd4 the address of its element of a. */
#define OWN_ADDRESS                                                                                \
    "ld.param.u64 %rd1, [a];\n"                                                                    \
    "cvta.to.global.u64 %rd2, %rd1;\n"                                                             \
    "mov.u32 %r1, %tid.x;\n"                                                                       \
    "mul.wide.u32 %rd3, %r1, 4;\n"                                                                 \
    "add.s64 %rd4, %rd2, %rd3;\n"

/* What the loop adds, or compares with, must stay as it is for a counter to be one: here one
 * instruction of the loop writes it. */
static void test_no_counter(void)
{
    graph_assert(&(GraphCase){.ptx = "mov.u32 %r1, 0;\nmov.u32 %r5, 1;\n"
                                     "L1:\n"
                                     "st.shared.u32 [t], %r1;\n"
                                     "add.s32 %r1, %r1, %r5;\n"
                                     "add.s32 %r5, %r5, 1;\n"
                                     "setp.lt.s32 %p1, %r1, 100;\n"
                                     "@%p1 bra L1;\n",
                              .arguments = "",
                              .block = {32}},
                 "loop 14 {\n"
                 "store local.store r1\n"
                 "r1 iadd r1 r5\n"
                 "r5 iadd r5\n"
                 "p1 iadd.setp r1\n"
                 "branch branch p1\n"
                 "}\n");
    graph_assert(&(GraphCase){.ptx = "mov.u32 %r1, 0;\nmov.u32 %r5, 100;\n"
                                     "L1:\n"
                                     "st.shared.u32 [t], %r1;\n"
                                     "add.s32 %r1, %r1, 1;\n"
                                     "sub.s32 %r5, %r5, %r1;\n"
                                     "setp.lt.s32 %p1, %r1, %r5;\n"
                                     "@%p1 bra L1;\n",
                              .arguments = "",
                              .block = {32}},
                 "loop 13 {\n"
                 "store local.store r1\n"
                 "r1 iadd r1\n"
                 "r5 iadd r1 r5\n"
                 "p1 iadd.setp r1 r5\n"
                 "branch branch p1\n"
                 "}\n");
}

/* A shift or a product becomes part of the additions that read it, if they are 64 at most. */
static void test_most_copies(void)
{
    static const char *const folded[] = {"shl.b32 %r5, %r1, 3;\n", "mul.lo.s32 %r5, %r1, 7;\n"};
    for (guint k = 0; k < 2 * G_N_ELEMENTS(folded); k++) {
        const guint n = 64 + k % 2;
        g_autoptr(GString) ptx = g_string_new(OWN_ADDRESS "mov.u32 %r6, %r1;\n");
        g_string_append(ptx, folded[k / 2]);
        for (guint i = 0; i < n; i++)
            g_string_append(ptx, "add.s32 %r6, %r5, %r6;\n");
        g_string_append(ptx, "st.global.u32 [%rd4], %r6;\n");
        g_autoptr(PsBuild) build =
            graph_build(&(GraphCase){.ptx = ptx->str, .arguments = "a:4096", .block = {32}});
        g_autofree char *lines = graph_lines(build->idg);
        g_assert_true((strstr(lines, "\nr5 ") == NULL) == (n == 64));
    }
}

/* What is written after lanes have met again is written by all of them. */
static void test_met_again(void)
{
    graph_assert(&(GraphCase){.ptx = OWN_ADDRESS "ld.global.f32 %f1, [%rd4];\n"
                                                 "st.global.f32 [%rd4+128], %f1;\n"
                                                 "setp.lt.u32 %p1, %r1, 7;\n"
                                                 "@%p1 bra L1;\n"
                                                 "st.shared.u32 [t], %r1;\n"
                                                 "L1:\n"
                                                 "ld.global.f32 %f1, [%rd4+256];\n"
                                                 "st.global.f32 [%rd4+512], %f1;\n",
                              .arguments = "a:4096",
                              .block = {32}},
                 "rd4 imad.wide\n"
                 "f1 global.load rd4\n"
                 "store global.store rd4 f1\n"
                 "p1 iadd.setp\n"
                 "branch branch p1\n"
                 "store_2 local.store\n"
                 "f1_2 global.load rd4\n"
                 "store_3 global.store rd4 f1_2\n");
}

/* A node is named after its register, by 60 characters at most. */
static void test_longest_name(void)
{
    g_autofree char *name = g_strnfill(61, 'r');
    g_autofree char *ptx = g_strconcat(OWN_ADDRESS ".reg .f32 %", name, ";\nld.global.f32 %", name,
                                       ", [%rd4];\nst.global.f32 [%rd4], %", name, ";\n", NULL);
    g_autoptr(PsBuild) build =
        graph_build(&(GraphCase){.ptx = ptx, .arguments = "a:4096", .block = {32}});
    g_autofree char *lines = graph_lines(build->idg);
    name[60] = '\0';
    g_autofree char *named = g_strconcat("\n", name, " global.load", NULL);
    g_assert_nonnull(strstr(lines, named));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-graph-edges/no-counter", test_no_counter);
    g_test_add_func("/ptx-graph-edges/most-copies", test_most_copies);
    g_test_add_func("/ptx-graph-edges/met-again", test_met_again);
    g_test_add_func("/ptx-graph-edges/longest-name", test_longest_name);
    return g_test_run();
}
