/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What groups share that run at the same time, wherever they lie in the grid, and what is left of
 * L2 for each of them, against values worked out by hand.
 */
#include "lift/memory/cache.h"
#include "tests/help/hand-code.h"
#include "tests/help/pattern-run.h"

#define REQUESTS 4 /* of a group, for each of its two tiles */
#define LINE 128

/* ---- tiles in an order of their own -------------------------------------------------------- */

/* Group g of a product: tile g % 8 of A, tile g / 8 of B, or, where it is strange, all but the
 * first line of them for itself. */
static void tiles(PatternRun *run, guint g, guint requests, gboolean strange,
                  void (*ask)(PatternRun *run, guint point, guint64 address))
{
    for (guint i = 0; i < requests; i++) {
        const guint64 own = strange && i > 0 ? (guint64)(1 + g) << 16 : 0;
        ask(run, LOAD, A + own + ((guint64)(g % 8) * REQUESTS + i) * LINE);
        ask(run, CACHED, B + own + ((guint64)(g / 8) * REQUESTS + i) * LINE);
    }
}

static void ask_whole(PatternRun *run, guint point, guint64 address)
{
    pattern_run_strided(run, point, 4, address, 4);
}

static void ask_begun(PatternRun *run, guint point, guint64 address)
{
    guint64 addresses[PS_PTX_LANES];
    for (guint i = 0; i < PS_PTX_LANES; i++)
        addresses[i] = address + (guint64)i * 4;
    const PsPtxEvent event = {.point = point,
                              .active = ALL,
                              .mask = ALL,
                              .memory = TRUE,
                              .space = PS_PTX_GLOBAL,
                              .bytes = 4,
                              .address = addresses};
    ps_roll_wave_access(run->roll, &event);
}

/* Two groups are executed, and some round the middle begin. */
static void product(PatternRun *run, guint first, guint n, guint one, gboolean strange)
{
    for (guint g = first; g < first + n; g++) {
        ps_roll_wave_begins(run->roll, first);
        tiles(run, g, 1, strange, ask_begun);
    }
    for (guint g = one; g <= 32; g += 32 - one) {
        pattern_run_begin(run, g, 0, 0);
        tiles(run, g, REQUESTS, strange, ask_whole);
        pattern_run_end(run);
    }
}

static void check(const PsPatternRules *rules, guint n, double a, double b)
{
    const double sectors = 2.0 * REQUESTS * LINE / PS_SECTOR;
    g_auto(PatternRun) run = pattern_run_new(rules);
    product(&run, 32 - n / 2, n, 31, FALSE); /* which share nothing */
    g_assert_cmpfloat(pattern_run_pattern(&run, LOAD)->to_device, ==, sectors * a);
    g_assert_cmpfloat(pattern_run_pattern(&run, CACHED)->to_device, ==, sectors * b);
}

/* A wave of 16 groups has two columns of tiles: 8 tiles of A and 2 of B are fetched. */
static void test_wave(void)
{
    check(&(PsPatternRules){.grid = {64, 1, 1}, .units = 8, .resident = 2, .l2 = LINE}, 16,
          8 / 16.0, 2 / 16.0);
}

/* If no group begins, nobody knows: the two that were executed share nothing. */
static void test_nothing_known(void)
{
    check(&(PsPatternRules){.grid = {64, 1, 1}, .units = 8, .resident = 2, .l2 = LINE}, 0, 1, 1);
}

/* Where L2 keeps more than a wave, its groups find A, which is never fetched again: of 32 groups
 * the first 16 fetch 8 tiles, the others none. Of B each column is new. */
static void test_kept(void)
{
    check(&(PsPatternRules){.grid = {64, 1, 1}, .units = 8, .resident = 2, .l2 = 1 << 20}, 32,
          8 / 64.0, 8 / 64.0);
}

/* L2 holds 10 tiles: those of A, and of B those of two waves. */
static void test_kept_in_part(void)
{
    check(
        &(PsPatternRules){
            .grid = {64, 1, 1}, .units = 8, .resident = 1, .l2 = 10 * REQUESTS * LINE},
        32, 8 / 64.0, 8 / 64.0);
}

