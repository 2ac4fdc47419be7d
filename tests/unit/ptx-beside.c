/* SPDX-License-Identifier: BSD-3-Clause */
/* How accesses of the same threads lie to each other: of requests that are written down by hand,
 * and as the attributes of a graph. */
#include "lift/memory/beside.h"
#include "tests/help/pattern-run.h"

static const PsPtxExtent extents[] = {{"a", A, 0x10000}, {"b", B, 0x10000}};

static PatternRun run_new(void)
{
    const PsPatternRules rules = {.grid = {4, 1, 1}, .n_extents = 2, .extents = extents};
    PatternRun run = pattern_run_new(&rules);
    pattern_run_begin(&run, 0, 0, 0);
    return run;
}

/* Any pattern of the point: what is found of it is of all. */
static const PsBeside *found(const PatternRun *run, guint point)
{
    const GPtrArray *all = ps_roll_patterns(run->roll);
    for (guint i = 0; i < all->len; i++)
        if (((const PsPattern *)all->pdata[i])->point == point)
            return ps_pattern_beside(all->pdata[i]);
    g_assert_not_reached();
}

/* ---- beside -------------------------------------------------------------------------------- */

/* One point's accesses follow those of another, 4 bytes further on. */
static void test_beside(void)
{
    g_auto(PatternRun) run = run_new();
    for (guint i = 0; i < 3; i++) {
        pattern_run_strided(&run, LOAD, 4, A + 512 * i, 16);
        pattern_run_strided(&run, CACHED, 4, A + 512 * i + 4, 16);
        pattern_run_strided(&run, BYPASS, 4, A + 512 * i + 24, 16);
    }
    pattern_run_end(&run);
    g_assert_cmpuint(found(&run, CACHED)->other, ==, LOAD);
    g_assert_cmpint(found(&run, CACHED)->distance, ==, 4);
    g_assert_cmpuint(found(&run, LOAD)->unit, ==, 16);
    g_assert_cmpuint(found(&run, CACHED)->low, ==, 4);
    g_assert_cmpuint(found(&run, BYPASS)->other, ==, PS_PTX_NOWHERE); /* 20 bytes are too far */
}

/* Once elsewhere, once more often, or with other lanes, and it is not beside. */
static void test_not_beside(void)
{
    static const struct {
        guint64 first, second, stride;
        guint times;
    } cases[] = {{512, 520, 16, 1}, {512, 516, 16, 2}, {512, 516, 32, 1}};
    for (gsize c = 0; c < G_N_ELEMENTS(cases); c++) {
        g_auto(PatternRun) run = run_new();
        pattern_run_strided(&run, LOAD, 4, A, 16);
        pattern_run_strided(&run, CACHED, 4, A + 4, 16);
        pattern_run_strided(&run, LOAD, 4, A + cases[c].first, 16);
        for (guint i = 0; i < cases[c].times; i++)
            pattern_run_strided(&run, CACHED, 4, A + cases[c].second, cases[c].stride);
        pattern_run_end(&run);
        g_assert_cmpuint(found(&run, CACHED)->other, ==, PS_PTX_NOWHERE);
    }
}

/* ---- runs ---------------------------------------------------------------------------------- */

/* Each thread reads eight elements of its own row, three times the same one, and stores to one. */
static void test_runs(void)
{
    g_auto(PatternRun) run = run_new();
    for (guint row = 0; row < 2; row++)
        for (guint i = 0; i < 8; i++) {
            pattern_run_strided(&run, LOAD, 4, A + 0x4000 * row + 4 * i, 32);
            pattern_run_strided(&run, CACHED, 4, B + 128 * (i / 4), 4);
            pattern_run_strided(&run, STORE, 4, B + 0x2000, 4);
        }
    pattern_run_end(&run);
    g_assert_cmpint(found(&run, LOAD)->walks, ==, 8);
    g_assert_cmpint(found(&run, LOAD)->stays, ==, 1);
    g_assert_cmpint(found(&run, CACHED)->stays, ==, 4);
    g_assert_cmpint(found(&run, STORE)->stays, ==, 16);
}

