/* SPDX-License-Identifier: BSD-3-Clause */
/* What groups share that are neighbours, or meet in caches, against values worked out by hand. */
#include "tests/help/hand-code.h"
#include "tests/help/pattern-run.h"

#include <math.h>

/* ---- neighbours ---------------------------------------------------------------------------- */

/* Group (x, y) of a product of matrices of order 128 in tiles of 8, warps of 4 rows. */
static void mmul08(PatternRun *run, guint x, guint y)
{
    guint64 a[PS_PTX_LANES];
    guint64 b[PS_PTX_LANES];
    guint64 c[PS_PTX_LANES];
    pattern_run_begin(run, x, y, 0);
    for (guint tile = 0; tile < 16; tile++) {
        for (guint warp = 0; warp < 2; warp++) {
            for (guint i = 0; i < PS_PTX_LANES; i++) {
                guint row = warp * 4 + i / 8;
                a[i] = A + ((y * 8 + row) * 128 + tile * 8 + i % 8) * 4;
                b[i] = B + ((tile * 8 + row) * 128 + x * 8 + i % 8) * 4;
                c[i] = C + ((y * 8 + row) * 128 + x * 8 + i % 8) * 4;
            }
            pattern_run_request(run, LOAD, 4, ALL, a);
            pattern_run_request(run, CACHED, 4, ALL, b);
            if (tile == 15)
                pattern_run_request(run, STORE, 4, ALL, c);
        }
    }
    pattern_run_end(run);
}

static void three_groups(PatternRun *run)
{
    mmul08(run, 7, 7);
    mmul08(run, 8, 7);
    mmul08(run, 7, 8);
}

/* Each group needs 8 rows of A, and 8 columns of B, that 16 groups need. */
static void test_mmul(void)
{
    const PsPatternRules rules = {.grid = {16, 16, 1}};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    three_groups(&run);
    const PsPattern *a = pattern_run_pattern(&run, LOAD);
    const PsPattern *b = pattern_run_pattern(&run, CACHED);
    const PsPattern *c = pattern_run_pattern(&run, STORE);
    g_assert_cmpuint(a->sectors, ==, 4);
    g_assert_cmpint(a->to_l1, ==, 3 * 128);
    g_assert_cmpint(a->to_l2, ==, 3 * 128);
    g_assert_cmpfloat(a->to_device, ==, 3 * 128 / 16.0);
    g_assert_cmpfloat(b->to_device, ==, 3 * 128 / 16.0);
    g_assert_cmpfloat(c->to_device, ==, 3 * 8);
}

/* Nine groups beside each other, and one below them. */
static void ten_groups(PatternRun *run)
{
    for (guint x = 3; x <= 11; x++)
        mmul08(run, x, 7);
    mmul08(run, 7, 8);
}

/* Between two groups of a column lies a row: its 8 rows of A and all of B, 4 + 64 KiB, and the 4
 * that it writes. Four groups have a line of B and C in common: of the pairs of neighbours that
 * were executed, six of eight. So lines seem to be new to the first group and to a quarter of the
 * others: 4.75 of 16 groups, not 4. */
static void test_l2_between(void)
{
    PsPatternRules rules = {.grid = {16, 16, 1}, .l2 = 4096 + 19 * (128 + 8) * 128 / 4};
    g_auto(PatternRun) fits = pattern_run_new(&rules);
    ten_groups(&fits);
    g_assert_cmpfloat(pattern_run_pattern(&fits, LOAD)->to_device, ==, 10 * 128 / 16.0);
    g_assert_cmpfloat(pattern_run_pattern(&fits, CACHED)->to_device, ==, 10 * 128 / 16.0);
    rules.l2--;
    g_auto(PatternRun) lost = pattern_run_new(&rules);
    ten_groups(&lost);
    g_assert_cmpfloat(pattern_run_pattern(&lost, LOAD)->to_device, ==, 10 * 128 / 16.0);
    g_assert_cmpfloat(pattern_run_pattern(&lost, CACHED)->to_device, ==, 10 * 128);
}

