/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Additions to words of shared memory that all lanes share: of one, whose result nobody reads,
 * chips from compute capability 8.0 on count lanes in one pass; all others take turns. And
 * compare-and-swap, which is a class of its own.
 */
#include "lift/memory/pattern.h"
#include "tests/help/graph-text.h"

#include <string.h>

#define START "ld.param.u64 %rd1, [a];\nmov.u32 %r1, %tid.x;\n"

/* The graph of that text for such a target has that class. */
static void assert_class(const char *target, const char *ptx, const char *class_name)
{
    const GraphCase graph = {.ptx = ptx, .arguments = "a:4096", .block = {32}, .target = target};
    g_autoptr(PsBuild) build = graph_build(&graph);
    g_autofree char *lines = graph_lines(build->idg);
    g_autofree char *said = g_strdup_printf(" %s", class_name);
    const char *found = strstr(lines, said);
    g_assert_true(found && (!found[strlen(said)] || strchr(" \n", found[strlen(said)])));
    if (!found)
        g_test_message("%s: %s lacks %s", target, lines, class_name);
}

static void test_counts(void)
{
    static const char one[] = START "atom.shared.add.u32 %r2, [t], 1;\n",
                      plain[] = START "red.shared.add.u32 [t], 1;\n",
                      two[] = START "atom.shared.add.u32 %r2, [t], 2;\n",
                      own[] = START "atom.shared.add.u32 %r2, [t], %r1;\n",
                      used[] = START "atom.shared.add.u32 %r2, [t], 1;\n"
                                     "st.shared.u32 [t+4], %r2;\n",
                      stored[] = START "atom.shared.add.u32 %r2, [t], 1;\n"
                                       "st.shared.v2.u32 [t+8], {%r1, %r2};\n",
                      wide[] = START "st.shared.u64 [t], %rd1;\n"
                                     "atom.shared.add.u64 %rd2, [t], 1;\n",
                      least[] = START "atom.shared.min.u32 %r2, [t], 1;\n";
    assert_class("sm_80", one, "atomic.local");
    assert_class("sm_90a", plain, "atomic.local");
    assert_class("sm_75", one, "atomic.local.c32");
    static const char *const others[] = {two, own, used, stored, least};
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        assert_class("sm_80", others[i], "atomic.local.c32");
    assert_class("sm_80", wide, "atomic.local.cas.c11"); /* a loop; mean of its turns */
}

static void test_swap(void)
{
    assert_class("sm_80", START "atom.shared.cas.b32 %r2, [t], 1, 2;\n", "atomic.local.cas.c32");
}

static void test_targets(void)
{
    static const struct {
        const char *target;
        gboolean counts;
    } cases[] = {{"sm_80", TRUE}, {"sm_120a", TRUE},  {"sm_75", FALSE},
                 {"sm_9", FALSE}, {"texmode", FALSE}, {"", FALSE}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        g_assert_cmpint(ps_target_counts(cases[i].target), ==, cases[i].counts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/lift-counting/counts", test_counts);
    g_test_add_func("/lift-counting/swap", test_swap);
    g_test_add_func("/lift-counting/targets", test_targets);
    return g_test_run();
}
