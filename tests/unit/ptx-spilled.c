/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes from L1 to L2 of what threads store in their own memory, where L1 has four lines. */
#include "tests/help/pattern-run.h"

#define FOUR_LINES                                                                                 \
    {                                                                                              \
        .l1 = 4 * 128, .resident = 1, .rounds = 1, .grid = { 1, 1, 1 }                             \
    }

static PatternRun group_of_unit(const PsPatternRules *rules)
{
    PatternRun run = pattern_run_new(rules);
    ps_roll_next(run.roll, (PsPatternGroup){.of_unit = TRUE});
    pattern_run_begin(&run, 0, 0, 0);
    return run;
}

/* A word of all lanes is a line. */
static void at_words(PatternRun *run, guint point, guint first, guint end)
{
    for (guint i = first; i < end; i++)
        pattern_run_strided(run, point, 4, 64 + 4 * (guint64)i, 0);
}

static double lines_to_l2(const PatternRun *run, guint point)
{
    return ps_pattern_traffic(pattern_run_pattern(run, point)).l2 / 4;
}

/* Six lines are stored, of which two leave. The loads behind find none of them, and the other four
 * leave meanwhile; what loads brought has not to. */
static void test_leaves(void)
{
    const PsPatternRules rules = FOUR_LINES;
    g_auto(PatternRun) run = group_of_unit(&rules);
    at_words(&run, STACK_STORE, 0, 6);
    at_words(&run, STACK, 0, 6);
    pattern_run_end(&run);
    g_assert_cmpfloat_with_epsilon(lines_to_l2(&run, STACK_STORE), 6, 1e-9);
    g_assert_cmpfloat_with_epsilon(lines_to_l2(&run, STACK), 6, 1e-9);
}

/* Stores to lines that L1 has written, or has room for, ask L2 for nothing. */
static void test_stays(void)
{
    const PsPatternRules rules = FOUR_LINES;
    g_auto(PatternRun) run = group_of_unit(&rules);
    at_words(&run, STACK_STORE, 0, 4);
    at_words(&run, STACK_STORE, 0, 4);
    at_words(&run, STACK, 0, 4);
    pattern_run_end(&run);
    g_assert_cmpfloat(lines_to_l2(&run, STACK_STORE), ==, 0);
    g_assert_cmpfloat(lines_to_l2(&run, STACK), ==, 0);
}

/* Lines that are needed again leave for others, those that were loaded for the last time do not. */
static void test_last(void)
{
    static const guint loads[] = {STACK, STACK_LAST};
    for (guint i = 0; i < G_N_ELEMENTS(loads); i++) {
        const PsPatternRules rules = FOUR_LINES;
        g_auto(PatternRun) run = group_of_unit(&rules);
        for (guint first = 0; first < 12; first += 4) {
            at_words(&run, STACK_STORE, first, first + 4);
            at_words(&run, loads[i], first, first + 4);
        }
        pattern_run_end(&run);
        g_assert_cmpfloat_with_epsilon(lines_to_l2(&run, STACK_STORE), loads[i] == STACK ? 8 : 0,
                                       1e-9);
        g_assert_cmpfloat(lines_to_l2(&run, loads[i]), ==, 0);
    }
}

/* The place of a line that nobody needs is taken before others, though it was used last. */
static void test_place(void)
{
    const PsPatternRules rules = FOUR_LINES;
    g_auto(PatternRun) run = group_of_unit(&rules);
    at_words(&run, STACK_STORE, 0, 4);
    at_words(&run, STACK_LAST, 2, 3);
    at_words(&run, STACK_STORE, 4, 5);
    at_words(&run, STACK, 0, 2);
    at_words(&run, STACK, 3, 5);
    pattern_run_end(&run);
    g_assert_cmpfloat(lines_to_l2(&run, STACK_STORE), ==, 0);
    g_assert_cmpfloat(lines_to_l2(&run, STACK), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-spilled/leaves", test_leaves);
    g_test_add_func("/ptx-spilled/stays", test_stays);
    g_test_add_func("/ptx-spilled/last", test_last);
    g_test_add_func("/ptx-spilled/place", test_place);
    return g_test_run();
}
