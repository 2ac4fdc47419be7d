/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs of nested loops and branches: an exact record unrolls to what was executed, a
 * coarser one has as much of everything, and loops are entered and go round as often as they did.
 */
#include "lift/loops/roll.h"
#include "tests/help/hand-run.h"
#include "tests/help/roll-text.h"
#include "tests/help/seeds.h"

/* Adds up the executions of each loop and their iterations. */
static void count_loops(const PsRollSequence *sequence, gint64 times, gint64 *entries,
                        gint64 *iterations);

static void count_runs(const PsRollItem *loop, gint64 times, gint64 *entries, gint64 *iterations)
{
    for (guint i = 0; i < loop->n_runs; i++) {
        const PsRollSequence *body = loop->runs[i].body;
        gint64 n = times * loop->runs[i].times;
        if (body->n_items == 1 && body->items[0].kind == PS_ROLL_LOOP &&
            body->items[0].loop == loop->loop) {
            count_runs(&body->items[0], n, entries, iterations);
            continue;
        }
        if (loop->loop != NOWHERE)
            iterations[loop->loop] += n;
        count_loops(body, n, entries, iterations);
    }
}

static void count_loops(const PsRollSequence *sequence, gint64 times, gint64 *entries,
                        gint64 *iterations)
{
    for (guint i = 0; i < sequence->n_items; i++) {
        const PsRollItem *item = &sequence->items[i];
        if (item->kind != PS_ROLL_LOOP)
            continue;
        if (item->loop != NOWHERE)
            entries[item->loop] += times;
        count_runs(item, times, entries, iterations);
    }
}

/* Whether lanes that part in a loop meet in it or right after it. Else some may go round the loop
 * around it while others wait inside, whose rest of the execution looks like another one. */
static gboolean is_local(const PsPtxCode *code)
{
    for (guint i = 0; i < code->n_points; i++) {
        guint loop = code->points[i].loop;
        guint parent = loop == NOWHERE ? NOWHERE : code->loops[loop].parent;
        if (code->points[i].target == NOWHERE || parent == NOWHERE)
            continue;
        guint meet = code->points[i].meet;
        guint at = meet == NOWHERE ? NOWHERE : code->points[meet].loop;
        while (at != NOWHERE && at != parent)
            at = code->loops[at].parent;
        if (at != parent)
            return FALSE;
    }
    return TRUE;
}

static gboolean check_exact(const PsRollSequence *sequence, const PsPtxCode *code,
                            const HandLot *lot, const HandRun *run)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(guint));
    roll_unroll(sequence, points);
    if (points->len != run->points->len)
        return FALSE;
    for (guint i = 0; i < points->len; i++)
        if (g_array_index(points, guint, i) != g_array_index(run->points, guint, i))
            return FALSE;
    gint64 entries[64] = {0};
    gint64 iterations[64] = {0};
    count_loops(sequence, 1, entries, iterations);
    gint64 headers[64] = {0};
    for (guint i = 0; i < run->points->len; i++)
        for (guint k = 0; k < code->n_loops; k++)
            headers[k] += g_array_index(run->points, guint, i) == code->loops[k].header;
    gboolean local = !lot->divergent || is_local(code);
    for (guint i = 0; i < code->n_loops; i++)
        if (iterations[i] != headers[i] || (local && entries[i] != run->entries[i]))
            return FALSE;
    return TRUE;
}

/* Nothing vanishes, and unless kinds of means were too many, too, all is there as often. */
static gboolean check_counts(const PsRollSequence *sequence, const PsPtxCode *code,
                             const HandRun *run, gboolean exact)
{
    g_autofree gint64 *counts = g_new0(gint64, code->n_points);
    g_autofree gint64 *expected = g_new0(gint64, code->n_points);
    roll_count(sequence, 1, counts);
    for (guint i = 0; i < run->points->len; i++)
        expected[g_array_index(run->points, guint, i)]++;
    for (guint i = 0; i < code->n_points; i++) {
        if ((counts[i] == 0) != (expected[i] == 0))
            return FALSE;
        if (exact && counts[i] != expected[i])
            return FALSE;
    }
    return TRUE;
}

typedef struct {
    guint seen[PS_ROLL_MEAN_TRIPS + 1];
} Seen;

static gboolean check(guint32 seed, gpointer data)
{
    Seen *seen = data;
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    HandLot lot = {.rand = rand,
                   .most_points = (guint)g_rand_int_range(rand, 5, 50),
                   .wild = g_rand_boolean(rand),
                   .divergent = g_rand_boolean(rand),
                   .last_first = g_rand_boolean(rand),
                   .most_steps = (guint)g_rand_int_range(rand, 10, 3000)};
    PsPtxCode *code = hand_program(&lot);
    HandRun run = {.points = g_array_new(FALSE, FALSE, sizeof(guint))};
    PsRollOptions options = {.most_kinds = 1U << g_rand_int_range(rand, 0, 11)};
    PsRoll *roll = ps_roll_new(code, &options);
    PsPtxListener listener = ps_roll_listener(roll);
    hand_run(code, &lot, &listener, &run);
    const PsRollGroup *group = g_ptr_array_index(ps_roll_groups(roll), 0);
    const PsRollSequence *sequence =
        ((const PsRollWarps *)g_ptr_array_index(group->warps, 0))->sequence;
    PsRollCoarse coarsest = roll_coarsest(sequence);
    seen->seen[coarsest]++;
    gboolean good = coarsest == PS_ROLL_EXACT
                        ? check_exact(sequence, code, &lot, &run)
                        : check_counts(sequence, code, &run, coarsest < PS_ROLL_MEAN_TRIPS);
    if (!good) {
        g_autofree char *text = roll_text(sequence);
        g_test_message("seed %u: wrong: %.2000s", seed, text);
    }
    ps_roll_free(roll);
    g_array_unref(run.points);
    hand_code_free(code);
    return good;
}

static void test_random(void)
{
    Seen seen = {0};
    guint looked = seeds_check((SeedCounts){3000, 100}, check, &seen);
    if (looked < 1000)
        return;
    g_test_message("exact %u, no order %u, means %u", seen.seen[PS_ROLL_EXACT],
                   seen.seen[PS_ROLL_NO_ORDER], seen.seen[PS_ROLL_MEAN_TRIPS]);
    g_assert_cmpuint(seen.seen[PS_ROLL_EXACT], >, looked / 8);
    g_assert_cmpuint(seen.seen[PS_ROLL_NO_ORDER], >, looked / 100);
    g_assert_cmpuint(seen.seen[PS_ROLL_MEAN_TRIPS], >, looked / 8);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-roll/random", test_random);
    return g_test_run();
}
