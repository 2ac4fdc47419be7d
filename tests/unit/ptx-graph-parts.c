/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers for a part of a group's threads: roles that have their own keep nobody else. */
#include "answer/answer.h"
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

static guint count(const char *text, const char *what)
{
    guint n = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        n++;
    return n;
}

/* Three codes stand in the graph: thread 0's warp, those that wait, and those that arrive. */
static void test_classes(void)
{
    g_autoptr(PsBuild) build = graph_build(&roles);
    g_autofree char *lines = graph_lines(build->idg);
    g_test_message("%s", lines);
    g_assert_cmpuint(count(lines, " atomic.local.barrier"), ==, 4);
    g_assert_cmpuint(count(lines, " barrier"), ==, 3);
}

/* Each of the three says that the time may be too short. */
static void test_warnings(void)
{
    g_autoptr(PsBuild) build = graph_build(&roles);
    guint n = 0;
    for (guint i = 0; i < build->warnings->len; i++)
        n += strstr(build->warnings->pdata[i], "of 384 threads takes its time, but in the graph no "
                                               "warp waits for another there") != NULL;
    g_assert_cmpuint(n, ==, 3);
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
    g_assert_cmpuint(count(lines, " barrier"), ==, 2);
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
        g_assert_cmpuint(count(of_group, "memory.fence.group\n"), ==, 1);
        g_assert_cmpuint(count(of_all, "memory.fence\n"), ==, 1);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-graph-parts/classes", test_classes);
    g_test_add_func("/ptx-graph-parts/warnings", test_warnings);
    g_test_add_func("/ptx-graph-parts/time", test_time);
    g_test_add_func("/ptx-graph-parts/whole", test_whole);
    g_test_add_func("/ptx-graph-parts/fences", test_fences);
    return g_test_run();
}