/* Half a line of each of a group's requests; its neighbour has the other half. */
static void ask_half(PatternRun *run, guint g, guint i, gboolean begun)
{
    const guint64 at = A + ((guint64)(g % 16 / 2) * REQUESTS + i) * LINE + g % 2 * (LINE / 2);
    guint64 addresses[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        addresses[lane] = at + 2 * (guint64)lane;
    const PsPtxEvent event = {.point = LOAD,
                              .active = ALL,
                              .mask = ALL,
                              .memory = TRUE,
                              .space = PS_PTX_GLOBAL,
                              .bytes = 2,
                              .address = addresses};
    if (begun)
        ps_roll_wave_access(run->roll, &event);
    else
        pattern_run_request(run, LOAD, 2, ALL, addresses);
}

/* 16 groups touch all there is, in 32 lines: where L2 has room for these, the 48 others find it. */
static void test_kept_lines(void)
{
    for (guint fit = 0; fit < 2; fit++) {
        const PsPatternRules rules = {
            .grid = {64, 1, 1}, .units = 2, .resident = 1, .l2 = (28 + 4 * fit) * LINE};
        g_auto(PatternRun) run = pattern_run_new(&rules);
        for (guint g = 16; g < 48; g++) {
            ps_roll_wave_begins(run.roll, 16);
            ask_half(&run, g, 0, TRUE);
        }
        for (guint g = 31; g <= 32; g++) {
            pattern_run_begin(&run, g, 0, 0);
            for (guint i = 0; i < REQUESTS; i++)
                ask_half(&run, g, i, FALSE);
            pattern_run_end(&run);
        }
        const double sectors = 2.0 * REQUESTS * LINE / 2 / PS_SECTOR;
        g_assert_cmpfloat(pattern_run_pattern(&run, LOAD)->to_device, ==,
                          fit ? sectors * 16 / 64 : sectors);
    }
}

/* A launch of no more groups than began fetches what these do. */
static void test_small(void)
{
    PsPatternRules rules = {.grid = {64, 1, 1}, .units = 64, .resident = 1, .l2 = LINE};
    check(&rules, 64, 8 / 64.0, 8 / 64.0);
}

/* Groups that begin at the same lines and go on to others share nothing. */
static void test_apart(void)
{
    const PsPatternRules rules = {.grid = {64, 1, 1}, .units = 16, .resident = 2, .l2 = LINE};
    const double sectors = 2.0 * REQUESTS * LINE / PS_SECTOR;
    g_auto(PatternRun) run = pattern_run_new(&rules);
    product(&run, 16, 32, 24, TRUE);
    g_assert_cmpfloat(pattern_run_pattern(&run, LOAD)->to_device, ==, sectors);
}

/* Neighbours that share half a line do not fetch it twice, nor half of it: sectors count. */
static void test_halves(void)
{
    const PsPatternRules rules = {.grid = {16, 1, 1}, .units = 16, .resident = 1, .l2 = 1 << 20};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    for (guint g = 0; g < 16; g++) {
        guint64 addresses[PS_PTX_LANES];
        ps_roll_wave_begins(run.roll, 0);
        for (guint i = 0; i < PS_PTX_LANES; i++)
            addresses[i] = A + (guint64)g * 64 + i % 16 * 4;
        const PsPtxEvent event = {.point = LOAD,
                                  .active = ALL,
                                  .mask = ALL,
                                  .memory = TRUE,
                                  .space = PS_PTX_GLOBAL,
                                  .bytes = 4,
                                  .address = addresses};
        ps_roll_wave_access(run.roll, &event);
    }
    pattern_run_begin(&run, 7, 0, 0);
    pattern_run_strided(&run, LOAD, 2, A + 7 * 64, 2);
    pattern_run_end(&run);
    g_assert_cmpfloat(pattern_run_pattern(&run, LOAD)->to_device, ==, 2);
}

/* ---- loops that load ------------------------------------------------------------------------ */

static void load_line(PsPatterns *patterns, guint g, gboolean begun)
{
    guint64 addresses[PS_PTX_LANES];
    for (guint i = 0; i < PS_PTX_LANES; i++)
        addresses[i] = A + (guint64)(g / 2) * LINE + (guint64)i * 4;
    const PsPtxEvent event = {.active = ALL,
                              .mask = ALL,
                              .memory = TRUE,
                              .space = PS_PTX_GLOBAL,
                              .bytes = 4,
                              .address = addresses};
    if (begun)
        ps_patterns_wave_access(patterns, &event);
    else
        ps_patterns_access(patterns, &event);
}

/* What the launch fetches of a line that two groups beside each other load in a loop, of all that
 * they ask for. */
static double fetched_in_loop(const char *mnemonic)
{
    const PsPatternRules rules = {.grid = {64, 1, 1}, .units = 16, .resident = 2, .l2 = LINE};
    const PsPtxLoop loop = {0};
    PsPtxCode *code = hand_code(&(HandPoint){mnemonic, NOWHERE, 0}, 1, &loop, 1);
    PsPatterns *patterns = ps_patterns_new(code, &rules);
    for (guint g = 16; g < 48; g++) {
        ps_patterns_wave_begins(patterns, 16);
        load_line(patterns, g, TRUE);
    }
    for (guint g = 32; g < 34; g++) {
        ps_patterns_group_begins(patterns, (const guint[]){g, 0, 0}, (PsPatternGroup){0});
        load_line(patterns, g, FALSE);
        ps_patterns_group_ends(patterns);
    }
    ps_patterns_settle(patterns);
    const PsTraffic traffic = ps_pattern_traffic(ps_patterns_all(patterns)->pdata[0]);
    ps_patterns_free(patterns);
    hand_code_free(code);
    return traffic.device / traffic.l2;
}

/* Those of the wave are seen to share half: what the two that were executed share, all, stands for
 * no others. Copies to local memory load, too. */
static void test_loops(void)
{
    g_assert_cmpfloat(fetched_in_loop("ld.global.f32"), ==, 0.5);
    g_assert_cmpfloat(fetched_in_loop("cp.async.ca.shared.global"), ==, 0.5);
}

static void load_lines(PsPatterns *patterns, guint g, guint n, gboolean begun)
{
    for (guint i = 0; i < n; i++)
        load_line(patterns, 2 * (2 * g + i), begun);
}

/* Windows of 8 lines that move along by 2: the wave's groups begin with 4, of which the group
 * before has 2, and go on to others, which it has, too. So a quarter is new to each group and not
 * half, although a third group that was executed shares nothing with the two that do. */
static void test_windows(void)
{
    const PsPatternRules rules = {.grid = {64, 1, 1}, .units = 16, .resident = 1};
    const guint whole[] = {24, 32, 33};
    const PsPtxLoop loop = {0};
    PsPtxCode *code = hand_code(&(HandPoint){"ld.global.f32", NOWHERE, 0}, 1, &loop, 1);
    PsPatterns *patterns = ps_patterns_new(code, &rules);
    for (guint g = 24; g < 40; g++) {
        ps_patterns_wave_begins(patterns, 24);
        load_lines(patterns, g, 4, TRUE);
    }
    for (guint k = 0; k < G_N_ELEMENTS(whole); k++) {
        ps_patterns_group_begins(patterns, (const guint[]){whole[k], 0, 0}, (PsPatternGroup){0});
        load_lines(patterns, whole[k], 8, FALSE);
        ps_patterns_group_ends(patterns);
    }
    ps_patterns_settle(patterns);
    const PsTraffic traffic = ps_pattern_traffic(ps_patterns_all(patterns)->pdata[0]);
    g_assert_cmpfloat_with_epsilon(traffic.device / traffic.l2, (1 + 63 / 4.0) / 64, 1e-9);
    ps_patterns_free(patterns);
    hand_code_free(code);
}

/* ---- a group's part of L2 ------------------------------------------------------------------ */

#define LINES 8

/* What the launch fetches of 8 lines that a group reads twice. */
static double twice(const PsPatternRules *rules, guint64 from)
{
    g_auto(PatternRun) run = pattern_run_new(rules);
    for (guint g = 0; g < 2; g++) {
        ps_roll_next(run.roll, (PsPatternGroup){.of_unit = TRUE, .round = g});
        pattern_run_begin(&run, 7 + g, 0, 0);
        for (guint i = 0; i < 2 * LINES; i++)
            pattern_run_strided(&run, LOAD, 4, A + g * from + (guint64)(i % LINES) * LINE, 4);
        pattern_run_end(&run);
    }
    const double sectors = 2.0 * LINES * LINE / PS_SECTOR;
    return pattern_run_pattern(&run, LOAD)->to_device / sectors;
}

/* Sixteen groups at once, each of its own lines: an L2 of 16 times 8 lines has room, a smaller one
 * has not, though one group's would fit it. */
static void test_crowded(void)
{
    PsPatternRules rules = {.grid = {64, 1, 1},
                            .units = 8,
                            .resident = 2,
                            .rounds = 8,
                            .l1 = LINE,
                            .l2 = (guint64)16 * LINES * LINE};
    g_assert_cmpfloat(twice(&rules, 4096), ==, 1);
    rules.l2 -= (guint64)16 * LINE;
    g_assert_cmpfloat(twice(&rules, 4096), ==, 2);
}

/* Fewer groups have a larger part of L2 each. */
static void test_few_groups(void)
{
    const PsPatternRules rules = {.grid = {12, 1, 1},
                                  .units = 8,
                                  .resident = 2,
                                  .rounds = 8,
                                  .l1 = LINE,
                                  .l2 = (guint64)12 * LINES * LINE};
    g_assert_cmpfloat(twice(&rules, 4096), ==, 1);
}

/* What all groups share is fetched again by one of them at most. */
static void test_crowded_shared(void)
{
    const PsPatternRules rules = {.grid = {64, 1, 1},
                                  .units = 8,
                                  .resident = 2,
                                  .rounds = 8,
                                  .l1 = LINE,
                                  .l2 = (guint64)4 * LINES * LINE};
    const double alone = 1 / 64.0;
    g_assert_cmpfloat(twice(&rules, 0), <=, alone + alone);
}

/* Where L2 keeps the buffer, nothing of it is fetched again. */
static void test_crowded_buffer(void)
{
    const PsPtxExtent extent = {"a", A, (guint64)2 * LINES * LINE};
    const PsPatternRules rules = {.grid = {64, 1, 1},
                                  .units = 8,
                                  .resident = 2,
                                  .rounds = 8,
                                  .l1 = LINE,
                                  .l2 = (guint64)4 * LINES * LINE,
                                  .n_extents = 1,
                                  .extents = &extent};
    g_assert_cmpfloat(twice(&rules, (guint64)LINES * LINE), <, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-wave/wave", test_wave);
    g_test_add_func("/ptx-wave/nothing-known", test_nothing_known);
    g_test_add_func("/ptx-wave/kept", test_kept);
    g_test_add_func("/ptx-wave/kept-in-part", test_kept_in_part);
    g_test_add_func("/ptx-wave/kept-lines", test_kept_lines);
    g_test_add_func("/ptx-wave/small", test_small);
    g_test_add_func("/ptx-wave/apart", test_apart);
    g_test_add_func("/ptx-wave/halves", test_halves);
    g_test_add_func("/ptx-wave/loops", test_loops);
    g_test_add_func("/ptx-wave/windows", test_windows);
    g_test_add_func("/ptx-wave/crowded", test_crowded);
    g_test_add_func("/ptx-wave/few-groups", test_few_groups);
    g_test_add_func("/ptx-wave/crowded-shared", test_crowded_shared);
    g_test_add_func("/ptx-wave/crowded-buffer", test_crowded_buffer);
    return g_test_run();
}
