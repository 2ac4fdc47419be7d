/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits for mbarriers in graphs: for the warp's own copies, however far back; as a barrier where
 * all warps meet; for other warps by their roles.
 */
#include "tests/help/graph-text.h"

#include <string.h>

/* Thread 0 initialises the mbarrier at t, and one behind it, for n arrivals. */
#define BEGIN(n)                                                                                   \
    "ld.param.u64 %rd1, [a];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, %tid.x;\n"              \
    "shl.b32 %r2, %r1, 2;\nmov.u32 %r3, s;\nadd.u32 %r4, %r3, %r2;\n"                              \
    "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd2, %rd3;\nsetp.eq.u32 %p1, %r1, 0;\n"            \
    "@%p1 mbarrier.init.shared.b64 [t], " n ";\n@%p1 mbarrier.init.shared.b64 [t+8], " n ";\n"     \
    "bar.sync 0;\n"
#define COPY "cp.async.ca.shared.global [%r4], [%rd4], 4;\n"
#define USE "ld.shared.f32 %f1, [%r4];\nst.global.f32 [%rd4], %f1;\n"

/* The graph's lines from the first barrier on. */
static void behind_barrier(const GraphCase *graph, const char *expected, const char *warning)
{
    g_autoptr(PsBuild) build = graph_build(graph);
    if (!build)
        return;
    g_autofree char *lines = graph_lines(build->idg);
    g_autoptr(GString) actual = g_string_new(NULL);
    g_auto(GStrv) list = g_strsplit(lines, "\n", -1);
    gboolean behind = FALSE;
    for (guint i = 0; list[i] && *list[i]; i++) {
        behind = behind || g_str_has_prefix(list[i], "code ");
        if (behind)
            g_string_append_printf(actual, "%s\n", list[i]);
        behind = behind || g_str_has_prefix(list[i], "barrier ");
        if (g_str_has_prefix(list[i], "code "))
            behind = FALSE;
    }
    g_assert_cmpstr(actual->str, ==, expected);
    guint n = 0;
    for (guint i = 0; i < build->warnings->len; i++) {
        const char *text = build->warnings->pdata[i];
        if (strstr(text, "which nothing wrote") || strstr(text, "that nobody wrote"))
            continue; /* these pieces of code use what they please */
        n++;
        if (warning)
            g_assert_nonnull(strstr(text, warning));
    }
    g_assert_cmpuint(n, ==, warning ? 1 : 0);
}

/* One warp: the wait is for the copy, and the load for the wait. */
static void test_own(void)
{
    behind_barrier(&(GraphCase){.ptx = BEGIN("32") COPY
                                "cp.async.mbarrier.arrive.noinc.shared.b64 [t];\n"
                                "W:\nmbarrier.try_wait.parity.shared.b64 %p2, [t], 0;\n"
                                "@!%p2 bra W;\n" USE,
                                .arguments = "a:4096",
                                .block = {32}},
                   "copy global.load.async r2 rd4\n"
                   "cp atomic.local.mbarrier\n"
                   "p2 local.load.mbarrier.broadcast copy\n"
                   "branch branch p2\n"
                   "f1 local.load r2 p2\n"
                   "store global.store rd4 f1\n",
                   NULL);
}

/* The wait is for all copies of a loop in front of it. */
static void test_own_of_loop(void)
{
    behind_barrier(
        &(GraphCase){.ptx = BEGIN("32") "mov.u32 %r5, 0;\nL:\n" COPY
                                        "add.u32 %r4, %r4, 128;\nadd.u32 %r5, %r5, 1;\n"
                                        "setp.lt.u32 %p3, %r5, 9;\n@%p3 bra L;\n"
                                        "cp.async.mbarrier.arrive.noinc.shared.b64 [t];\n"
                                        "W:\nmbarrier.try_wait.parity.shared.b64 %p2, [t], 0;\n"
                                        "@!%p2 bra W;\n" USE,
                     .arguments = "a:4096",
                     .block = {32}},
        "loop 9 {\n"
        "copy global.load.async r4 rd4 r4_2\n"
        "r4_2 iadd r4 r4_2\n"
        "loop loop loop\n"
        "}\n"
        "cp atomic.local.mbarrier\n"
        "p2 local.load.mbarrier.broadcast copy@all\n"
        "branch branch p2\n"
        "f1 local.load r4_2 p2\n"
        "store global.store rd4 f1\n",
        NULL);
}

