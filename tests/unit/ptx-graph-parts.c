/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers for a part of a group's threads: roles that have their own keep nobody else. */
#include "answer/answer.h"
#include "idg/load.h"
#include "tests/help/contains.h"
#include "tests/help/graph-text.h"

#include <string.h>

/* Threads from 256 on meet twice at a barrier of their own before they arrive at an mbarrier; those
 * before them meet once at theirs, and wait for it. */
#define ROLES                                                                                      \
    "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n"                                             \
    "@%p1 mbarrier.init.shared.b64 [t], 128;\nbar.sync 0;\n"                                       \
    "setp.ge.u32 %p2, %r1, 256;\n@%p2 bra B;\nbar.sync 1, 256;\n"                                  \
    "W:\nmbarrier.try_wait.parity.shared.b64 %p3, [t], 0;\n@!%p3 bra W;\n"                         \
    "st.shared.u32 [t+8], %r1;\nret;\n"                                                            \
    "B:\nbar.sync 2, 128;\nst.shared.u32 [t+12], %r1;\nbar.sync 2, 128;\n"                         \
    "mbarrier.arrive.shared.b64 %rd5, [t];\n"

static const GraphCase roles = {.ptx = ROLES, .block = {384}, .target = "sm_90"};

/* Three codes stand in the graph: thread 0's warp, those that wait, and those that arrive. */
static void test_classes(void)
{
    g_autoptr(PsBuild) build = graph_build(&roles);
    g_autofree char *lines = graph_lines(build->idg);
    g_test_message("%s", lines);
    g_assert_cmpuint(count_of(lines, " atomic.local.barrier"), ==, 4);
    g_assert_cmpuint(count_of(lines, " barrier"), ==, 3);
}

/* What nodes await of other warps, in the order of the file: "after bar: warps0:bar ...". */
static char *awaits_of(const PsBuild *build)
{
    g_autofree char *text = ps_idg_write(build->idg);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    GString *all = g_string_new(NULL);
    for (guint i = 0; lines[i]; i++) {
        const char *name = strstr(lines[i], "name=\""), *awaits = strstr(lines[i], "awaits=\"");
        if (awaits)
            g_string_append_printf(all, "%.*s: %.*s\n", (int)strcspn(name + 6, "\""), name + 6,
                                   (int)strcspn(awaits + 8, "\""), awaits + 8);
    }
    return g_string_free(all, FALSE);
}

/* The node behind a barrier awaits the arrivals of all who meet there, of its own role, too. */
static void test_awaits(void)
{
    g_autoptr(PsBuild) build = graph_build(&roles);
    g_autofree char *awaits = awaits_of(build);
    g_assert_cmpuint(build->warnings->len, ==, 0);
    g_assert_cmpstr(awaits, ==,
                    "p3: warps0:bar warps1:bar warps2:rd5\n"
                    "p3: warps0:bar warps1:bar warps2:rd5\n"
                    "store: warps2:bar\n"
                    "rd5: warps2:bar_2\n");
}

/* Two warps that take turns: each waits at its barrier until the other has arrived there. */
#define TURNS(LAST)                                                                                \
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nsetp.ge.u32 %p1, %r1, 32;\n@%p1 bra B;\n"              \
    "A:\nbar.sync 1, 64;\nst.shared.u32 [t], %r2;\nbar.arrive 2, 64;\nadd.u32 %r2, %r2, 1;\n"      \
    "setp.lt.u32 %p2, %r2, 8;\n@%p2 bra A;\nbar.sync 1, 64;\nst.shared.u32 [t+8], %r2;\nret;\n"    \
    "B:\nbar.arrive 1, 64;\nC:\nbar.sync 2, 64;\n" LAST "ld.shared.u32 %r3, [t];\n"                \
    "st.shared.u32 [t+4], %r3;\nbar.arrive 1, 64;\nadd.u32 %r2, %r2, 1;\n"                         \
    "setp.lt.u32 %p2, %r2, 8;\n@%p2 bra C;\n"

static void test_turns(void)
{
    const GraphCase turns = {.ptx = TURNS(""), .block = {64}};
    g_autoptr(PsBuild) build = graph_build(&turns);
    g_autofree char *awaits = awaits_of(build);
    g_assert_cmpuint(build->warnings->len, ==, 0);
    g_assert_cmpstr(awaits, ==,
                    "store: warps0:bar warps1:bar@0..all warps1:bar_3@1\n"
                    "store_2: warps0:bar_3 warps1:bar_3@-7\n"
                    "r3: warps0:bar_2 warps1:bar_2\n");
}

/* Warp 0 executes IN_FRONT, and a loop with AT_END at its end; warp 1 the rest. */
#define LOOP(IN_FRONT, AT_END, REST)                                                               \
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nsetp.ge.u32 %p1, %r1, 32;\n@%p1 bra B;\n" IN_FRONT     \
    "A:\nst.shared.u32 [t], %r2;\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p2, %r2, 8;\n" AT_END         \
    "@%p2 bra A;\nret;\nB:\n" REST