/* A walk from a place that is no multiple of 16 bytes is none. */
static void test_walk_aligned(void)
{
    g_auto(PatternRun) run = run_new();
    for (guint i = 0; i < 8; i++) {
        pattern_run_strided(&run, LOAD, 4, A + 4 + 4 * i, 32);
        pattern_run_strided(&run, CACHED, 4, A + 4 * i, 36);
    }
    pattern_run_end(&run);
    g_assert_cmpint(found(&run, LOAD)->walks, ==, 1);
    g_assert_cmpint(found(&run, CACHED)->walks, ==, 1);
}

/* ---- where rows begin ---------------------------------------------------------------------- */

/* All of the buffer begin 4 bytes into a sector, so another place would help; a single lane
 * elsewhere is no row. */
static void test_begin(void)
{
    g_auto(PatternRun) run = run_new();
    const guint64 one = A;
    pattern_run_strided(&run, LOAD, 4, A + 4, 4);
    pattern_run_strided(&run, CACHED, 4, A + 132, 4);
    pattern_run_request(&run, BYPASS, 4, 1, &one);
    pattern_run_strided(&run, STORE, 4, B, 4);
    pattern_run_end(&run);
    g_assert_cmpuint(ps_pattern_begin(pattern_run_pattern(&run, LOAD)), ==, 4);
    g_assert_cmpuint(ps_pattern_begin(pattern_run_pattern(&run, CACHED)), ==, 4);
    g_assert_cmpuint(ps_pattern_begin(pattern_run_pattern(&run, STORE)), ==, 0);
}

/* The neighbours of each element: no place is right for all. */
static void test_stencil(void)
{
    g_auto(PatternRun) run = run_new();
    pattern_run_strided(&run, LOAD, 4, A + 28, 4);
    pattern_run_strided(&run, CACHED, 4, A + 32, 4);
    pattern_run_end(&run);
    g_assert_cmpuint(ps_pattern_begin(pattern_run_pattern(&run, LOAD)), ==, 0);
}

/* Rows of 1001 elements begin anywhere; two elements of such rows, beside each other, do, too, but
 * no length of a row would help both. */
static void test_rows(void)
{
    g_auto(PatternRun) run = run_new();
    for (guint row = 0; row < 4; row++) {
        const guint64 at = (guint64)4004 * row;
        pattern_run_strided(&run, STORE, 4, A + at, 4);
        pattern_run_strided(&run, LOAD, 4, B + at, 4);
        pattern_run_strided(&run, CACHED, 4, B + at + 4, 4);
    }
    pattern_run_end(&run);
    const GPtrArray *all = ps_roll_patterns(run.roll);
    for (guint i = 0; i < all->len; i++) {
        const PsPattern *pattern = all->pdata[i];
        g_assert_cmpuint(ps_pattern_begin(pattern), ==, pattern->point == STORE ? PS_SECTOR : 0);
    }
}

/* ---- what is loaded again ------------------------------------------------------------------ */

/* Three of four loads of a buffer are of what the first one, or the same one, brought. Which of the
 * two points came first says nothing. */
static void test_distinct(void)
{
    g_auto(PatternRun) run = run_new();
    for (guint i = 0; i < 2; i++) {
        pattern_run_strided(&run, LOAD, 4, A, 4);
        pattern_run_strided(&run, CACHED, 4, A, 4);
        pattern_run_strided(&run, BYPASS, 4, B + 128 * i, 4);
    }
    pattern_run_end(&run);
    g_assert_cmpfloat(ps_pattern_traffic(pattern_run_pattern(&run, LOAD)).distinct, ==, 2);
    g_assert_cmpfloat(ps_pattern_traffic(pattern_run_pattern(&run, CACHED)).distinct, ==, 2);
    g_assert_cmpfloat(ps_pattern_traffic(pattern_run_pattern(&run, BYPASS)).distinct, ==, 8);
    g_assert_true(ps_pattern_is_reused(pattern_run_pattern(&run, LOAD)));
    g_assert_false(ps_pattern_is_reused(pattern_run_pattern(&run, BYPASS)));
}

/* Threads that read here and there: nobody could have known what again. */
static void test_irregular(void)
{
    g_auto(PatternRun) run = run_new();
    for (guint i = 1; i < 9; i++)
        pattern_run_strided(&run, LOAD, 4, A, (guint64)4 * i);
    pattern_run_end(&run);
    const GPtrArray *all = ps_roll_patterns(run.roll);
    for (guint i = 0; i < all->len; i++)
        g_assert_false(ps_pattern_is_reused(all->pdata[i]));
    g_assert_cmpuint(all->len, >, 1);
}

