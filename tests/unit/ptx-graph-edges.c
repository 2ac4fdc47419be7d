/* SPDX-License-Identifier: BSD-3-Clause */
/* Where rules of the graph end: one more reader, a step that changes, lanes that have met again. */
#include "base/class-name.h"
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

/* The assembler merges what it knows to be aligned: of a register that holds one number or another,
 * the bits that both have. 32 and 40 are multiples of 8. */
static void test_aligned_either_way(void)
{
    graph_assert(&(GraphCase){.ptx = "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 7;\n"
                                     "mov.u32 %r4, 32;\n@%p1 mov.u32 %r4, 40;\n"
                                     "ld.shared.f32 %f1, [%r4];\nld.shared.f32 %f2, [%r4+4];\n"
                                     "ld.shared.f32 %f3, [%r4+8];\nld.shared.f32 %f4, [%r4+12];\n"
                                     "add.f32 %f5, %f1, %f2;\nadd.f32 %f6, %f3, %f4;\n"
                                     "st.shared.f32 [t], %f5;\nst.shared.f32 [t+8], %f6;\n",
                              .block = {32}},
                 "p1 iadd.setp\n"
                 "f1 local.load.v2 p1\n"
                 "f3 local.load.v2 p1\n"
                 "f5 fadd f1\n"
                 "f6 fadd f3\n"
                 "store local.store f5\n"
                 "store_2 local.store f6\n");
}

/* A comparison that gives two predicates takes in what is done with one of them. */
static void test_comparison_taken_once(void)
{
    graph_assert(&(GraphCase){.ptx = "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 7;\n"
                                     "setp.gt.u32 %p2, %r1, 3;\n"
                                     "setp.eq.u32 %p3|%p4, %r1, 5;\n"
                                     "and.pred %p5, %p3, %p1;\nor.pred %p6, %p4, %p2;\n"
                                     "@%p5 st.shared.u32 [t], %r1;\n"
                                     "@%p6 st.shared.u32 [t+4], %r1;\n"
                                     "@%p1 st.shared.u32 [t+8], %r1;\n"
                                     "@%p2 st.shared.u32 [t+12], %r1;\n",
                              .block = {32}},
                 "p1 iadd.setp\n"
                 "p2 iadd.setp\n"
                 "p3 iadd.setp\n"
                 "p6 logic.predicate p2 p3\n"
                 "store local.store p1 p3\n"
                 "store_2 local.store p6\n"
                 "store_3 local.store p1\n"
                 "store_4 local.store p2\n");
}

/* Conflicts of an instruction that accesses memory several times are the mean of all: here each
 * reads 32 bytes of each of eight rows that lie 64 bytes, 16 banks, apart. */
static void test_conflicts_of_all(void)
{
    graph_assert(&(GraphCase){.ptx = "mov.u32 %r1, 16;\nmov.u32 %r2, s;\n"
                                     "wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 "
                                     "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, [%r2], %r1;\n"
                                     "add.f32 %f8, %f0, %f7;\nst.shared.f32 [t], %f8;\n",
                              .block = {32}},
                 "f0 local.load.matrix.c2\n"
                 "f8 fadd f0\n"
                 "store local.store f8\n");
}

/* Each matrix of ldmatrix and stmatrix takes its rows' conflicts, as often as there are matrices:
 * of x4, 4 wavefronts without (rows of 16 bytes beside each other), 16 where rows lie 64 bytes
 * apart, 32 where they lie 128 apart. */
static void test_matrices(void)
{
    static const struct {
        const char *operation;
        guint matrices, stride;
        const char *class;
        gint64 wavefronts;
    } cases[] = {
        {"ld", 1, 16, "local.load.matrix", 1},
        {"ld", 1, 128, "local.load.matrix.c8", 8},
        {"ld", 2, 16, "local.load.matrix.v2", 2},
        {"ld", 2, 64, "local.load.matrix.c4.v2", 8},
        {"ld", 4, 16, "local.load.matrix.v4", 4},
        {"ld", 4, 32, "local.load.matrix.c2.v4", 8},
        {"ld", 4, 64, "local.load.matrix.c4.v4", 16},
        {"ld", 4, 128, "local.load.matrix.c8.v4", 32},
        {"ld", 4, 112, "local.load.matrix.v4", 4},
        {"ld", 4, 0, "local.load.matrix.v4", 4},
        {"st", 4, 16, "local.store.matrix.v4", 4},
        {"st", 4, 64, "local.store.matrix.c4.v4", 16},
        {"st", 2, 128, "local.store.matrix.c8.v2", 16},
    };
    static const char *const registers[] = {NULL, "{%r4}", "{%r4, %r5}", NULL,
                                            "{%r4, %r5, %r6, %r7}"};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *list = registers[cases[i].matrices];
        const gboolean loads = cases[i].operation[0] == 'l';
        g_autofree char *ptx = g_strdup_printf(
            "mov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, s;\nmad.lo.u32 %%r3, %%r1, %u, %%r2;\n"
            "%smatrix.sync.aligned.m8n8.x%u.shared.b16 %s%s%s;\nst.shared.u32 [t], %%r4;\n",
            cases[i].stride, cases[i].operation, cases[i].matrices, loads ? list : "[%r3]", ", ",
            loads ? "[%r3]" : list);
        g_autofree char *lines =
            g_strdup_printf(loads ? "r3 imad\nr4 %s r3\nstore local.store r4\n"
                                  : "r3 imad\nstore %s r3\nstore_2 local.store\n",
                            cases[i].class);
        g_test_message("%s", lines);
        graph_assert(&(GraphCase){.ptx = ptx, .block = {32}}, lines);
        const PsClassAccess access = ps_class_access(cases[i].class);
        g_assert_cmpint(ps_class_wavefronts(&access), ==, cases[i].wavefronts);
    }
}

