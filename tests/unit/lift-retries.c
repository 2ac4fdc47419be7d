/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that try an atomic operation until it succeeds: an error where groups meet at one place. */
#include "tests/help/graph-text.h"

#include <string.h>

/* A loop in front of which each thread has its place in %rd4, and its number in %r1. */
#define ADDITION "atom.global.cas.b32 %r4, [%rd4], %r3, %r5;\n"
#define EXCHANGE "atom.global.exch.b32 %r4, [%rd4], %r5;\n"

/* The kernel whose threads of so many bytes apart go round by that atomic operation while the
 * condition of %r4 holds. */
static char *kernel(const char *atomic, const char *apart, const char *condition)
{
    return g_strdup_printf("ld.param.u64 %%rd4, [a];\nmov.u32 %%r1, %%ctaid.x;\n"
                           "mul.wide.u32 %%rd5, %%r1, %s;\nadd.u64 %%rd4, %%rd4, %%rd5;\n"
                           "mov.u32 %%r5, 1;\nmov.u32 %%r2, 0;\nld.global.u32 %%r3, [%%rd4];\n"
                           "AGAIN:\n%smov.u32 %%r3, %%r4;\nadd.u32 %%r2, %%r2, 1;\n"
                           "setp.%s;\n@%%p1 bra AGAIN;\n",
                           apart, atomic, condition);
}

/* Groups at one place are refused where the operation's result ends the loop, for what many groups
 * try at once. Groups with a place each are not, nor is a loop that counts to two, nor one group.
 */
static void test_refused(void)
{
    static const struct {
        const char *atomic, *apart, *condition;
        guint groups;
        gboolean refused;
    } cases[] = {
        {ADDITION, "0", "eq.u32 %p1, %r4, 7", 32, TRUE},
        {EXCHANGE, "0", "eq.u32 %p1, %r4, 7", 32, TRUE},
        {ADDITION, "128", "eq.u32 %p1, %r4, 7", 32, FALSE},
        {ADDITION, "0", "lt.u32 %p1, %r2, 2", 32, FALSE},
        {ADDITION, "0", "eq.u32 %p1, %r4, 7", 1, FALSE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *ptx = kernel(cases[i].atomic, cases[i].apart, cases[i].condition);
        const GraphCase graph = {
            .ptx = ptx, .block = {32}, .grid = {cases[i].groups}, .arguments = "a:4096"};
        graph_build_whole(&graph, &error);
        g_assert_true(cases[i].refused == (error != NULL));
        g_assert_true(!error || strstr(error->message, "at one place until it succeeds"));
    }
}

/* A partial answer says so in a warning, and so does one whose groups have a place each. */
static void test_told(void)
{
    static const char *const apart[] = {"0", "128"};
    for (guint i = 0; i < G_N_ELEMENTS(apart); i++) {
        g_autofree char *ptx = kernel(ADDITION, apart[i], "eq.u32 %p1, %r4, 7");
        g_autoptr(PsBuild) build = graph_build(
            &(GraphCase){.ptx = ptx, .block = {32}, .grid = {32}, .arguments = "a:4096"});
        guint told = 0;
        for (guint w = 0; build && w < build->warnings->len; w++)
            told += strstr(build->warnings->pdata[w], "tries an atomic operation until") != NULL;
        g_assert_cmpuint(told, ==, 1);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/lift-retries/refused", test_refused);
    g_test_add_func("/lift-retries/told", test_told);
    return g_test_run();
}
