/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A loop's iterations without their order: how many there are of each kind. Where there are more
 * kinds than allowed, kinds are merged in steps, each tried only when the one before was not
 * enough: inner loops' iterations lose their order, too; patterns become the mean of their point;
 * at last all becomes one mean iteration. This happens while the loop still runs, so that what is
 * kept is bounded whatever the trip count.
 */
#include "lift/roll-private.h"

typedef enum { KINDS, INNER_UNORDERED, INNER_MEAN, ONE_MEAN } Level;

struct PsRollTally {
    PsRollTable *table;
    guint loop;
    guint most;
    Level level;
    GArray *runs;      /* PsRollRun: kinds in the order in which they came */
    GHashTable *index; /* body -> number in runs + 1 */
    guint64 weight;    /* of all kinds */
    PsRollMean *mean;  /* ONE_MEAN */
};

PsRollTally *ps_roll_tally_new(PsRollTable *table, guint loop, guint most, gboolean means)
{
    PsRollTally *tally = g_new0(PsRollTally, 1);
    tally->table = table;
    tally->loop = loop;
    tally->most = most;
    tally->level = means ? INNER_MEAN : KINDS;
    tally->runs = g_array_new(FALSE, FALSE, sizeof(PsRollRun));
    tally->index = g_hash_table_new(NULL, NULL);
    return tally;
}

void ps_roll_tally_free(PsRollTally *tally)
{
    if (!tally)
        return;
    ps_roll_runs_clear(tally->runs);
    g_array_unref(tally->runs);
    g_hash_table_destroy(tally->index);
    ps_roll_mean_free(tally->mean);
    g_free(tally);
}

/* Counts a body that is as coarse as the level asks; takes over the reference. */
static void count(PsRollTally *tally, PsRollRun run)
{
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(tally->index, run.body));
    if (number > 0) {
        g_array_index(tally->runs, PsRollRun, number - 1).times += run.times;
        ps_roll_unref(run.body);
        return;
    }
    g_array_append_val(tally->runs, run);
    g_hash_table_insert(tally->index, (gpointer)run.body, GUINT_TO_POINTER(tally->runs->len));
    tally->weight += ps_roll_weight(run.body);
}

static void add_at_level(PsRollTally *tally, gint64 times, const PsRollSequence *body)
{
    switch (tally->level) {
    case KINDS:
        count(tally, (PsRollRun){times, ps_roll_ref(body)});
        break;
    case INNER_UNORDERED:
        count(tally, (PsRollRun){times, ps_roll_view(tally->table, body, PS_ROLL_UNORDERED)});
        break;
    case INNER_MEAN:
        count(tally, (PsRollRun){times, ps_roll_view(tally->table, body, PS_ROLL_MEAN)});
        break;
    case ONE_MEAN:
        ps_roll_mean_add(tally->mean, times, body);
        break;
    }
}

static gboolean too_many(const PsRollTally *tally)
{
    return tally->runs->len > tally->most ||
           (tally->runs->len > 1 && tally->weight > PS_ROLL_MOST_WEIGHT);
}

static void get_coarser(PsRollTally *tally)
{
    GArray *runs = tally->runs;
    tally->runs = g_array_new(FALSE, FALSE, sizeof(PsRollRun));
    g_hash_table_remove_all(tally->index);
    tally->weight = 0;
    tally->level++;
    if (tally->level == ONE_MEAN)
        tally->mean = ps_roll_mean_new(tally->table, tally->most);
    for (guint i = 0; i < runs->len; i++) {
        PsRollRun run = g_array_index(runs, PsRollRun, i);
        add_at_level(tally, run.times, run.body);
    }
    ps_roll_runs_clear(runs);
    g_array_unref(runs);
}

void ps_roll_tally_add(PsRollTally *tally, gint64 times, const PsRollSequence *body)
{
    const PsRollItem *several = ps_roll_composite(tally->loop, body);
    for (guint i = 0; several && i < several->n_runs; i++)
        ps_roll_tally_add(tally, times * several->runs[i].times, several->runs[i].body);
    if (several)
        return;
    add_at_level(tally, times, body);
    while (tally->level != ONE_MEAN && too_many(tally))
        get_coarser(tally);
}

PsRollCoarse ps_roll_tally_runs(PsRollTally *tally, GArray *runs)
{
    if (tally->level == ONE_MEAN) {
        ps_roll_mean_runs(tally->mean, runs);
        return PS_ROLL_MEAN_TRIPS;
    }
    for (guint i = 0; i < tally->runs->len; i++) {
        PsRollRun run = g_array_index(tally->runs, PsRollRun, i);
        ps_roll_ref(run.body);
        g_array_append_val(runs, run);
    }
    return tally->level == INNER_MEAN ? PS_ROLL_MEAN_PATTERNS : PS_ROLL_NO_ORDER;
}