/* Two groups read the same sectors, each alone in its line: L2 keeps them if all lines fit. */
static void test_l2_lines(void)
{
    for (guint fit = 0; fit < 2; fit++) {
        const PsPatternRules rules = {.grid = {2, 1, 1}, .l2 = 31 * 128 + fit * 128};
        g_auto(PatternRun) run = pattern_run_new(&rules);
        for (guint x = 0; x < 2; x++) {
            pattern_run_begin(&run, x, 0, 0);
            pattern_run_strided(&run, LOAD, 4, A, 128);
            pattern_run_end(&run);
        }
        g_assert_cmpfloat(pattern_run_pattern(&run, LOAD)->to_device, ==, fit ? 32 : 64);
    }
}

/* ... which does not matter to the four rows that run at the same time. */
static void test_l2_at_once(void)
{
    const PsPatternRules rules = {
        .grid = {16, 16, 1}, .l2 = 72 * 1024 - 1, .units = 16, .resident = 4};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    three_groups(&run);
    g_assert_cmpfloat(pattern_run_pattern(&run, LOAD)->to_device, ==, 3 * 128 / 16.0);
    g_assert_cmpfloat(pattern_run_pattern(&run, CACHED)->to_device, ==, 3 * 128 / 4.0);
}

/* A group without neighbours shares with nobody, as far as one knows. */
static void test_alone(void)
{
    const PsPatternRules rules = {.grid = {16, 16, 1}};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    mmul08(&run, 7, 7);
    mmul08(&run, 9, 7);
    g_assert_cmpfloat(pattern_run_pattern(&run, LOAD)->to_device, ==, 2 * 128);
}

/* A stencil of 64 points per group that reads 8 more words, a sector, on its right: 8 of its 9
 * sectors are its own, the ninth is its neighbour's. */
static void test_halo(void)
{
    const PsPatternRules rules = {.grid = {9, 1, 1}};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    for (guint x = 3; x < 5; x++) {
        guint64 base = A + x * 256;
        pattern_run_begin(&run, x, 0, 0);
        pattern_run_strided(&run, LOAD, 4, base, 4);
        pattern_run_strided(&run, LOAD, 4, base + 128, 4);
        guint64 address[PS_PTX_LANES];
        for (guint i = 0; i < 8; i++)
            address[i] = base + 256 + i * 4;
        pattern_run_request(&run, CACHED, 4, 0xff, address);
        pattern_run_end(&run);
    }
    /* of the loads, 8 sectors, the right neighbour has none and the left one the first: of 16,
       1 is shared */
    g_assert_cmpfloat_with_epsilon(pattern_run_pattern(&run, LOAD)->to_device,
                                   16 * (1 - 1 / 16.0 + 1 / 16.0 / 9), 1e-12);
    /* of the halo's 2, one is the neighbour's */
    g_assert_cmpfloat_with_epsilon(pattern_run_pattern(&run, CACHED)->to_device,
                                   2 * (0.5 + 0.5 / 9), 1e-12);
}

/* A group that shares with the next but one, of which the one between was not executed: nobody
 * knows what is left at that distance. */
static void test_gap(void)
{
    const PsPatternRules rules = {.grid = {16, 1, 1}};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    for (guint x = 3; x < 6; x += 2) {
        pattern_run_begin(&run, x, 0, 0);
        pattern_run_strided(&run, LOAD, 4, A, 4);
        pattern_run_end(&run);
    }
    g_assert_cmpfloat(pattern_run_pattern(&run, LOAD)->to_device, ==, 2 * 4);
}

/* Each group reads a line of its own and the one that the third after it will: of its 8 sectors
 * half are shared, at a distance of 3, for which 2 and 3 stand together. */
static void test_distances(void)
{
    const PsPatternRules rules = {.grid = {32, 1, 1}};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    for (guint x = 0; x < 32; x++) {
        pattern_run_begin(&run, x, 0, 0);
        pattern_run_strided(&run, LOAD, 4, A + x * 128, 4);
        pattern_run_strided(&run, CACHED, 4, A + (x + 3) * 128, 4);
        pattern_run_end(&run);
    }
    /* 35 lines in all */
    const double device =
        pattern_run_pattern(&run, LOAD)->to_device + pattern_run_pattern(&run, CACHED)->to_device;
    g_assert_cmpfloat(device, >=, 35 * 4);
    g_assert_cmpfloat(device, <, 1.25 * 35 * 4);
}

/* Groups that lie anywhere read the same table; it is not fetched more often than once, as long as
 * L2 keeps it, and as often as L2 does not. */
