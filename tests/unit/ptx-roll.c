/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The recorder, from events written by hand: which loop each step belongs to, whatever way lanes
 * take; what becomes one run; how records get coarser, and that they stay small.
 */
#include "lift/loops/roll-private.h"
#include "tests/help/hand-code.h"
#include "tests/help/roll-text.h"

#define ALL 0xffffffffU

typedef struct {
    PsPtxCode *code;
    PsRoll *roll;
    PsPtxListener listener;
} Record;

static Record record_with(PsPtxCode *code, PsRollOptions options)
{
    static const guint group[3] = {0, 0, 0};
    Record record = {.code = code, .roll = ps_roll_new(code, &options)};
    record.listener = ps_roll_listener(record.roll);
    record.listener.group_begins(record.listener.data, group);
    return record;
}

static Record record_new(PsPtxCode *code, guint most_kinds)
{
    return record_with(code, (PsRollOptions){.most_kinds = most_kinds});
}

static void record_clear(Record *record)
{
    ps_roll_free(record->roll);
    hand_code_free(record->code);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Record, record_clear)

static void tell(Record *record, const PsPtxEvent *event)
{
    record->listener.executed(record->listener.data, event);
}

/* Steps of all lanes of warp 0. */
static void steps(Record *record, guint from, guint to)
{
    for (guint point = from; point <= to; point++)
        tell(record, &(PsPtxEvent){.point = point, .active = ALL, .mask = ALL});
}

/* A step of some lanes, of which all execute it. */
static void some(Record *record, guint point, guint32 lanes, guint depth)
{
    tell(record, &(PsPtxEvent){.point = point, .active = lanes, .mask = lanes, .depth = depth});
}

/* A branch that some of the active lanes take. */
static void branch(Record *record, guint point, guint32 active, guint32 taken, guint depth)
{
    tell(record, &(PsPtxEvent){.point = point, .active = active, .mask = taken, .depth = depth});
}

/* Ends the group; what its i-th sort of warps executed. */
static const PsRollSequence *sequence_of(Record *record, guint i)
{
    const GPtrArray *groups = ps_roll_groups(record->roll);
    const PsRollGroup *group = g_ptr_array_index(groups, groups->len - 1);
    return ((PsRollWarps *)g_ptr_array_index(group->warps, i))->sequence;
}

static void end(Record *record)
{
    record->listener.group_ends(record->listener.data);
}

static void assert_text(Record *record, const char *expected)
{
    end(record);
    g_autofree char *text = roll_text(sequence_of(record, 0));
    g_assert_cmpstr(text, ==, expected);
}

/* ---- codes --------------------------------------------------------------------------------- */

/* 0; do { 1 2 3 } while; 4 */
static PsPtxCode *one_loop(void)
{
    static const HandPoint points[] = {{"mov", NOWHERE, NOWHERE},
                                       {"add", NOWHERE, 0},
                                       {"fma", NOWHERE, 0},
                                       {"bra", 1, 0},
                                       {"ret", NOWHERE, NOWHERE}};
    static const PsPtxLoop loops[] = {{1, NOWHERE, 1}};
    return hand_code(points, G_N_ELEMENTS(points), loops, 1);
}

/* 0; while (1 2) { 3 4 } 5: the header has the exit */
static PsPtxCode *while_loop(void)
{
    static const HandPoint points[] = {
        {"mov", NOWHERE, NOWHERE}, {"setp", NOWHERE, 0}, {"bra", 5, 0},
        {"add", NOWHERE, 0},       {"bra", 1, 0},        {"ret", NOWHERE, NOWHERE}};
    static const PsPtxLoop loops[] = {{1, NOWHERE, 1}};
    return hand_code(points, G_N_ELEMENTS(points), loops, 1);
}

/* 0; do { 1; do { 2 3 } while; 4 5 } while; 6. 3 and 5 are the branches. */
static PsPtxCode *two_loops(void)
{
    static const HandPoint points[] = {
        {"mov", NOWHERE, NOWHERE}, {"mov", NOWHERE, 0}, {"fma", NOWHERE, 1},      {"bra", 2, 1},
        {"add", NOWHERE, 0},       {"bra", 1, 0},       {"ret", NOWHERE, NOWHERE}};
    static const PsPtxLoop loops[] = {{1, NOWHERE, 1}, {2, 0, 2}};
    return hand_code(points, G_N_ELEMENTS(points), loops, 2);
}

