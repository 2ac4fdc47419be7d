/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A loop's iterations in their order. Those that are alike and follow each other are a run; runs
 * that repeat, such as A B A B, become one run of an iteration that is in truth several: a
 * sequence with the same loop as its only item, whose runs are A and B. This is found as
 * iterations come: when the last runs equal those before them. What repeats may be part of
 * something longer that repeats.
 *
 * The last run still grows, so only those before it are looked at until the loop ends.
 */
#include "lift/loops/roll-private.h"

#define MOST_PERIOD 16

static gboolean equal_runs(const PsRollRun *a, const PsRollRun *b, guint n)
{
    for (guint i = n; i-- > 0;)
        if (a[i].body != b[i].body || a[i].times != b[i].times)
            return FALSE;
    return TRUE;
}

static void drop(GArray *runs, guint from, guint n)
{
    for (guint i = from; i < from + n; i++)
        ps_roll_unref(g_array_index(runs, PsRollRun, i).body);
    if (n > 0)
        g_array_remove_range(runs, from, n);
}

/* Replaces n runs by one iteration that stands for several. */
static void join(PsRollTable *table, guint loop, GArray *runs, guint from, guint n)
{
    g_autoptr(GArray) inner = g_array_sized_new(FALSE, FALSE, sizeof(PsRollRun), n);
    g_array_append_vals(inner, &g_array_index(runs, PsRollRun, from), n);
    g_autoptr(GArray) items = g_array_sized_new(FALSE, FALSE, sizeof(PsRollItem), 1);
    PsRollItem item = ps_roll_loop_item(loop, inner, PS_ROLL_EXACT);
    g_array_append_val(items, item);
    g_array_remove_range(runs, from, n - 1);
    g_array_index(runs, PsRollRun, from) = (PsRollRun){1, ps_roll_intern(table, items)};
}

/* Folds the last `period` runs before `end` if they repeat the runs before them. */
static gboolean fold(PsRollTable *table, guint loop, GArray *runs, guint end, guint period)
{
    const PsRollRun *data = (const PsRollRun *)(gconstpointer)runs->data;
    const PsRollRun *last = data + end - period;
    PsRollRun *before = &g_array_index(runs, PsRollRun, end - period - 1);
    const PsRollItem *several = ps_roll_composite(loop, before->body);
    if (several && several->n_runs == period && equal_runs(several->runs, last, period)) {
        before->times++;
        drop(runs, end - period, period);
        return TRUE;
    }
    if (end < 2 * period || !equal_runs(last - period, last, period))
        return FALSE;
    drop(runs, end - period, period);
    join(table, loop, runs, end - 2 * period, period);
    g_array_index(runs, PsRollRun, end - 2 * period).times = 2;
    return TRUE;
}

/* Folds everything that can be folded before the last `open` runs. */
static void fold_all(PsRollTable *table, guint loop, GArray *runs, guint open)
{
    guint period = 2;
    while (period <= MOST_PERIOD && runs->len > open + period)
        period = fold(table, loop, runs, runs->len - open, period) ? 2 : period + 1;
}

void ps_roll_order_add(PsRollTable *table, guint loop, GArray *runs, PsRollRun run)
{
    if (runs->len > 0) {
        PsRollRun *last = &g_array_index(runs, PsRollRun, runs->len - 1);
        if (last->body == run.body) {
            last->times += run.times;
            ps_roll_unref(run.body);
            return;
        }
    }
    g_array_append_val(runs, run);
    fold_all(table, loop, runs, 1);
}

void ps_roll_order_end(PsRollTable *table, guint loop, GArray *runs)
{
    fold_all(table, loop, runs, 0);
}