static void test_extent(void)
{
    const PsPtxExtent table[] = {{"table", A, 64 * 128}};
    PsPatternRules rules = {.grid = {1024, 1, 1}, .n_extents = 1, .extents = table};
    for (guint k = 0; k < 3; k++) {
        rules.l2 = k == 0 ? 0 : k == 1 ? 64 * 128 : 32 * 128;
        g_auto(PatternRun) run = pattern_run_new(&rules);
        for (guint x = 0; x < 4; x++) {
            pattern_run_begin(&run, x * 100, 0, 0);
            for (guint i = 0; i < 16; i++)
                pattern_run_strided(&run, LOAD, 4, A + (x * 16 + i) * 128, 4);
            pattern_run_end(&run);
        }
        const double group = pattern_run_pattern(&run, LOAD)->to_device / 4;
        const double once = 64 * 4 / 1024.0;
        g_assert_cmpfloat_with_epsilon(group, k < 2 ? once : once + (64 - once) / 2, 1e-9);
    }
}

/* What many write again is written back again as often as L2 has lost it: here half of the time. */
static void test_written_again(void)
{
    const PsPtxExtent table[] = {{"table", A, 64 * 128}};
    const PsPatternRules rules = {
        .grid = {1024, 1, 1}, .n_extents = 1, .extents = table, .l2 = 32 * 128};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    for (guint x = 0; x < 4; x++) {
        pattern_run_begin(&run, x * 100, 0, 0);
        for (guint i = 0; i < 16; i++)
            pattern_run_strided(&run, STORE, 4, A + (x * 16 + i) * 128, 4);
        pattern_run_end(&run);
    }
    const double once = 64 * 4 / 1024.0;
    g_assert_cmpfloat_with_epsilon(pattern_run_pattern(&run, STORE)->to_device / 4,
                                   once + (64 - once) / 2, 1e-9);
}

/* A table of 64 lines that all read at random stays in an L2 of 256 lines, though 16384 lines are
 * read once beside it. A window of the share T of the launch touches 64 (1 - exp(-256 T)) + 16384 T
 * lines, 256 where T is 0.0119; what the table loses is exp(-256 T). */
static void test_table_and_stream(void)
{
    const PsPtxExtent buffers[] = {{"table", A, 64 * 128}, {"stream", B, 16384 * 128}};
    const PsPatternRules rules = {
        .grid = {1024, 1, 1}, .n_extents = 2, .extents = buffers, .l2 = 256 * 128};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    for (guint x = 0; x < 4; x++) {
        pattern_run_begin(&run, x * 100, 0, 0);
        for (guint i = 0; i < 16; i++) {
            pattern_run_strided(&run, LOAD, 4, A + (x * 16 + i) * 128, 4);
            pattern_run_strided(&run, CACHED, 4, B + (x * 1600 + i) * 128, 4);
        }
        pattern_run_end(&run);
    }
    const double once = 64 * 4 / 1024.0, lost = 0.0473;
    g_assert_cmpfloat_with_epsilon(pattern_run_pattern(&run, LOAD)->to_device / 4,
                                   once + (64 - once) * lost, 0.02);
    g_assert_cmpfloat_with_epsilon(pattern_run_pattern(&run, CACHED)->to_device / 4, 64, 1e-9);
}

/* The sectors that a group fetches of 64 that it reads of a table of 64 lines. Groups go through it
 * in order, and the one that is odd begins elsewhere. */
static double fetched_of_sweep(guint64 l2, guint odd)
{
    const PsPtxExtent table[] = {{"table", A, 64 * 128}};
    const PsPatternRules rules = {.grid = {1024, 1, 1}, .n_extents = 1, .extents = table, .l2 = l2};
    const guint executed[] = {100, 101, 233, 500, 502, 503, 900};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    for (guint k = 0; k < G_N_ELEMENTS(executed); k++) {
        const guint x = executed[k], at = x * 16 + (x == odd ? 8 : 0);
        pattern_run_begin(&run, x, 0, 0);
        for (guint i = 0; i < 16; i++)
            pattern_run_strided(&run, LOAD, 4, A + (guint64)((at + i) % 64) * 128, 4);
        pattern_run_end(&run);
    }
    return pattern_run_pattern(&run, LOAD)->to_device / G_N_ELEMENTS(executed);
}