/* 0; do { 1; 2: break to 7; 3 4 } while; 5 6: to 8; 7; 8 */
static PsPtxCode *break_loop(void)
{
    static const HandPoint points[] = {{"mov", NOWHERE, NOWHERE},
                                       {"setp", NOWHERE, 0},
                                       {"bra", 7, 0},
                                       {"add", NOWHERE, 0},
                                       {"bra", 1, 0},
                                       {"mov", NOWHERE, NOWHERE},
                                       {"bra", 8, NOWHERE},
                                       {"mov", NOWHERE, NOWHERE},
                                       {"ret", NOWHERE, NOWHERE}};
    static const PsPtxLoop loops[] = {{1, NOWHERE, 1}};
    return hand_code(points, G_N_ELEMENTS(points), loops, 1);
}

/* ---- loops --------------------------------------------------------------------------------- */

static void test_loop(void)
{
    g_auto(Record) record = record_new(one_loop(), 0);
    steps(&record, 0, 0);
    for (guint i = 0; i < 5; i++)
        steps(&record, 1, 3);
    steps(&record, 4, 4);
    assert_text(&record, "0 L0{5x[1 2 3]} 4");
    const PsRollSequence *sequence = sequence_of(&record, 0);
    g_assert_cmpint(sequence->length, ==, 17);
    g_assert_cmpint(ps_roll_iterations(&sequence->items[1]), ==, 5);
}

/* What no lane executes is left out, but for branches. */
static void test_guard(void)
{
    g_auto(Record) record = record_new(one_loop(), 0);
    for (guint i = 0; i < 4; i++) {
        some(&record, 1, ALL, 0);
        branch(&record, 2, ALL, i == 2 ? 0 : ALL, 0);
        branch(&record, 3, ALL, i == 3 ? 0 : ALL, 0);
    }
    steps(&record, 4, 4);
    assert_text(&record, "L0{2x[1 2 3] 1x[1 3] 1x[1 2 3]} 4");
}

/* Nobody arrives at a barrier whose guard lets no lane through. */
static void test_all_issue(void)
{
    static const HandPoint points[] = {{"fma", NOWHERE, NOWHERE},
                                       {"st.global.f32", NOWHERE, NOWHERE},
                                       {"bar.sync", NOWHERE, NOWHERE},
                                       {"ret", NOWHERE, NOWHERE}};
    g_auto(Record) record = record_with(hand_code(points, G_N_ELEMENTS(points), NULL, 0),
                                        (PsRollOptions){.all_issue = TRUE});
    for (guint point = 0; point < 3; point++)
        branch(&record, point, ALL, 0, 0);
    steps(&record, 3, 3);
    assert_text(&record, "0 1 3");
}

/* What no lane executes issues, and keeps no slow unit: it is told apart from what some execute. */
static void test_off(void)
{
    static const HandPoint points[] = {
        {"cvt.rn.f32.u32", NOWHERE, NOWHERE}, {"fma.rn.f32", NOWHERE, NOWHERE},
        {"ld.const.f32", NOWHERE, NOWHERE},   {"fma.rn.f64", NOWHERE, NOWHERE},
        {"rcp.approx.f32", NOWHERE, NOWHERE}, {"ret", NOWHERE, NOWHERE}};
    static const gboolean off[] = {TRUE, FALSE, TRUE, TRUE, FALSE, FALSE};
    g_auto(Record) record = record_with(hand_code(points, G_N_ELEMENTS(points), NULL, 0),
                                        (PsRollOptions){.all_issue = TRUE});
    for (guint point = 0; point < 5; point++)
        branch(&record, point, ALL, point == 4 ? ALL : 0, 0);
    steps(&record, 5, 5);
    end(&record);
    const PsRollSequence *sequence = sequence_of(&record, 0);
    g_assert_cmpint(sequence->length, ==, G_N_ELEMENTS(off));
    g_assert_cmpint(sequence->off, ==, 3);
    for (guint i = 0; i < G_N_ELEMENTS(off); i++)
        g_assert_cmpint(sequence->items[i].off, ==, off[i]);
}

static void test_while(void)
{
    g_auto(Record) record = record_new(while_loop(), 0);
    steps(&record, 0, 0);
    for (guint i = 0; i < 3; i++)
        steps(&record, 1, 4);
    steps(&record, 1, 2);
    steps(&record, 5, 5);
    assert_text(&record, "0 L0{3x[1 2 3 4] 1x[1 2]} 5");
}