/* All iterations of a loop behind a barrier await what the barrier was ended by. */
static void test_loop_behind(void)
{
    const GraphCase loop = {.ptx = LOOP("bar.sync 1, 64;\n", "", "bar.arrive 1, 64;\n"),
                            .block = {64}};
    g_autoptr(PsBuild) build = graph_build(&loop);
    g_autofree char *awaits = awaits_of(build);
    g_assert_cmpstr(awaits, ==, "store: warps0:bar@0..all warps1:bar@0..all\n");
    g_assert_cmpuint(build->warnings->len, ==, 0);
}

/* Where nothing stands behind a barrier that would say what is waited for, a warning says so. */
static void test_nothing_behind(void)
{
    const GraphCase end = {.ptx = "mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, 32;\n@%p1 bra B;\n"
                                  "bar.sync 1, 64;\nret;\nB:\nbar.arrive 1, 64;\n",
                           .block = {64}};
    g_autoptr(PsBuild) build = graph_build(&end);
    g_assert_cmpuint(build->warnings->len, ==, 1);
    g_assert_nonnull(strstr(build->warnings->pdata[0],
                            "the graph does not wait for all work of other warps before this "
                            "barrier of some warps, since that work is not the same each time"));
}

/* It comes to an end: nobody waits at another role's barrier. */
static void test_time(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsBuild) build = graph_build(&roles);
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/h100.xml", &error);
    g_assert_no_error(error);
    const PsQuestion question = {.idg = build->idg, .gpu = gpu};
    PsAnswer *answer = ps_answer_new(&question, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpfloat(ps_rational_to_double(answer->result.cycles), >, 0);
    ps_answer_free(answer);
}

/* A barrier that counts all threads is one for all, and nothing is said. */
static void test_whole(void)
{
    const GraphCase whole = {.ptx = "bar.sync 1, 384;\nbar.sync 2;\n", .block = {384}};
    g_autoptr(PsBuild) build = graph_build(&whole);
    g_autofree char *lines = graph_lines(build->idg);
    g_assert_cmpuint(count_of(lines, " barrier"), ==, 2);
    g_assert_cmpuint(build->warnings->len, ==, 0);
}

/* A fence for the group, or its memory, waits for nothing beyond the compute unit. */
static void test_fences(void)
{
    static const char *const own[] = {"membar.cta;\n", "fence.acq_rel.cta;\n",
                                      "fence.proxy.async.shared::cta;\n"};
    static const char *const others[] = {"membar.gl;\n", "fence.acq_rel.gpu;\n",
                                         "fence.proxy.async;\n"};
    for (guint i = 0; i < G_N_ELEMENTS(own); i++) {
        g_autoptr(PsBuild) group = graph_build(&(GraphCase){.ptx = own[i], .block = {32}});
        g_autoptr(PsBuild) whole = graph_build(&(GraphCase){.ptx = others[i], .block = {32}});
        g_autofree char *of_group = graph_lines(group->idg);
        g_autofree char *of_all = graph_lines(whole->idg);
        g_assert_cmpuint(count_of(of_group, "memory.fence.group\n"), ==, 1);
        g_assert_cmpuint(count_of(of_all, "memory.fence\n"), ==, 1);
    }
}

/* Groups of a cluster, and the warps of each, meet at the wait. Whoever releases what it wrote
 * waits for that before it arrives. */
static void test_clusters(void)
{
    static const struct {
        const char *ptx;
        guint fences, arrivals;
    } cases[] = {{"barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;\n", 0, 1},
                 {"barrier.cluster.arrive;\nbarrier.cluster.wait.acquire;\n", 1, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(PsBuild) build = graph_build(&(GraphCase){.ptx = cases[i].ptx, .block = {64}});
        g_autofree char *lines = graph_lines(build->idg);
        g_assert_cmpuint(count_of(lines, " barrier.cluster\n"), ==, 1);
        g_assert_cmpuint(count_of(lines, " memory.fence\n"), ==, cases[i].fences);
        g_assert_cmpuint(count_of(lines, " atomic.local.barrier\n"), ==, cases[i].arrivals);
    }
}

/* Four warps that multiply meet at the fence before: two warpgroups, each warp awaits its own. */
static void test_products(void)
{
    const GraphCase products = {
        .ptx = "mov.u32 %r1, %tid.x;\nwgmma.fence.sync.aligned;\nst.shared.u32 [t], %r1;\nret;\n",
        .block = {256}};
    g_autoptr(PsBuild) build = graph_build(&products);
    g_autofree char *awaits = awaits_of(build);
    g_assert_cmpstr(awaits, ==, "store: warps0:wgmma\nstore: warps1:wgmma\n");
    g_assert_cmpuint(build->warnings->len, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-graph-parts/classes", test_classes);
    g_test_add_func("/ptx-graph-parts/awaits", test_awaits);
    g_test_add_func("/ptx-graph-parts/clusters", test_clusters);
    g_test_add_func("/ptx-graph-parts/turns", test_turns);
    g_test_add_func("/ptx-graph-parts/loop-behind", test_loop_behind);
    g_test_add_func("/ptx-graph-parts/nothing-behind", test_nothing_behind);
    g_test_add_func("/ptx-graph-parts/time", test_time);
    g_test_add_func("/ptx-graph-parts/whole", test_whole);
    g_test_add_func("/ptx-graph-parts/fences", test_fences);
    g_test_add_func("/ptx-graph-parts/products", test_products);
    return g_test_run();
}