/* What comes again in order L2 finds if it has room for all of it; of 64 lines one of 60 has lost
 * 1 - exp(-13 * 4 / 60), and one of 32 nearly all. In another order a share of it stays. */
static void test_sweep(void)
{
    const double once = 64 * 4 / 1024.0, of_60 = 1 - exp(-13 * 4 / 60.0);
    g_assert_cmpfloat_with_epsilon(fetched_of_sweep(64 * 128, 0), once, 1e-9);
    g_assert_cmpfloat_with_epsilon(fetched_of_sweep(60 * 128, 0), once + (64 - once) * of_60, 1e-9);
    g_assert_cmpfloat_with_epsilon(fetched_of_sweep(32 * 128, 0), 64, 0.001);
    g_assert_cmpfloat(fetched_of_sweep(32 * 128, 233), <, 40);
}

/* What is written reaches device memory once, whatever L2 could keep. */
static void test_written_once(void)
{
    PsPatternRules rules = {.grid = {16, 1, 1}};
    static const guint64 sizes[] = {0, 32 * 128, 8 * 128};
    for (guint k = 0; k < G_N_ELEMENTS(sizes); k++) {
        rules.l2 = sizes[k];
        g_auto(PatternRun) run = pattern_run_new(&rules);
        for (guint x = 0; x < 2; x++) {
            pattern_run_begin(&run, x, 0, 0);
            pattern_run_strided(&run, LOAD, 4, A + x * 128,
                                4); /* 16 lines read, 16 written, in all */
            pattern_run_strided(&run, STORE, 4, B + x * 128, 4);
            pattern_run_end(&run);
        }
        g_assert_cmpfloat_with_epsilon(pattern_run_pattern(&run, STORE)->to_device, 8, 1e-9);
        g_assert_cmpfloat(pattern_run_pattern(&run, LOAD)->to_device, ==, 8);
    }
}

/* L2 fetches 64 bytes: half of them were not asked for, and the next group finds them. */
static void test_fetch(void)
{
    const PsPatternRules rules = {.grid = {2, 1, 1}, .fetch = 64};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    for (guint x = 0; x < 2; x++) {
        pattern_run_begin(&run, x, 0, 0);
        pattern_run_strided(&run, LOAD, 4, A + x * 32, 0);
        pattern_run_end(&run);
    }
    g_assert_cmpfloat(pattern_run_pattern(&run, LOAD)->to_device, ==, 2);
    const PsHitRates rates = ps_roll_rates(run.roll);
    g_assert_cmpfloat(rates.l2, ==, 2);
    g_assert_cmpfloat(rates.l2_hits, ==, 1);
}

/* A GPU that moves 64 bytes at once: each of 32 lanes a line apart gets as many from L1 and from
 * L2, and sends as many there, of which it writes 4. */
static void test_sector(void)
{
    const PsPatternRules rules = {.grid = {1, 1, 1}, .l1 = 1 << 16, .sector = 64, .fetch = 64};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    pattern_run_begin(&run, 0, 0, 0);
    pattern_run_strided(&run, CACHED, 4, A, 128);
    pattern_run_strided(&run, CACHED, 4, A + 32, 128); /* came along */
    pattern_run_strided(&run, STORE, 4, B, 128);
    pattern_run_strided(&run, ATOMIC, 4, C, 128);
    pattern_run_end(&run);
    const PsTraffic loads = ps_pattern_traffic(pattern_run_pattern(&run, CACHED)),
                    stores = ps_pattern_traffic(pattern_run_pattern(&run, STORE)),
                    atomics = ps_pattern_traffic(pattern_run_pattern(&run, ATOMIC));
    g_assert_cmpfloat(loads.l1, ==, 128);
    g_assert_cmpfloat(loads.l2, ==, 64);
    g_assert_cmpfloat(loads.device, ==, 64);
    g_assert_cmpfloat(stores.l1, ==, 64);
    g_assert_cmpfloat(stores.l2, ==, 64);
    g_assert_cmpfloat(stores.partial, ==, 32);
    g_assert_cmpfloat(atomics.l2, ==, 32);
}