static void test_nested(void)
{
    g_auto(Record) record = record_new(two_loops(), 0);
    steps(&record, 0, 0);
    for (guint i = 0; i < 6; i++) {
        steps(&record, 1, 1);
        for (guint k = 0; k < (i < 3 ? 10 : 20); k++)
            steps(&record, 2, 3);
        steps(&record, 4, 5);
    }
    steps(&record, 6, 6);
    assert_text(&record, "0 L0{3x[1 L1{10x[2 3]} 4 5] 3x[1 L1{20x[2 3]} 4 5]} 6");
}

/* The inner loop of the next iteration is another execution, though nothing of the outer one's
 * but its header lies between. */
static void test_nested_tight(void)
{
    static const HandPoint points[] = {
        {"mov", NOWHERE, 0}, {"fma", NOWHERE, 1}, {"bra", 1, 1}, {"bra", 0, 0}};
    static const PsPtxLoop loops[] = {{0, NOWHERE, 1}, {1, 0, 2}};
    g_auto(Record) record = record_new(hand_code(points, 4, loops, 2), 0);
    for (guint i = 0; i < 2; i++) {
        steps(&record, 0, 2);
        steps(&record, 1, 3);
    }
    assert_text(&record, "L0{2x[0 L1{2x[1 2]} 3]}");
}

/* ---- lanes that part ----------------------------------------------------------------------- */

/* Lanes wait at the exit until the last is through. */
static void test_divergent_trips(void)
{
    g_auto(Record) record = record_new(two_loops(), 0);
    for (guint i = 0; i < 2; i++) {
        steps(&record, 1, 1);
        some(&record, 2, ALL, 0);
        branch(&record, 3, ALL, 0xff, 0);
        some(&record, 2, 0xff, 1);
        branch(&record, 3, 0xff, 0xf, 1);
        some(&record, 2, 0xf, 1);
        branch(&record, 3, 0xf, 0, 1);
        steps(&record, 4, 5);
    }
    steps(&record, 6, 6);
    assert_text(&record, "L0{2x[1 L1{3x[2 3]} 4 5]} 6");
}

/* Lanes that break run what follows the break while others wait inside. */
static void test_break_first(void)
{
    g_auto(Record) record = record_new(break_loop(), 0);
    steps(&record, 0, 1);
    branch(&record, 2, ALL, 1, 0);
    some(&record, 7, 1, 1);
    some(&record, 3, ~1U, 1);
    branch(&record, 4, ~1U, ~1U, 1);
    some(&record, 1, ~1U, 1);
    branch(&record, 2, ~1U, 0, 1);
    some(&record, 3, ~1U, 1);
    branch(&record, 4, ~1U, 0, 1);
    some(&record, 5, ~1U, 1);
    some(&record, 6, ~1U, 1);
    steps(&record, 8, 8);
    assert_text(&record, "0 L0{1x[1 2 7 3 4] 1x[1 2 3 4]} 5 6 8");
}

/* The others go on first: the loop is over when the last of them leaves it. */
static void test_break_last(void)
{
    g_auto(Record) record = record_new(break_loop(), 0);
    steps(&record, 0, 1);
    branch(&record, 2, ALL, 1, 0);
    some(&record, 3, ~1U, 1);
    branch(&record, 4, ~1U, ~1U, 1);
    some(&record, 1, ~1U, 1);
    branch(&record, 2, ~1U, 0, 1);
    some(&record, 3, ~1U, 1);
    branch(&record, 4, ~1U, 0, 1);
    some(&record, 5, ~1U, 1);
    some(&record, 6, ~1U, 1);
    some(&record, 7, 1, 1);
    steps(&record, 8, 8);
    assert_text(&record, "0 L0{2x[1 2 3 4]} 5 6 7 8");
}

/* Lanes of an `if` around the loop wait for nobody inside. */
static void test_loop_in_branch(void)
{
    g_auto(Record) record = record_new(one_loop(), 0);
    some(&record, 0, ALL, 0);
    for (guint i = 0; i < 2; i++) {
        some(&record, 1, 0xff, 1);
        some(&record, 2, 0xff, 1);
        branch(&record, 3, 0xff, i == 0 ? 0xff : 0, 1);
    }
    some(&record, 4, 0xff00, 1);
    assert_text(&record, "0 L0{2x[1 2 3]} 4");
}

