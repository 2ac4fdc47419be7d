/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that sleep: an error, but for loops that wait for others and for partial answers. */
#include "tests/help/graph-text.h"

#include <string.h>

/* A sleep by itself, in a loop that counts, after a branch that nobody takes, and in a loop that
 * ends by what is in memory, or in a loop that reads something else. */
static void test_refused(void)
{
    static const struct {
        const char *ptx;
        gboolean refused;
    } cases[] = {
        {"nanosleep.u32 20;\n", TRUE},
        {"mov.u32 %r2, 0;\nAGAIN:\nnanosleep.u32 20;\nadd.u32 %r2, %r2, 1;\n"
         "setp.lt.u32 %p1, %r2, 4;\n@%p1 bra AGAIN;\n",
         TRUE},
        {"bra.uni DONE;\nnanosleep.u32 20;\nDONE:\n", FALSE},
        {"AGAIN:\nnanosleep.u32 20;\nld.global.u32 %r3, [%rd4];\nsetp.ne.u32 %p1, %r3, 0;\n"
         "@%p1 bra AGAIN;\n",
         FALSE},
        {"mov.u32 %r2, 0;\nAGAIN:\nnanosleep.u32 20;\nld.global.u32 %r3, [%rd4];\n"
         "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 4;\n@%p1 bra AGAIN;\n",
         TRUE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *ptx = g_strconcat("ld.param.u64 %rd4, [a];\n", cases[i].ptx,
                                           "mov.u32 %r5, 1;\nst.global.u32 [%rd4], %r5;\n", NULL);
        const GraphCase graph = {.ptx = ptx, .block = {32}, .arguments = "a:4096"};
        graph_build_whole(&graph, &error);
        g_assert_true(cases[i].refused == (error != NULL));
        g_assert_true(!error || strstr(error->message, "threads sleep here"));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/lift-sleeps/refused", test_refused);
    return g_test_run();
}
