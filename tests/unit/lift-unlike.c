/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that execute the same and access memory otherwise: what the others move is in no time. */
#include "tests/help/graph-text.h"

#include <string.h>

/* The distance of lanes in each group's access, in words, is 1 but where the group's number says
 * otherwise; %r2 is that number. */
static void test_told(void)
{
    static const struct {
        const char *distance; /* to %r3 */
        gboolean told;
    } cases[] = {
        {"mov.u32 %r3, 1;", FALSE},
        {"and.b32 %r3, %r2, 1;\nmad.lo.u32 %r3, %r3, 7, 1;", TRUE},
        {"setp.ge.u32 %p1, %r2, 48;\nselp.u32 %r3, 8, 1, %p1;", TRUE},
        /* one group of 64 changes little; where rows begin in a sector is in the mean of all */
        {"setp.eq.u32 %p1, %r2, 50;\nselp.u32 %r3, 8, 1, %p1;", FALSE},
        {"mov.u32 %r3, 1;\nand.b32 %r4, %r2, 1;\nadd.u32 %r1, %r1, %r4;", FALSE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *ptx = g_strdup_printf(
            "ld.param.u64 %%rd1, [in];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, %%ctaid.x;\n%s\n"
            "mul.lo.u32 %%r5, %%r1, %%r3;\nmul.wide.u32 %%rd2, %%r5, 4;\nadd.u64 %%rd3, %%rd1, "
            "%%rd2;\nld.global.u32 %%r6, [%%rd3];\nst.shared.u32 [s], %%r6;\n",
            cases[i].distance);
        g_autoptr(PsBuild) build = graph_build(
            &(GraphCase){.ptx = ptx, .block = {64}, .grid = {64}, .arguments = "in:4096"});
        gboolean told = FALSE;
        for (guint w = 0; w < build->warnings->len; w++)
            told = told || strstr(build->warnings->pdata[w], "access other places here");
        g_assert_true(told == cases[i].told);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/lift-unlike/told", test_told);
    return g_test_run();
}