/* Lanes that end inside a loop do not keep it open. */
static void test_end_inside(void)
{
    static const HandPoint points[] = {
        {"setp", NOWHERE, 0}, {"ret", NOWHERE, 0}, {"bra", 0, 0}, {"mov", NOWHERE, NOWHERE}};
    static const PsPtxLoop loops[] = {{0, NOWHERE, 1}};
    g_auto(Record) record = record_new(hand_code(points, 4, loops, 1), 0);
    some(&record, 0, ALL, 0);
    branch(&record, 1, ALL, 0xf0, 0);
    branch(&record, 2, 0xffffff0f, 0, 0);
    some(&record, 3, 0xffffff0f, 1);
    assert_text(&record, "L0{1x[0 1 2]} 3");
}

/* A cycle that is entered in its middle is no loop: steps as they are. */
static void test_irreducible(void)
{
    g_auto(Record) record = record_new(one_loop(), 0);
    steps(&record, 2, 3);
    steps(&record, 1, 3);
    steps(&record, 4, 4);
    assert_text(&record, "2 3 L0{1x[1 2 3]} 4");
}

/* ---- runs ---------------------------------------------------------------------------------- */

static void inner(Record *record, guint trips)
{
    steps(record, 1, 1);
    for (guint i = 0; i < trips; i++)
        steps(record, 2, 3);
    steps(record, 4, 5);
}

static void test_alternating(void)
{
    g_auto(Record) record = record_new(two_loops(), 0);
    for (guint i = 0; i < 1000; i++)
        inner(&record, 1 + i % 2);
    inner(&record, 7);
    assert_text(&record, "L0{500x[L0{1x[1 L1{1x[2 3]} 4 5] 1x[1 L1{2x[2 3]} 4 5]}] "
                         "1x[1 L1{7x[2 3]} 4 5]}");
    g_assert_cmpint(ps_roll_iterations(&sequence_of(&record, 0)->items[0]), ==, 1001);
}

/* What repeats may hold runs and what repeats itself. */
static void test_alternating_deep(void)
{
    g_auto(Record) record = record_new(two_loops(), 0);
    for (guint i = 0; i < 30; i++) {
        for (guint k = 0; k < 6; k++)
            inner(&record, 1 + k % 2);
        inner(&record, 3);
    }
    end(&record);
    const PsRollItem *loop = &sequence_of(&record, 0)->items[0];
    g_assert_cmpint(loop->coarse, ==, PS_ROLL_EXACT);
    g_assert_cmpint(ps_roll_iterations(loop), ==, 210);
    g_assert_cmpuint(loop->n_runs, <=, 4);
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(guint));
    roll_unroll(sequence_of(&record, 0), points);
    guint at = 0;
    for (guint i = 0; i < 210 && at < points->len; i++) {
        g_assert_cmpuint(g_array_index(points, guint, at), ==, 1);
        at += 3 + 2 * (i % 7 == 6 ? 3 : 1 + i % 7 % 2);
    }
    g_assert_cmpuint(at, ==, points->len);
}

static void triangle(Record *record, guint n)
{
    for (guint i = 1; i <= n; i++)
        inner(record, i);
    steps(record, 6, 6);
    end(record);
}

static void assert_counts(const PsRollSequence *sequence, const gint64 *expected, guint n)
{
    g_autofree gint64 *counts = g_new0(gint64, n);
    roll_count(sequence, 1, counts);
    for (guint i = 0; i < n; i++)
        g_assert_cmpint(counts[i], ==, expected[i]);
}

/* Inner trips 1 to n: in order up to the limit, then means of which two kinds are enough. */
static void test_triangle(void)
{
    g_auto(Record) exact = record_new(two_loops(), 64);
    triangle(&exact, 64);
    const PsRollItem *loop = &sequence_of(&exact, 0)->items[0];
    g_assert_cmpint(loop->coarse, ==, PS_ROLL_EXACT);
    g_assert_cmpuint(loop->n_runs, ==, 64);
    for (guint i = 0; i < loop->n_runs; i++)
        g_assert_cmpint(loop->runs[i].body->length, ==, 3 + 2 * (i + 1));

    g_auto(Record) mean = record_new(two_loops(), 64);
    triangle(&mean, 1000);
    g_autofree char *text = roll_text(sequence_of(&mean, 0));
    g_assert_cmpstr(text, ==, "L0~~~{500x[1 L1~~~{501x[2 3]} 4 5] 500x[1 L1~~~{500x[2 3]} 4 5]} 6");
    const gint64 counts[] = {0, 1000, 500500, 500500, 1000, 1000, 1};
    assert_counts(sequence_of(&mean, 0), counts, 7);
}