/* Copies of this iteration are those of the next one's phase: the wait is for those of the
 * iteration before. Two mbarriers take turns. */
#define PIPELINE                                                                                   \
    BEGIN("32")                                                                                    \
    COPY "cp.async.mbarrier.arrive.noinc.shared.b64 [t];\n"                                        \
         "mov.u32 %r5, 0;\nmov.u32 %r8, t;\n"                                                      \
         "L:\nadd.u32 %r5, %r5, 1;\nand.b32 %r6, %r5, 1;\nshl.b32 %r6, %r6, 3;\n"                  \
         "add.u32 %r6, %r6, %r8;\n" COPY "cp.async.mbarrier.arrive.noinc.shared.b64 [%r6];\n"      \
         "sub.u32 %r9, %r5, 1;\nand.b32 %r10, %r9, 1;\nshl.b32 %r10, %r10, 3;\n"                   \
         "add.u32 %r10, %r10, %r8;\nshr.u32 %r11, %r9, 1;\nand.b32 %r11, %r11, 1;\n"               \
         "W:\nmbarrier.try_wait.parity.shared.b64 %p2, [%r10], %r11;\n"                            \
         "@!%p2 bra W;\nld.shared.f32 %f1, [%r4];\nadd.f32 %f2, %f2, %f1;\n"                       \
         "setp.lt.u32 %p3, %r5, 20;\n@%p3 bra L;\nst.global.f32 [%rd4], %f2;\n"

static void test_pipeline(void)
{
    behind_barrier(&(GraphCase){.ptx = PIPELINE, .arguments = "a:4096", .block = {32}},
                   "copy global.load.async r2 rd4\n"
                   "cp atomic.local.mbarrier\n"
                   "r6 logic\n"
                   "r6_2 shift.left r6\n"
                   "r6_3 iadd r6_2\n"
                   "copy_2 global.load.async r2 rd4\n"
                   "cp_2 atomic.local.mbarrier r6_3\n"
                   "r9 iadd\n"
                   "r10 logic r9\n"
                   "r10_2 shift.left r10\n"
                   "r10_3 iadd r10_2\n"
                   "r11 shift r9\n"
                   "r11_2 logic r11\n"
                   "p2 local.load.mbarrier.broadcast copy r10_3 r11_2\n"
                   "branch branch p2\n"
                   "f1 local.load r2 p2\n"
                   "f2 fadd f1\n"
                   "loop loop\n"
                   "loop 19 {\n"
                   "r6_4 logic loop_2\n"
                   "r6_5 shift.left r6_4\n"
                   "r6_6 iadd r6_5\n"
                   "copy_3 global.load.async r2 rd4\n"
                   "cp_3 atomic.local.mbarrier r6_6\n"
                   "r9_2 iadd loop_2\n"
                   "r10_4 logic r9_2\n"
                   "r10_5 shift.left r10_4\n"
                   "r10_6 iadd r10_5\n"
                   "r11_3 shift r9_2\n"
                   "r11_4 logic r11_3\n"
                   "p2_2 local.load.mbarrier.broadcast copy_2 copy_3@2 r10_6 r11_4\n"
                   "branch_2 branch p2_2\n"
                   "f1_2 local.load r2 p2 p2_2\n"
                   "f2_2 fadd f2 f1_2 f2_2\n"
                   "loop_2 loop loop loop_2\n"
                   "}\n"
                   "store global.store rd4 f2_2\n",
                   NULL);
}

/* All warps arrive and wait: they meet, whether they ask once or until it is so. */
static void test_meeting(void)
{
    behind_barrier(&(GraphCase){.ptx = BEGIN("96") "st.shared.u32 [%r4], %r1;\n"
                                                   "mbarrier.arrive.shared.b64 %rd5, [t];\n"
                                                   "W:\n"
                                                   "mbarrier.test_wait.shared.b64 %p2, [t], %rd5;\n"
                                                   "@!%p2 bra W;\n" USE,
                                .arguments = "a:4096",
                                .block = {96}},
                   "code 0\n"
                   "store local.store\n"
                   "rd5 atomic.local.mbarrier.c16\n"
                   "p2 barrier store rd5\n"
                   "branch branch p2\n"
                   "f1 local.load\n"
                   "store_2 global.store rd4 f1\n"
                   "code 1..2\n"
                   "store local.store\n"
                   "rd5 atomic.local.mbarrier.c16\n"
                   "p2 barrier store rd5\n"
                   "branch branch p2\n"
                   "f1 local.load\n"
                   "store_2 global.store rd4 f1\n",
                   NULL);
}

