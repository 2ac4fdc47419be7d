/* SPDX-License-Identifier: BSD-3-Clause */
/* Work that groups take from a counter in global memory: a warning, or no answer. */
#include "tests/help/graph-text.h"

#include <string.h>

/* A counter that hands out work gives all of it to the group that is executed first: said where one
 * took the others' work, not where each takes one piece. */
static void test_queue(void)
{
    static const struct {
        const char *pieces;
        guint told;
    } cases[] = {{"2000", 1}, {"0", 0}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *ptx = g_strdup_printf("ld.param.u64 %%rd4, [a];\nAGAIN:\n"
                                               "atom.global.add.u32 %%r3, [%%rd4], 1;\n"
                                               "setp.lt.u32 %%p1, %%r3, %s;\n@%%p1 bra AGAIN;\n",
                                               cases[i].pieces);
        g_autoptr(PsBuild) build = graph_build(
            &(GraphCase){.ptx = ptx, .block = {32}, .grid = {32}, .arguments = "a:4096"});
        guint told = 0;
        for (guint w = 0; w < build->warnings->len; w++)
            told += strstr(build->warnings->pdata[w], "take their work here from a counter") != 0;
        g_assert_cmpuint(told, ==, cases[i].told);
    }
}

/* Such a counter is an error where it decides how long a group goes on, from a register or from
 * shared memory, by a branch or by an end of the thread, and not where it only counts, however many
 * a group counts. A group's own counter hands out what is the group's; what the number only leads
 * to decides by itself. */
static void test_queue_refused(void)
{
    static const struct {
        const char *loop;
        gboolean refused;
    } cases[] = {
        {"atom.global.add.u32 %r3, [%rd4], 1;\nsetp.lt.u32 %p1, %r3, 2000;\n@%p1 bra AGAIN;", TRUE},
        {"atom.global.inc.u32 %r3, [%rd4], 100000;\nsetp.lt.u32 %p1, %r3, 2000;\n"
         "@%p1 bra AGAIN;",
         TRUE},
        {"atom.global.add.u32 %r3, [%rd4], 1;\nsetp.ge.u32 %p1, %r3, 2000;\n@%p1 ret;\n"
         "bra.uni AGAIN;",
         TRUE},
        {"atom.shared.add.u32 %r3, [s], 1;\nsetp.lt.u32 %p1, %r3, %r2;\n@%p1 bra AGAIN;", FALSE},
        {"atom.global.add.u32 %r3, [%rd4], 1;\nand.b32 %r3, %r3, 15;\n"
         "mad.wide.u32 %rd5, %r3, 4, %rd4;\nld.global.u32 %r4, [%rd5+64];\n"
         "add.u32 %r1, %r1, 1;\nadd.u32 %r4, %r4, %r1;\nsetp.lt.u32 %p1, %r4, %r2;\n"
         "@%p1 bra AGAIN;",
         FALSE},
        {"atom.global.add.u32 %r3, [%rd4], 1;\nst.shared.u32 [s], %r3;\nbar.sync 0;\n"
         "ld.shared.u32 %r4, [s];\nsetp.lt.u32 %p1, %r4, 2000;\n@%p1 bra AGAIN;",
         TRUE},
        {"atom.global.add.u32 %r3, [%rd4], 1;\nsetp.gt.u32 %p2, %r3, 10;\n@%p2 bra ON;\n"
         "st.global.u32 [%rd4+8], %r3;\nON:\nadd.u32 %r1, %r1, 1;\n"
         "setp.lt.u32 %p1, %r1, %r2;\n@%p1 bra AGAIN;",
         FALSE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *ptx = g_strdup_printf(
            "ld.param.u64 %%rd4, [a];\nmov.u32 %%r5, %%ctaid.x;\nsetp.eq.u32 %%p3, %%r5, 0;\n"
            "selp.u32 %%r2, 2000, 1, %%p3;\nmov.u32 %%r1, 0;\nst.shared.u32 [s], 0;\nAGAIN:\n%s\n",
            cases[i].loop);
        const GraphCase graph = {.ptx = ptx, .block = {32}, .grid = {32}, .arguments = "a:4096"};
        graph_build_whole(&graph, &error);
        g_assert_true(cases[i].refused == (error != NULL));
        g_assert_true(!error || strstr(error->message, "groups take their work here"));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/lift-queues/told", test_queue);
    g_test_add_func("/lift-queues/refused", test_queue_refused);
    return g_test_run();
}