/* Two kinds in no order that repeats: as many of each. */
static void test_no_order(void)
{
    g_auto(Record) record = record_new(two_loops(), 8);
    guint32 state = 1;
    guint twos = 0;
    for (guint i = 0; i < 1000; i++) {
        state = state * 1664525 + 1013904223;
        twos += state >> 31;
        inner(&record, 1 + (state >> 31));
    }
    end(&record);
    const PsRollItem *loop = &sequence_of(&record, 0)->items[0];
    g_assert_cmpint(loop->coarse, ==, PS_ROLL_NO_ORDER);
    g_assert_cmpuint(loop->n_runs, ==, 2);
    for (guint i = 0; i < loop->n_runs; i++)
        g_assert_cmpint(loop->runs[i].times, ==,
                        loop->runs[i].body->length == 5 ? 1000 - twos : twos);
}

/* 2^20 iterations that all go other ways: the mean has each point as often as it was executed. */
static void test_ways(void)
{
    static HandPoint points[22];
    static const PsPtxLoop loops[] = {{0, NOWHERE, 1}};
    for (guint i = 0; i < 22; i++)
        points[i] = (HandPoint){"add", NOWHERE, 0};
    points[21] = (HandPoint){"bra", 0, 0};
    g_auto(Record) record = record_new(hand_code(points, 22, loops, 1), 0);
    for (guint i = 0; i < 1U << 20; i++) {
        steps(&record, 0, 0);
        for (guint k = 0; k < 20; k++)
            branch(&record, k + 1, ALL, i >> k & 1 ? ALL : 0, 0);
        steps(&record, 21, 21);
    }
    end(&record);
    const PsRollItem *loop = &sequence_of(&record, 0)->items[0];
    g_assert_cmpint(loop->coarse, ==, PS_ROLL_MEAN_TRIPS);
    g_assert_cmpuint(loop->n_runs, ==, 2);
    gint64 counts[22];
    for (guint i = 0; i < 22; i++)
        counts[i] = i == 0 || i == 21 ? 1 << 20 : 1 << 19;
    assert_counts(sequence_of(&record, 0), counts, 22);
}

/* ---- sizes --------------------------------------------------------------------------------- */

static void test_long_loop(void)
{
    g_auto(Record) record = record_new(one_loop(), 0);
    for (guint i = 0; i < 10 * 1000 * 1000; i++)
        steps(&record, 1, 3);
    assert_text(&record, "L0{10000000x[1 2 3]}");
}

/* All iterations differ: nothing may pile up. */
static void test_long_differences(void)
{
    g_auto(Record) record = record_new(two_loops(), 0);
    gint64 sum = 0;
    const guint n = 300 * 1000;
    for (guint i = 0; i < n; i++) {
        guint trips = 1 + i * 7919U % 61;
        sum += trips;
        steps(&record, 1, 1);
        for (guint k = 0; k < trips; k++) {
            steps(&record, 2, 2);
            branch(&record, 3, ALL, ALL, 0);
            if (i * k % 5 == 0)
                steps(&record, 4, 4);
        }
        steps(&record, 4, 5);
    }
    end(&record);
    const PsRollItem *loop = &sequence_of(&record, 0)->items[0];
    g_assert_cmpint(loop->coarse, ==, PS_ROLL_MEAN_TRIPS);
    g_assert_cmpuint(loop->n_runs, <=, 64);
    g_autofree gint64 *counts = g_new0(gint64, 7);
    roll_count(sequence_of(&record, 0), 1, counts);
    g_assert_cmpint(counts[1], ==, n);
    g_assert_cmpint(counts[2], <=, sum + n / 64);
    g_assert_cmpint(counts[2], >=, sum - n / 64);
}

/* Steps outside of loops, or in cycles that are none. */
static void test_long_straight(void)
{
    static const HandPoint points[] = {
        {"mov", NOWHERE, NOWHERE}, {"add", NOWHERE, NOWHERE}, {"bra", 1, NOWHERE}};
    g_auto(Record) record = record_new(hand_code(points, 3, NULL, 0), 0);
    steps(&record, 0, 0);
    for (guint i = 0; i < 1000 * 1000; i++)
        steps(&record, 1, 2);
    assert_text(&record, "L-~~~{1x[0 1 2] 999999x[1 2]}");
}

/* A sequence of the steps of the bits that are set. */
static const PsRollSequence *steps_of(PsRollTable *table, guint bits)
{
    g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(PsRollItem));
    for (guint i = 0; i < 20; i++) {
        PsRollItem item = {.kind = PS_ROLL_STEP, .point = i};
        if (bits >> i & 1)
            g_array_append_val(items, item);
    }
    return ps_roll_intern(table, items);
}