/* With work in between it is no meeting. */
static void test_split(void)
{
    behind_barrier(&(GraphCase){.ptx = BEGIN("64") "st.shared.u32 [%r4], %r1;\n"
                                                   "mbarrier.arrive.shared.b64 %rd5, [t];\n"
                                                   "ld.global.f32 %f2, [%rd4];\n"
                                                   "W:\n"
                                                   "mbarrier.try_wait.shared.b64 %p2, [t], %rd5;\n"
                                                   "@!%p2 bra W;\n" USE,
                                .arguments = "a:4096",
                                .block = {64}},
                   "code 0\n"
                   "store local.store\n"
                   "rd5 atomic.local.mbarrier.c16\n"
                   "p2 local.load.mbarrier.broadcast rd5 <- warps0:rd5 warps1:rd5\n"
                   "branch branch p2\n"
                   "f1 local.load p2\n"
                   "store_2 global.store rd4 f1\n"
                   "code 1\n"
                   "store local.store\n"
                   "rd5 atomic.local.mbarrier.c16\n"
                   "p2 local.load.mbarrier.broadcast rd5 <- warps0:rd5 warps1:rd5\n"
                   "branch branch p2\n"
                   "f1 local.load p2\n"
                   "store_2 global.store rd4 f1\n",
                   NULL);
}

/* One thread starts a copy of all bytes; all wait for it. */
#define BULK                                                                                       \
    "mbarrier.arrive.expect_tx.shared.b64 %rd6, [t], 256;\n"                                       \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd2], 256, [t];\n"

static void test_bulk(void)
{
    behind_barrier(&(GraphCase){.ptx =
                                    BEGIN("1") "@!%p1 bra W;\n" BULK "W:\n"
                                               "mbarrier.try_wait.parity.shared.b64 %p2, [t], 0;\n"
                                               "@!%p2 bra W;\n" USE,
                                .arguments = "a:4096",
                                .block = {64}},
                   "code 0\n"
                   "branch branch p1\n"
                   "rd6 atomic.local.mbarrier\n"
                   "copy copy.load\n"
                   "p2 local.load.mbarrier.broadcast copy\n"
                   "branch_2 branch p2\n"
                   "f1 local.load p2\n"
                   "store global.store rd4 f1\n"
                   "code 1\n"
                   "branch branch p1\n"
                   "p2 local.load.mbarrier.broadcast <- producer:copy\n"
                   "branch_2 branch p2\n"
                   "f1 local.load p2\n"
                   "store global.store rd4 f1\n",
                   NULL);
}

/* The same where the others arrive, too. */
static void test_bulk_meeting(void)
{
    behind_barrier(&(GraphCase){.ptx =
                                    BEGIN("64") "@!%p1 bra A;\n" BULK "bra W;\n"
                                                "A:\nmbarrier.arrive.shared.b64 %rd5, [t];\n"
                                                "W:\n"
                                                "mbarrier.try_wait.parity.shared.b64 %p2, [t], 0;\n"
                                                "@!%p2 bra W;\n" USE,
                                .arguments = "a:4096",
                                .block = {64}},
                   "code 0\n"
                   "branch branch p1\n"
                   "rd6 atomic.local.mbarrier\n"
                   "copy copy.load\n"
                   "branch_2 branch\n"
                   "rd5 atomic.local.mbarrier.c16\n"
                   "p2 barrier rd6 copy rd5\n"
                   "branch_3 branch p2\n"
                   "f1 local.load\n"
                   "store global.store rd4 f1\n"
                   "code 1\n"
                   "branch branch p1\n"
                   "rd5 atomic.local.mbarrier.c16\n"
                   "p2 barrier rd5\n"
                   "branch_2 branch p2\n"
                   "f1 local.load\n"
                   "store global.store rd4 f1\n",
                   NULL);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-graph-mbarrier/own", test_own);
    g_test_add_func("/ptx-graph-mbarrier/own-of-loop", test_own_of_loop);
    g_test_add_func("/ptx-graph-mbarrier/pipeline", test_pipeline);
    g_test_add_func("/ptx-graph-mbarrier/meeting", test_meeting);
    g_test_add_func("/ptx-graph-mbarrier/split", test_split);
    g_test_add_func("/ptx-graph-mbarrier/bulk", test_bulk);
    g_test_add_func("/ptx-graph-mbarrier/bulk-meeting", test_bulk_meeting);
    return g_test_run();
}
