/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs in which accesses to shared memory that lie beside each other are merged.
 */
#include "tests/help/graph-text.h"

#include <string.h>

#define SUM_AND_STORE                                                                              \
    "add.f32 %f5, %f1, %f2;\n"                                                                     \
    "add.f32 %f6, %f3, %f4;\n"                                                                     \
    "st.shared.f32 [t], %f5;\n"                                                                    \
    "st.shared.f32 [t+8], %f6;\n"

#define ROW_OF_16                                                                                  \
    "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 4;\nmov.u32 %r3, s;\nadd.s32 %r4, %r3, %r2;\n"

static void test_merge(void)
{
    static const char ptx[] = ROW_OF_16 "ld.shared.f32 %f2, [%r4+4];\n"
                                        "ld.shared.f32 %f1, [%r4];\n"
                                        "ld.shared.f32 %f4, [%r4+12];\n"
                                        "ld.shared.f32 %f3, [%r4+8];\n" SUM_AND_STORE;
    graph_assert(&(GraphCase){.ptx = ptx, .block = {8}}, "f2 local.load.v4\n"
                                                         "f5 fadd f2\n"
                                                         "f6 fadd f2\n"
                                                         "store local.store f5\n"
                                                         "store_2 local.store f6\n");
    graph_assert(&(GraphCase){.ptx = ptx, .block = {8}, .without = "merge-loads"},
                 "f2 local.load\n"
                 "f1 local.load\n"
                 "f4 local.load\n"
                 "f3 local.load\n"
                 "f5 fadd f2 f1\n"
                 "f6 fadd f4 f3\n"
                 "store local.store f5\n"
                 "store_2 local.store f6\n");
}

/* The class of what lanes load, each `stride` bytes behind the lane before, in turns of so many
 * lanes: n numbers by one instruction, or by one each, which are merged or not. */
static char *class_of_load(guint turn, guint stride, guint n, const char *how)
{
    g_autoptr(GString) ptx = g_string_new("mov.u32 %r1, %tid.x;\nmov.u32 %r3, s;\n");
    g_string_append_printf(ptx, "rem.u32 %%r2, %%r1, %u;\nmad.lo.s32 %%r4, %%r2, %u, %%r3;\n", turn,
                           stride);
    const gboolean wide = strcmp(how, "wide") == 0;
    if (wide)
        g_string_append(ptx, n == 2 ? "ld.shared.v2.f32 {%f1, %f2}, [%r4];\n"
                                    : "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r4];\n");
    for (guint i = 0; !wide && i < n; i++)
        g_string_append_printf(ptx, "ld.shared.f32 %%f%u, [%%r4+%u];\n", i + 1, 4 * i);
    g_string_append(ptx, "add.f32 %f5, %f1, %f2;\n");
    if (n == 4)
        g_string_append(ptx, "add.f32 %f6, %f3, %f4;\nst.shared.f32 [t+8], %f6;\n");
    g_string_append(ptx, "st.shared.f32 [t], %f5;\n");
    const GraphCase graph = {.ptx = ptx->str,
                             .block = {32},
                             .without = strcmp(how, "apart") == 0 ? "merge-loads" : NULL};
    g_autoptr(PsBuild) build = graph_build(&graph);
    g_autofree char *lines = graph_lines(build->idg);
    const char *load = strstr(lines, "local.load");
    g_assert_true(graph.without || !strstr(load + 1, "local.load"));
    return g_strndup(load, strcspn(load, " \n"));
}

/* "local.load.c3.v4" has a degree of 3, and one without conflicts of 1. */
static guint degree_of(const char *name)
{
    const char *degree = strstr(name, ".c");
    return degree ? (guint)g_ascii_strtoull(degree + 2, NULL, 10) : 1;
}

/* Loads that are merged conflict as one of that width does, whatever stride lanes have. */
static void test_merge_strides(void)
{
    for (guint n = 2; n <= 4; n += 2)
        for (guint stride = 0; stride <= 4096 / 32; stride += 4 * n) {
            g_autofree char *merged = class_of_load(32, stride, n, "merged");
            g_autofree char *wide = class_of_load(32, stride, n, "wide");
            g_test_message("%u at a stride of %u", n, stride);
            g_assert_cmpstr(merged, ==, wide);
        }
}

/* Their degree is that of one, shared among them, and no pass is half of one. */
static void test_merge_degrees(void)
{
    for (guint n = 2; n <= 4; n += 2)
        for (guint turn = 1; turn <= 16; turn++) {
            g_autofree char *merged = class_of_load(turn, 128, n, "merged");
            g_autofree char *apart = class_of_load(turn, 128, n, "apart");
            g_assert_cmpuint(degree_of(apart), ==, turn);
            g_assert_cmpuint(degree_of(merged), ==, (turn + n - 1) / n);
        }
}