/* ---- atomics that meet --------------------------------------------------------------------- */

static guint lanes_that_meet(const guint64 *address, guint64 elsewhere)
{
    const PsPatternRules rules = {.grid = {4, 1, 1}, .n_extents = 2, .extents = extents};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    for (guint group = 0; group < 2; group++) {
        ps_roll_next(run.roll, (PsPatternGroup){.apart = TRUE});
        pattern_run_begin(&run, group, 0, 0);
        pattern_run_request(&run, ATOMIC, 4, ALL, address);
        pattern_run_end(&run);
    }
    guint64 other[PS_PTX_LANES];
    for (guint i = 0; i < PS_PTX_LANES; i++)
        other[i] = address[i] + elsewhere;
    ps_roll_next(run.roll, (PsPatternGroup){.apart = TRUE});
    pattern_run_begin(&run, 2, 0, 0);
    pattern_run_request(&run, ATOMIC, 4, ALL, other);
    pattern_run_end(&run);
    PsMeeting meeting = {0};
    g_assert_true(ps_pattern_meeting(ps_roll_patterns(run.roll)->pdata[0], &meeting));
    return meeting.lanes;
}

static void test_meet(void)
{
    guint64 one[PS_PTX_LANES], four[PS_PTX_LANES];
    for (guint i = 0; i < PS_PTX_LANES; i++) {
        one[i] = A + 64;
        four[i] = A + (guint64)4 * (i % 4);
    }
    g_assert_cmpuint(lanes_that_meet(one, 0), ==, 32);
    g_assert_cmpuint(lanes_that_meet(one, 4), ==, 31); /* not always at the same one */
    g_assert_cmpuint(lanes_that_meet(four, 0), ==, 8);
}

/* Half of the lanes add to one word; 8 to words of one sector of the line beside it, at once; 6 to
 * words of a sector far from there, 2 to one of these. Where a place is four lines, both lines are
 * one. */
static void test_turns(void)
{
    static const struct {
        guint place, line;
        double share;
    } cases[] = {{0, 5, 16}, {4, 4, 17}};
    guint64 address[PS_PTX_LANES];
    for (guint i = 0; i < PS_PTX_LANES; i++)
        address[i] = i < 16 ? A + 640 : i < 24 ? A + 768 + 4 * (i - 16) : A + 2048 + 4 * (i % 6);
    for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
        const PsPatternRules rules = {
            .grid = {4, 1, 1}, .n_extents = 2, .extents = extents, .place = cases[k].place};
        g_auto(PatternRun) run = pattern_run_new(&rules);
        for (guint group = 0; group < 2; group++) {
            ps_roll_next(run.roll, (PsPatternGroup){.apart = TRUE});
            pattern_run_begin(&run, group, 0, 0);
            pattern_run_request(&run, ATOMIC, 4, ALL, address);
            pattern_run_end(&run);
        }
        PsMeeting meeting = {0};
        g_assert_true(ps_pattern_meeting(ps_roll_patterns(run.roll)->pdata[0], &meeting));
        g_assert_cmpuint(meeting.serial, ==, 16 + 1 + 2);
        g_assert_cmpfloat(meeting.share, ==, cases[k].share / (16 + 1 + 2));
        g_assert_cmpuint(meeting.line, ==, cases[k].line);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-beside/beside", test_beside);
    g_test_add_func("/ptx-beside/not-beside", test_not_beside);
    g_test_add_func("/ptx-beside/runs", test_runs);
    g_test_add_func("/ptx-beside/walk-aligned", test_walk_aligned);
    g_test_add_func("/ptx-beside/begin", test_begin);
    g_test_add_func("/ptx-beside/stencil", test_stencil);
    g_test_add_func("/ptx-beside/rows", test_rows);
    g_test_add_func("/ptx-beside/distinct", test_distinct);
    g_test_add_func("/ptx-beside/irregular", test_irregular);
    g_test_add_func("/ptx-beside/meet", test_meet);
    g_test_add_func("/ptx-beside/turns", test_turns);
    return g_test_run();
}
