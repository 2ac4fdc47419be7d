/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that take their numbers from a counter: each is executed once, so that none gets a number
 * beyond those that the launch has. */
#include "tests/help/graph-text.h"

#define GROUPS 33

/* A group's number is in %r1, and its own place, of which the buffer has one for each group, in
 * %rd4. What a group does goes by its number: it turns number & MASK times. */
#define KERNEL(MASK)                                                                               \
    "ld.param.u64 %rd1, [counter];\nld.param.u64 %rd2, [own];\nmov.u32 %r5, %tid.x;\n"             \
    "setp.ne.u32 %p1, %r5, 0;\n@%p1 bra MET;\natom.global.add.u32 %r1, [%rd1], 1;\n"               \
    "st.shared.u32 [t], %r1;\nMET:\nbar.sync 0;\nld.shared.u32 %r1, [t];\n"                        \
    "mul.wide.u32 %rd3, %r1, 128;\nadd.u64 %rd4, %rd2, %rd3;\nmul.wide.u32 %rd5, %r5, 4;\n"        \
    "add.u64 %rd4, %rd4, %rd5;\nld.global.u32 %r2, [%rd4];\nand.b32 %r3, %r1, " MASK ";\n"         \
    "AGAIN:\nadd.u32 %r2, %r2, %r3;\nsub.u32 %r3, %r3, 1;\nsetp.gt.s32 %p2, %r3, 0;\n"             \
    "@%p2 bra AGAIN;\nst.global.u32 [%rd4], %r2;\n"

/* Groups that do the same, of few kinds, of as many kinds as there are, and long ones. */
static void test_once(void)
{
    static const char *const ptx[] = {KERNEL("0"), KERNEL("3"), KERNEL("31"), KERNEL("16384")};
    for (guint i = 0; i < G_N_ELEMENTS(ptx); i++) {
        g_autofree char *arguments = g_strdup_printf("counter:4 own:%u", GROUPS * 128);
        g_autoptr(PsBuild) build = graph_build(
            &(GraphCase){.ptx = ptx[i], .grid = {GROUPS}, .block = {32}, .arguments = arguments});
        g_assert_nonnull(build);
    }
}

/* Groups behind a border have nothing to do, wherever it is. The border is found by a few groups
 * along a row, unless groups take numbers, so that each of them may lie anywhere. */
static void test_border(void)
{
    static const struct {
        const char *atomic;
        gboolean takes;
    } cases[] = {{"red.global.add.u32 [%rd1], 1;", FALSE},
                 {"atom.global.add.u32 %r9, [%rd1], 1;", FALSE},
                 {"atom.global.add.u32 _, [%rd1], 1;", FALSE},
                 {"atom.global.add.u32 %r9, [%rd1], 1;\nst.global.u32 [%rd1+4], %r9;", TRUE}};
    guint64 groups[G_N_ELEMENTS(cases)];
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *ptx =
            g_strdup_printf("ld.param.u64 %%rd1, [counter];\nmov.u32 %%r1, %%ctaid.x;\n"
                            "setp.gt.u32 %%p1, %%r1, 61237;\n@%%p1 bra END;\n%s\nEND:\n",
                            cases[i].atomic);
        g_autoptr(PsBuild) build = graph_build(
            &(GraphCase){.ptx = ptx, .grid = {100000}, .block = {32}, .arguments = "counter:8"});
        groups[i] = build->groups;
        g_assert_true(cases[i].takes ? groups[i] != groups[0] : groups[i] == groups[0]);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/lift-numbers/once", test_once);
    g_test_add_func("/lift-numbers/border", test_border);
    return g_test_run();
}