/* 8 bytes from 4 on are not aligned; what is only aligned to 4 cannot be merged at all. */
static void test_merge_alignment(void)
{
    graph_assert(&(GraphCase){.ptx = ROW_OF_16 "ld.shared.f32 %f1, [%r4+4];\n"
                                               "ld.shared.f32 %f2, [%r4+8];\n"
                                               "ld.shared.f32 %f3, [%r4+12];\n"
                                               "ld.shared.f32 %f4, [%r4+16];\n" SUM_AND_STORE,
                              .block = {8}},
                 "f1 local.load\n"
                 "f2 local.load.v2\n"
                 "f4 local.load\n"
                 "f5 fadd f1 f2\n"
                 "f6 fadd f2 f4\n"
                 "store local.store f5\n"
                 "store_2 local.store f6\n");
    graph_assert(&(GraphCase){.ptx = "mov.u32 %r1, %tid.x;\n"
                                     "shl.b32 %r2, %r1, 2;\n"
                                     "mov.u32 %r3, s;\n"
                                     "add.s32 %r4, %r3, %r2;\n"
                                     "ld.shared.f32 %f1, [%r4];\n"
                                     "ld.shared.f32 %f2, [%r4+4];\n"
                                     "add.f32 %f3, %f1, %f2;\n"
                                     "st.shared.f32 [t], %f3;\n",
                              .block = {8}},
                 "f1 local.load\n"
                 "f2 local.load\n"
                 "f3 fadd f1 f2\n"
                 "store local.store f3\n");
}

/* A store in between could change what is read, a barrier lets others do so, and a base that was
 * written is another one; what does none of that stands in the way of nothing. */