/* An L1 that reads whole lines where it lacks a part of one, whether it keeps them or not. */
static void test_fill(void)
{
    const PsPatternRules rules = {
        .grid = {1, 1, 1}, .l1 = 1 << 16, .sector = 64, .fill = 128, .fetch = 128};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    pattern_run_begin(&run, 0, 0, 0);
    pattern_run_strided(&run, CACHED, 4, A, 128);
    pattern_run_strided(&run, CACHED, 4, A + 96, 128); /* came along */
    pattern_run_strided(&run, BYPASS, 4, B, 128);
    pattern_run_end(&run);
    const PsTraffic kept = ps_pattern_traffic(pattern_run_pattern(&run, CACHED)),
                    passing = ps_pattern_traffic(pattern_run_pattern(&run, BYPASS));
    g_assert_cmpfloat(kept.l1, ==, 128);
    g_assert_cmpfloat(kept.l2, ==, 128);
    g_assert_cmpfloat(kept.device, ==, 128);
    g_assert_cmpfloat(passing.l1, ==, 64);
    g_assert_cmpfloat(passing.l2, ==, 128);
}

/* ---- places -------------------------------------------------------------------------------- */

/* Rows of 16 words that begin anywhere in their sectors are one family, whose sectors are averaged;
 * another stride is another family. */
static void test_family(void)
{
    const PsPatternRules rules = {.grid = {2, 1, 1}};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    pattern_run_begin(&run, 0, 0, 0);
    pattern_run_strided(&run, LOAD, 4, A, 4);     /* 4 sectors */
    pattern_run_strided(&run, LOAD, 4, B + 8, 4); /* 5 */
    pattern_run_strided(&run, LOAD, 4, C, 8);     /* 8 */
    pattern_run_end(&run);
    const GPtrArray *patterns = ps_roll_patterns(run.roll);
    static const double l1[] = {9, 9, 8}, requests[] = {2, 2, 1};
    g_assert_cmpuint(patterns->len, ==, 3);
    for (guint i = 0; i < 3; i++) {
        const PsTraffic traffic = ps_pattern_traffic(g_ptr_array_index(patterns, i));
        g_assert_cmpfloat(traffic.l1, ==, l1[i]);
        g_assert_cmpfloat(traffic.l2, ==, l1[i]);
        g_assert_cmpfloat(traffic.device, ==, l1[i]);
        g_assert_cmpfloat(traffic.requests, ==, requests[i]);
    }
}

/* ---- where groups meet --------------------------------------------------------------------- */

/* Three groups that lie apart: each adds to a counter, and stores a line of its own; a neighbour's
 * share of lines says nothing. */
static void test_meeting(void)
{
    const PsPtxExtent extents[] = {{"counter", A, 1024}, {"out", B, 65536}};
    const PsPatternRules rules = {.grid = {9, 1, 1}, .n_extents = 2, .extents = extents};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    PsMeeting meeting = {0};
    for (guint x = 0; x < 9; x++) {
        const guint64 own = B + (guint64)x * 128;
        ps_roll_next(run.roll, (PsPatternGroup){.apart = x % 3 == 0});
        pattern_run_begin(&run, x, 0, 0);
        pattern_run_strided(&run, ATOMIC, 4, A + 256, 0);
        if (x == 3)
            pattern_run_strided(&run, ATOMIC, 4, A, 0); /* one of four requests elsewhere */
        pattern_run_strided(&run, STORE, 4, own, 4);
        pattern_run_strided(&run, STORE, 4, own + 64, 4);
        pattern_run_end(&run);
    }
    g_assert_true(ps_pattern_meeting(pattern_run_pattern(&run, ATOMIC), &meeting));
    g_assert_cmpstr(meeting.buffer, ==, "counter");
    g_assert_cmpuint(meeting.line, ==, 2);
    g_assert_cmpfloat(meeting.share, ==, 0.75);
    g_assert_false(ps_pattern_meeting(pattern_run_pattern(&run, STORE), &meeting));
}

/* A group adds to five sectors, four of them in one line, and stores five, two of them there: that
 * line has most of all, so both meet there. */
