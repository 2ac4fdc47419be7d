/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of device memory that groups open for one line alone. Rows have 1 KB. */
#include "tests/help/pattern-run.h"

#define ROW 1024

static const PsPatternRules three = {.rows = TRUE, .grid = {3, 1, 1}};

/* The rows that a launch of three groups opens at a point, each group x with its lanes `stride`
 * bytes apart from A + x * apart on. */
static double rows_of(const PsPatternRules *rules, guint point, guint64 apart, guint64 stride)
{
    g_auto(PatternRun) run = pattern_run_new(rules);
    for (guint x = 0; x < 3; x++) {
        pattern_run_begin(&run, x, 0, 0);
        pattern_run_strided(&run, point, 4, A + x * apart, stride);
        pattern_run_end(&run);
    }
    return ps_pattern_traffic(pattern_run_pattern(&run, point)).rows;
}

/* Lanes with a row each open as many; with two or more in a row, none; nor do accesses in order. */
static void test_alone(void)
{
    const guint64 far = 32 * 4 * ROW;
    g_assert_cmpfloat(rows_of(&three, LOAD, far, ROW), ==, 3 * 32);
    g_assert_cmpfloat(rows_of(&three, LOAD, far, 3 * ROW), ==, 3 * 32);
    g_assert_cmpfloat(rows_of(&three, LOAD, far, ROW / 2), ==, 0);
    g_assert_cmpfloat(rows_of(&three, LOAD, 128, 4), ==, 0);
    g_assert_cmpfloat(rows_of(&three, STORE, far, ROW), ==, 3 * 32);
    const PsPatternRules not_asked = {.grid = {3, 1, 1}};
    g_assert_cmpfloat(rows_of(&not_asked, LOAD, far, ROW), ==, 0);
}

/* Groups beside each other that have the next lines of each row, or the same, open none for
 * themselves. */
static void test_neighbours(void)
{
    g_assert_cmpfloat(rows_of(&three, LOAD, 128, ROW), ==, 0);
    g_assert_cmpfloat(rows_of(&three, LOAD, 0, ROW), ==, 0);
}

/* A line that two loads touch, each a sector, counts for the first sector's. */
static void test_once(void)
{
    g_auto(PatternRun) run = pattern_run_new(&three);
    for (guint x = 0; x < 3; x++) {
        pattern_run_begin(&run, x, 0, 0);
        pattern_run_strided(&run, LOAD, 4, A + x * 32 * 4 * ROW + 32, ROW);
        pattern_run_strided(&run, CACHED, 4, A + x * 32 * 4 * ROW, ROW);
        pattern_run_end(&run);
    }
    g_assert_cmpfloat(ps_pattern_traffic(pattern_run_pattern(&run, LOAD)).rows, ==, 0);
    g_assert_cmpfloat(ps_pattern_traffic(pattern_run_pattern(&run, CACHED)).rows, ==, 3 * 32);
}

/* Nothing is known of groups without neighbours. */
static void test_unknown(void)
{
    const PsPatternRules many = {.rows = TRUE, .grid = {3, 4, 1}};
    g_assert_cmpfloat(rows_of(&many, LOAD, 32 * 4 * ROW, ROW), ==, 0);
}

/* An atomic reads its sector and writes it back: two rows. Masks spare a store that reading. */
static void test_written(void)
{
    const PsPatternRules reads = {.rows = TRUE, .grid = {3, 1, 1}, .l2 = 128},
                         masked = {.rows = TRUE, .grid = {3, 1, 1}, .l2 = 128, .masked = TRUE};
    const guint64 far = 32 * 4 * ROW;
    g_assert_cmpfloat(rows_of(&three, ATOMIC, far, ROW), ==, 3 * 64);
    g_assert_cmpfloat_with_epsilon(rows_of(&reads, STORE, far, ROW), 3 * 64, 1.5);
    g_assert_cmpfloat(rows_of(&masked, STORE, far, ROW), ==, 3 * 32);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cache-rows/alone", test_alone);
    g_test_add_func("/cache-rows/neighbours", test_neighbours);
    g_test_add_func("/cache-rows/once", test_once);
    g_test_add_func("/cache-rows/unknown", test_unknown);
    g_test_add_func("/cache-rows/written", test_written);
    return g_test_run();
}