static void test_merge_between(void)
{
    static const struct {
        const char *between;
        gboolean merges;
    } cases[] = {
        {"", TRUE},
        {"add.f32 %f7, %f1, %f1;\n", TRUE},
        {"add.s32 %r6, %r4, 16;\n", TRUE},
        {"ld.shared.f32 %f7, [t];\n", TRUE},
        {"ld.global.f32 %f7, [%rd1];\n", TRUE},
        {"st.global.f32 [%rd1], %f1;\n", TRUE},
        {"atom.global.add.u32 %r8, [%rd1], 1;\n", TRUE},
        {"add.s32 %r4, %r4, 128;\n", FALSE},
        {"add.s32 %r4, %r4, 128;\nsub.s32 %r4, %r4, 64;\n", FALSE},
        {"st.shared.f32 [t+512], %f1;\n", FALSE},
        {"st.volatile.shared.f32 [t+512], %f1;\n", FALSE},
        {"atom.shared.add.u32 %r8, [t], 1;\n", FALSE},
        {"cp.async.ca.shared.global [t+512], [%rd1], 4;\n", FALSE},
        {"cp.async.wait_all;\n", FALSE},
        {"bar.sync 0;\n", FALSE},
        {"membar.cta;\n", FALSE},
        {"@%p1 bra L;\nL:\n", FALSE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *ptx =
            g_strconcat(ROW_OF_16 "ld.param.u64 %rd1, [a];\nsetp.gt.u32 %p1, %r1, 3;\n"
                                  "ld.shared.f32 %f1, [%r4];\n",
                        cases[i].between, "ld.shared.f32 %f2, [%r4+4];\n" SUM_AND_STORE, NULL);
        g_autoptr(PsBuild) build =
            graph_build(&(GraphCase){.ptx = ptx, .arguments = "a:64", .block = {8}});
        g_autofree char *lines = graph_lines(build->idg);
        g_test_message("%s: %s", cases[i].between, lines);
        g_assert_cmpint(strstr(lines, ".v2") != NULL, ==, cases[i].merges);
    }
}

/* What is merged stands where the first load stood, and the last store. */
static void test_merge_places(void)
{
    graph_assert(&(GraphCase){.ptx = ROW_OF_16 "ld.shared.f32 %f1, [%r4];\n"
                                               "add.f32 %f2, %f1, %f1;\n"
                                               "ld.shared.f32 %f3, [%r4+4];\n"
                                               "st.shared.f32 [%r4], %f2;\n"
                                               "add.f32 %f4, %f3, %f2;\n"
                                               "st.shared.f32 [%r4+4], %f4;\n",
                              .block = {8}},
                 "f1 local.load.v2\n"
                 "f2 fadd f1\n"
                 "f4 fadd f1 f2\n"
                 "store local.store.v2 f2 f4\n");
}

/* One of the two loads that is not plain is not merged. */
static void test_merge_plain(void)
{
    static const char *const ordered[] = {"volatile.shared", "relaxed.cta.shared",
                                          "acquire.cta.shared"};
    for (guint i = 0; i < 2 * G_N_ELEMENTS(ordered); i++) {
        const char *first = i % 2 ? "shared" : ordered[i / 2],
                   *second = i % 2 ? ordered[i / 2] : "shared";
        g_autofree char *ptx = g_strdup_printf(
            "mov.u32 %%r1, %%tid.x;\nshl.b32 %%r2, %%r1, 4;\nmov.u32 %%r3, s;\n"
            "add.s32 %%r4, %%r3, %%r2;\nld.%s.f32 %%f1, [%%r4];\nld.%s.f32 %%f2, [%%r4+4];\n"
            "add.f32 %%f5, %%f1, %%f2;\nst.shared.f32 [t], %%f5;\n",
            first, second);
        g_autoptr(PsBuild) build = graph_build(&(GraphCase){.ptx = ptx, .block = {8}});
        g_autofree char *lines = graph_lines(build->idg);
        g_assert_null(strstr(lines, ".v2"));
    }
}

static void test_merge_limits(void)
{
    graph_assert(&(GraphCase){.ptx = ROW_OF_16 "ld.shared.f32 %f1, [%r4];\n"
                                               "st.shared.f32 [t+512], %f1;\n"
                                               "ld.shared.f32 %f2, [%r4+4];\n"
                                               "mov.u32 %r4, 32;\n"
                                               "ld.shared.f32 %f3, [%r4+8];\n"
                                               "ld.shared.f32 %f4, [%r4+12];\n" SUM_AND_STORE,
                              .block = {8}},
                 "r4 iadd\n"
                 "f1 local.load r4\n"
                 "store local.store f1\n"
                 "f2 local.load r4\n"
                 "f3 local.load.broadcast.v2\n"
                 "f5 fadd f1 f2\n"
                 "f6 fadd f3\n"
                 "store_2 local.store f5\n"
                 "store_3 local.store f6\n");
}

/* Four words of constants are two loads of 8 bytes, and numbers of two bytes stay as they are. */
static void test_merge_narrow(void)
{
    graph_assert(&(GraphCase){.functions = ".const .align 16 .b8 c[128];\n",
                              .ptx = "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd1, %r1, 16;\n"
                                     "mov.u64 %rd2, c;\nadd.u64 %rd3, %rd2, %rd1;\n"
                                     "ld.const.f32 %f1, [%rd3];\nld.const.f32 %f2, [%rd3+4];\n"
                                     "ld.const.f32 %f3, [%rd3+8];\nld.const.f32 %f4, [%rd3+12];\n"
                                     "add.f32 %f5, %f1, %f2;\nadd.f32 %f6, %f3, %f4;\n"
                                     "add.f32 %f7, %f5, %f6;\nst.shared.f32 [t], %f7;\n",
                              .block = {8}},
                 "rd3 imad.wide\n"
                 "f1 constant.c4 rd3\n"
                 "f3 constant.c4 rd3\n"
                 "f5 fadd f1\n"
                 "f6 fadd f3\n"
                 "f7 fadd f5 f6\n"
                 "store local.store f7\n");
    graph_assert(&(GraphCase){.ptx = ROW_OF_16 "ld.shared.u16 %h1, [%r4];\n"
                                               "ld.shared.u16 %h2, [%r4+2];\n"
                                               "ld.shared.u16 %h3, [%r4+4];\n"
                                               "ld.shared.u16 %h4, [%r4+6];\n"
                                               "add.u16 %h5, %h1, %h2;\nadd.u16 %h6, %h3, %h4;\n"
                                               "add.u16 %h7, %h5, %h6;\n"
                                               "st.shared.u16 [t], %h7;\n",
                              .block = {8}},
                 "h1 local.load\n"
                 "h2 local.load\n"
                 "h3 local.load\n"
                 "h4 local.load\n"
                 "h5 iadd h1 h2\n"
                 "h6 iadd h3 h4\n"
                 "h7 iadd h5 h6\n"
                 "store local.store h7\n");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-graph-merge/row", test_merge);
    g_test_add_func("/ptx-graph-merge/strides", test_merge_strides);
    g_test_add_func("/ptx-graph-merge/degrees", test_merge_degrees);
    g_test_add_func("/ptx-graph-merge/alignment", test_merge_alignment);
    g_test_add_func("/ptx-graph-merge/between", test_merge_between);
    g_test_add_func("/ptx-graph-merge/places", test_merge_places);
    g_test_add_func("/ptx-graph-merge/plain", test_merge_plain);
    g_test_add_func("/ptx-graph-merge/narrow", test_merge_narrow);
    g_test_add_func("/ptx-graph-merge/limits", test_merge_limits);
    return g_test_run();
}