/* What a guarded instruction gives is no formula of the parameters; the guard may be the function's
 * first register. */
static void test_first_register_guards(void)
{
    graph_assert(&(GraphCase){.ptx = "setp.lt.u32 %p0, 1, 2;\n"
                                     "@%p0 ld.param.u32 %r2, [n];\n"
                                     "mov.u32 %r3, 0;\n"
                                     "L:\nst.shared.u32 [t], %r3;\nadd.u32 %r3, %r3, 1;\n"
                                     "setp.lt.u32 %p1, %r3, %r2;\n@%p1 bra L;\n",
                              .arguments = "n=14",
                              .block = {32}},
                 "p0 iadd.setp\n"
                 "loop 14 {\n"
                 "store local.store loop\n"
                 "loop loop p0 loop\n"
                 "}\n");
}

/* A function's loop runs as often as its caller says. */
static void test_trips_from_caller(void)
{
    graph_assert(&(GraphCase){.functions = ".func f(.param .b32 k)\n{\n"
                                           ".reg .b32 %r<4>;\n.reg .pred %p<2>;\n"
                                           ".shared .align 4 .b8 u[4];\n"
                                           "ld.param.u32 %r1, [k];\nmov.u32 %r2, 0;\n"
                                           "L:\nst.shared.u32 [u], %r2;\nadd.u32 %r2, %r2, 1;\n"
                                           "setp.lt.u32 %p1, %r2, %r1;\n@%p1 bra L;\nret;\n}\n",
                              .ptx = "ld.param.u32 %r1, [n];\n"
                                     "{\n.param .b32 p0;\nst.param.b32 [p0], %r1;\n"
                                     "call f, (p0);\n}\n",
                              .arguments = "n=14",
                              .block = {32}},
                 "loop n {\n"
                 "store local.store loop\n"
                 "loop loop loop\n"
                 "}\n");
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

/* Constants at places that follow from the code alone are operands, since the assembler writes such
 * loops out; not where the loop's end, or the place, follows from an argument. */
static void test_known_constants(void)
{
    static const struct {
        const char *first, *end;
    } list[] = {{"0", "64"}, {"0", "%r2"}, {"%r2", "64"}};
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        g_autofree char *ptx = g_strdup_printf("ld.param.u32 %%r2, [n];\n"
                                               "mov.u32 %%r4, %s;\n"
                                               "mov.u64 %%rd1, c;\n"
                                               "mov.f32 %%f2, 0f00000000;\n"
                                               "L1:\n"
                                               "mul.wide.u32 %%rd2, %%r4, 4;\n"
                                               "add.u64 %%rd3, %%rd1, %%rd2;\n"
                                               "ld.const.f32 %%f1, [%%rd3];\n"
                                               "add.f32 %%f2, %%f2, %%f1;\n"
                                               "add.s32 %%r4, %%r4, 1;\n"
                                               "setp.lt.s32 %%p1, %%r4, %s;\n"
                                               "@%%p1 bra L1;\n"
                                               "st.shared.f32 [t], %%f2;\n",
                                               list[i].first, list[i].end);
        g_autoptr(PsBuild) build =
            graph_build(&(GraphCase){.ptx = ptx,
                                     .functions = ".const .align 4 .b8 c[256];\n",
                                     .arguments = "n=32",
                                     .block = {32}});
        g_autofree char *lines = graph_lines(build->idg);
        g_test_message("%s", lines);
        g_assert_cmpint(strstr(lines, " constant") != NULL, ==, i > 0);
    }
}

/* A wait for groups of bulk copies moves nothing itself, whether it has copies to wait for or not.
 */
static void test_bulk_waits(void)
{
    graph_assert(&(GraphCase){.ptx = OWN_ADDRESS "cp.async.bulk.wait_group.read 0;\n"
                                                 "cp.async.bulk.global.shared::cta.bulk_group "
                                                 "[%rd4], [s], 16;\n"
                                                 "cp.async.bulk.commit_group;\n"
                                                 "cp.async.bulk.wait_group.read 0;\n",
                              .arguments = "a:4096",
                              .block = {1}},
                 "rd4 imad.wide\n"
                 "wait logic.mov\n"
                 "copy copy.store rd4\n"
                 "wait_2 logic.mov copy\n");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-graph-edges/bulk-waits", test_bulk_waits);
    g_test_add_func("/ptx-graph-edges/no-counter", test_no_counter);
    g_test_add_func("/ptx-graph-edges/most-copies", test_most_copies);
    g_test_add_func("/ptx-graph-edges/met-again", test_met_again);
    g_test_add_func("/ptx-graph-edges/aligned-either-way", test_aligned_either_way);
    g_test_add_func("/ptx-graph-edges/comparison-taken-once", test_comparison_taken_once);
    g_test_add_func("/ptx-graph-edges/conflicts-of-all", test_conflicts_of_all);
    g_test_add_func("/ptx-graph-edges/matrices", test_matrices);
    g_test_add_func("/ptx-graph-edges/first-register-guards", test_first_register_guards);
    g_test_add_func("/ptx-graph-edges/trips-from-caller", test_trips_from_caller);
    g_test_add_func("/ptx-graph-edges/longest-name", test_longest_name);
    g_test_add_func("/ptx-graph-edges/known-constants", test_known_constants);
    return g_test_run();
}