/* Kinds that were merged leave no memory behind, and when all is over nothing is left. */
static void test_memory(void)
{
    PsRollTable *table = ps_roll_table_new();
    PsRollTally *tally = ps_roll_tally_new(table, 0, 16, FALSE);
    guint largest = 0;
    for (guint i = 0; i < 100 * 1000; i++) {
        const PsRollSequence *body = steps_of(table, i);
        ps_roll_tally_add(tally, 1, body);
        ps_roll_unref(body);
        largest = MAX(largest, ps_roll_table_size(table));
    }
    g_assert_cmpuint(largest, <=, 2 * 17);
    g_autoptr(GArray) runs = g_array_new(FALSE, FALSE, sizeof(PsRollRun));
    g_assert_cmpint(ps_roll_tally_runs(tally, runs), ==, PS_ROLL_MEAN_TRIPS);
    g_assert_cmpuint(runs->len, <=, 16);
    ps_roll_runs_clear(runs);
    ps_roll_tally_free(tally);
    g_assert_cmpuint(ps_roll_table_size(table), ==, 0);
    ps_roll_table_free(table);
}

/* ---- warps --------------------------------------------------------------------------------- */

static void test_warps(void)
{
    g_auto(Record) record = record_new(one_loop(), 0);
    for (guint i = 0; i < 3; i++)
        for (guint warp = 0; warp < 4; warp++)
            for (guint point = 1; point <= 3; point++)
                if (i < 2 || warp != 1)
                    tell(&record,
                         &(PsPtxEvent){.warp = warp, .point = point, .active = ALL, .mask = ALL});
    assert_text(&record, "L0{3x[1 2 3]}");
    const PsRollGroup *group = g_ptr_array_index(ps_roll_groups(record.roll), 0);
    g_assert_cmpuint(group->warps->len, ==, 2);
    g_assert_cmpint(group->length, ==, 33);
    const PsRollWarps *most = g_ptr_array_index(group->warps, 0);
    g_assert_cmpuint(most->warps->len, ==, 3);
    g_assert_cmpuint(g_array_index(most->warps, guint, 2), ==, 3);
    g_autofree char *text = roll_text(sequence_of(&record, 1));
    g_assert_cmpstr(text, ==, "L0{2x[1 2 3]}");
}

/* A group that ended in the middle, as after an error, leaves nothing behind. */
static void test_broken_group(void)
{
    static const guint next[3] = {1, 0, 0};
    g_auto(Record) record = record_new(two_loops(), 0);
    steps(&record, 0, 3);
    record.listener.group_begins(record.listener.data, next);
    steps(&record, 6, 6);
    assert_text(&record, "6");
    g_assert_cmpuint(ps_roll_groups(record.roll)->len, ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-roll/loop", test_loop);
    g_test_add_func("/ptx-roll/guard", test_guard);
    g_test_add_func("/ptx-roll/all-issue", test_all_issue);
    g_test_add_func("/ptx-roll/off", test_off);
    g_test_add_func("/ptx-roll/while", test_while);
    g_test_add_func("/ptx-roll/nested", test_nested);
    g_test_add_func("/ptx-roll/nested-tight", test_nested_tight);
    g_test_add_func("/ptx-roll/divergent-trips", test_divergent_trips);
    g_test_add_func("/ptx-roll/break-first", test_break_first);
    g_test_add_func("/ptx-roll/break-last", test_break_last);
    g_test_add_func("/ptx-roll/loop-in-branch", test_loop_in_branch);
    g_test_add_func("/ptx-roll/end-inside", test_end_inside);
    g_test_add_func("/ptx-roll/irreducible", test_irreducible);
    g_test_add_func("/ptx-roll/alternating", test_alternating);
    g_test_add_func("/ptx-roll/alternating-deep", test_alternating_deep);
    g_test_add_func("/ptx-roll/triangle", test_triangle);
    g_test_add_func("/ptx-roll/no-order", test_no_order);
    g_test_add_func("/ptx-roll/ways", test_ways);
    g_test_add_func("/ptx-roll/long-loop", test_long_loop);
    g_test_add_func("/ptx-roll/long-differences", test_long_differences);
    g_test_add_func("/ptx-roll/long-straight", test_long_straight);
    g_test_add_func("/ptx-roll/memory", test_memory);
    g_test_add_func("/ptx-roll/warps", test_warps);
    g_test_add_func("/ptx-roll/broken-group", test_broken_group);
    return g_test_run();
}