static void test_meeting_of_two(void)
{
    const PsPtxExtent extents[] = {{"counters", A, 1024}};
    const PsPatternRules rules = {.grid = {9, 1, 1}, .n_extents = 1, .extents = extents};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    PsMeeting meeting = {0};
    for (guint x = 0; x < 3; x++) {
        ps_roll_next(run.roll, (PsPatternGroup){.apart = TRUE});
        pattern_run_begin(&run, x, 0, 0);
        for (guint i = 0; i < 5; i++) {
            const guint64 adds = A + (i < 4 ? 128 : 512), stores = A + (i < 2 ? 128 : 512);
            pattern_run_strided(&run, ATOMIC, 4, adds + 4 * i, 0);
            pattern_run_strided(&run, STORE, 4, stores, 0);
        }
        pattern_run_end(&run);
    }
    g_assert_true(ps_pattern_meeting(pattern_run_pattern(&run, ATOMIC), &meeting));
    g_assert_cmpuint(meeting.line, ==, 1);
    g_assert_cmpfloat(meeting.share, ==, 0.8);
    g_assert_true(ps_pattern_meeting(pattern_run_pattern(&run, STORE), &meeting));
    g_assert_cmpuint(meeting.line, ==, 1);
    g_assert_cmpfloat(meeting.share, ==, 0.4);
}

/* Averaged patterns: the mean's sums are those of all. */
static void test_mean(void)
{
    static const HandPoint points[] = {{"ld.global.f32", NOWHERE, 0}, {"bra", 0, 0}};
    static const PsPtxLoop loops[] = {{0, NOWHERE, 1}};
    static const guint group[3] = {0};
    PsPtxCode *code = hand_code(points, 2, loops, 1);
    PsRollOptions options = {.most_kinds = 4};
    PatternRun run = {.code = code, .roll = ps_roll_new(code, &options)};
    run.listener = ps_roll_listener(run.roll);
    run.listener.group_begins(run.listener.data, group);
    for (guint i = 0; i < 70; i++) {
        pattern_run_strided(&run, 0, 4, 65536,
                            4 * (1 + i * i % 7)); /* 0 1 4 2 2 4 1: 4 kinds, and 3 more */
        run.listener.executed(run.listener.data,
                              &(PsPtxEvent){.point = 1, .active = ALL, .mask = ALL});
    }
    pattern_run_strided(&run, 0, 4, 65536, 32);
    pattern_run_end(&run);
    const PsRollGroup *record = g_ptr_array_index(ps_roll_groups(run.roll), 0);
    const PsRollSequence *sequence =
        ((const PsRollWarps *)g_ptr_array_index(record->warps, 0))->sequence;
    const PsRollItem *loop = &sequence->items[0];
    g_assert_cmpint(loop->coarse, ==, PS_ROLL_MEAN_PATTERNS);
    const PsPattern *mean = loop->runs[0].body->items[0].pattern;
    g_assert_cmpint(mean->requests, ==, 71);
    /* strides of 1, 2, 5, 3 words: 4, 8, 20 and 12 sectors, 10, 20, 20, 20 times, and 32 once */
    g_assert_cmpint(mean->to_l1, ==, 40 + 160 + 400 + 240 + 32);
    g_assert_cmpuint(mean->sectors, ==, 12);
    pattern_run_clear(&run);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-neighbours/mmul", test_mmul);
    g_test_add_func("/ptx-neighbours/l2-between", test_l2_between);
    g_test_add_func("/ptx-neighbours/l2-lines", test_l2_lines);
    g_test_add_func("/ptx-neighbours/l2-at-once", test_l2_at_once);
    g_test_add_func("/ptx-neighbours/alone", test_alone);
    g_test_add_func("/ptx-neighbours/halo", test_halo);
    g_test_add_func("/ptx-neighbours/gap", test_gap);
    g_test_add_func("/ptx-neighbours/distances", test_distances);
    g_test_add_func("/ptx-neighbours/extent", test_extent);
    g_test_add_func("/ptx-neighbours/written-again", test_written_again);
    g_test_add_func("/ptx-neighbours/table-and-stream", test_table_and_stream);
    g_test_add_func("/ptx-neighbours/sweep", test_sweep);
    g_test_add_func("/ptx-neighbours/written-once", test_written_once);
    g_test_add_func("/ptx-neighbours/fetch", test_fetch);
    g_test_add_func("/ptx-neighbours/sector", test_sector);
    g_test_add_func("/ptx-neighbours/fill", test_fill);
    g_test_add_func("/ptx-neighbours/family", test_family);
    g_test_add_func("/ptx-neighbours/meeting", test_meeting);
    g_test_add_func("/ptx-neighbours/meeting-of-two", test_meeting_of_two);
    g_test_add_func("/ptx-neighbours/mean", test_mean);
    return g_test_run();
}
