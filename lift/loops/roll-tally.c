/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A loop's iterations without their order: a tally of how many there are of each kind. Where there
 * are more kinds than allowed, kinds are merged in steps, each tried only when the one before was
 * not enough: inner loops' iterations lose their order, too; patterns become the mean of their
 * point; at last all becomes one mean iteration. This happens while the loop still runs, so that
 * what is kept is bounded whatever the trip count.
 *
 * The mean of iterations that differ in what they execute: what counts is how often each step and
 * each inner loop was executed in all. If a step happened T times in N iterations, each mean
 * iteration has it T/N times, rounded down, and the first T mod N of them once more; an inner
 * loop's iterations, which are a tally again, are spread over its executions in the same way. So
 * all counts are those that were recorded, there are only as many kinds of mean iterations as there
 * are different remainders, and they follow each other from the fullest to the emptiest. Within an
 * iteration, the order is that of the code.
 *
 * Where the remainders are more than the kinds allowed, they are rounded to a multiple of N over
 * that number: by so much counts may be wrong then; but what was executed does not vanish.
 */
#include "lift/loops/roll-private.h"
#include "lift/memory/cache.h"

/* ---- the tally ------------------------------------------------------------------------------ */

typedef enum { KINDS, INNER_UNORDERED, INNER_MEAN, ONE_MEAN } Level;

struct PsRollTally {
    PsRollTable *table;
    guint loop;
    guint most;
    Level level;
    GArray *runs;      /* PsRollRun: kinds in the order of their first iterations */
    GHashTable *index; /* body -> number in runs + 1 */
    guint64 weight;    /* over all kinds */
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

/* Counts a body that is as coarse as the level; takes ownership of the reference. */
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

/* ---- the mean ------------------------------------------------------------------------------- */

/* A step or an inner loop. */
typedef struct {
    guint position; /* the step's point or the loop's position; parts are sorted by it */
    gboolean is_loop;
    guint loop;
    const PsPattern *pattern; /* mean pattern of the step's point, or NULL */
    gboolean off;             /* as in PsRollItem */
    guint serial;             /* order of parts with equal positions */
    gint64 times;             /* number of executions */
    PsRollTally *inner;       /* a loop's iterations over all executions */
} Part;

struct PsRollMean {
    PsRollTable *table;
    guint most;
    gint64 iterations;
    GHashTable *parts; /* Part: set */
};

static guint part_hash(gconstpointer key)
{
    const Part *part = key;
    guint number = part->is_loop ? ~part->loop : part->position;
    return (number + part->off) * 2654435761U ^ g_direct_hash(part->pattern);
}

static gboolean part_equal(gconstpointer key_a, gconstpointer key_b)
{
    const Part *a = key_a;
    const Part *b = key_b;
    if (a->is_loop || b->is_loop)
        return a->is_loop == b->is_loop && a->loop == b->loop;
    return a->position == b->position && a->pattern == b->pattern && a->off == b->off;
}

static void part_free(gpointer data)
{
    Part *part = data;
    ps_roll_tally_free(part->inner);
    g_free(part);
}

PsRollMean *ps_roll_mean_new(PsRollTable *table, guint most)
{
    PsRollMean *mean = g_new0(PsRollMean, 1);
    mean->table = table;
    mean->most = most;
    mean->parts = g_hash_table_new_full(part_hash, part_equal, part_free, NULL);
    return mean;
}

void ps_roll_mean_free(PsRollMean *mean)
{
    if (!mean)
        return;
    g_hash_table_destroy(mean->parts);
    g_free(mean);
}

/* The position of an item in the code; a loop has that of its first step. */
static guint position_of(const PsRollItem *item)
{
    while (item->kind == PS_ROLL_LOOP) {
        const PsRollItem *first = NULL;
        for (guint i = 0; i < item->n_runs && !first; i++)
            if (item->runs[i].body->n_items > 0)
                first = &item->runs[i].body->items[0];
        if (!first)
            return 0;
        item = first;
    }
    return item->point;
}

static Part *part_for(PsRollMean *mean, const PsRollItem *item)
{
    Part key = {
        .position = position_of(item), .is_loop = item->kind == PS_ROLL_LOOP, .off = item->off};
    if (key.is_loop)
        key.loop = item->loop;
    else if (item->pattern)
        key.pattern = ps_pattern_mean(item->pattern);
    Part *part = g_hash_table_lookup(mean->parts, &key);
    if (part)
        return part;
    part = g_new(Part, 1);
    *part = key;
    part->serial = g_hash_table_size(mean->parts);
    /* each kind of an inner iteration makes several kinds of outer ones, so fewer are allowed */
    if (key.is_loop)
        part->inner = ps_roll_tally_new(mean->table, key.loop, MAX(1, mean->most / 8), TRUE);
    g_hash_table_add(mean->parts, part);
    return part;
}

static void add_items(PsRollMean *mean, gint64 times, const PsRollSequence *sequence)
{
    for (guint i = 0; i < sequence->n_items; i++)
        ps_roll_mean_add_item(mean, times, &sequence->items[i]);
}

void ps_roll_mean_add_item(PsRollMean *mean, gint64 times, const PsRollItem *item)
{
    if (item->kind == PS_ROLL_LOOP && item->loop == PS_PTX_NOWHERE) {
        for (guint i = 0; i < item->n_runs; i++)
            add_items(mean, times * item->runs[i].times, item->runs[i].body);
        return;
    }
    Part *part = part_for(mean, item);
    part->times += times;
    for (guint i = 0; part->is_loop && i < item->n_runs; i++)
        ps_roll_tally_add(part->inner, times * item->runs[i].times, item->runs[i].body);
}

void ps_roll_mean_add(PsRollMean *mean, gint64 times, const PsRollSequence *body)
{
    mean->iterations += times;
    add_items(mean, times, body);
}

/* ---- spreading ----------------------------------------------------------------------------- */

/* Every iteration has `each` of it, and the first `extra` iterations one more. */
typedef struct {
    gint64 each, extra;
    const PsRollSequence *body; /* one kind of a loop's iterations */
} Share;

typedef struct {
    const Part *part;
    Share share; /* of the step, or of the loop's executions */
    GArray
        *inner; /* Share: how the kinds of the loop's iterations are spread over its executions */
} Spread;

static int by_position(gconstpointer a, gconstpointer b)
{
    const Part *x = ((const Spread *)a)->part;
    const Part *y = ((const Spread *)b)->part;
    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    return x->serial < y->serial ? -1 : x->serial > y->serial;
}

static void spread_clear(gpointer data)
{
    Spread *spread = data;
    for (guint i = 0; spread->inner && i < spread->inner->len; i++)
        ps_roll_unref(g_array_index(spread->inner, Share, i).body);
    g_clear_pointer(&spread->inner, g_array_unref);
}

static Share share_of(gint64 times, gint64 n)
{
    return (Share){.each = times / n, .extra = times % n};
}

static void spread_loop(Spread *spread, gint64 iterations)
{
    const Part *part = spread->part;
    gint64 executions = MIN(part->times, iterations);
    spread->share = share_of(executions, iterations);
    spread->inner = g_array_new(FALSE, FALSE, sizeof(Share));
    g_autoptr(GArray) runs = g_array_new(FALSE, FALSE, sizeof(PsRollRun));
    ps_roll_tally_runs(part->inner, runs);
    for (guint i = 0; i < runs->len; i++) {
        const PsRollRun *run = &g_array_index(runs, PsRollRun, i);
        Share share = share_of(run->times, executions);
        share.body = run->body;
        g_array_append_val(spread->inner, share);
    }
}

static GArray *spread_all(const PsRollMean *mean, gint64 iterations)
{
    GArray *spreads = g_array_new(FALSE, FALSE, sizeof(Spread));
    g_array_set_clear_func(spreads, spread_clear);
    GHashTableIter iter;
    gpointer key = NULL;
    g_hash_table_iter_init(&iter, mean->parts);
    while (g_hash_table_iter_next(&iter, &key, NULL)) {
        Spread spread = {.part = key, .share = share_of(((Part *)key)->times, iterations)};
        if (spread.part->is_loop)
            spread_loop(&spread, iterations);
        g_array_append_val(spreads, spread);
    }
    g_array_sort(spreads, by_position);
    return spreads;
}

/* ---- kinds of mean iterations -------------------------------------------------------------- */

static int by_number(gconstpointer a, gconstpointer b)
{
    gint64 x = *(const gint64 *)a;
    gint64 y = *(const gint64 *)b;
    return x < y ? -1 : x > y;
}

static void add_cut(GArray *cuts, const Share *share)
{
    if (share->extra > 0)
        g_array_append_val(cuts, share->extra);
}

/* The iterations at which extra ones end: ascending, each once, and finally the number of
 * iterations. Between two cuts all iterations are alike. */
static GArray *cuts_of(const GArray *spreads, gint64 iterations)
{
    GArray *cuts = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (guint i = 0; i < spreads->len; i++) {
        const Spread *spread = &g_array_index(spreads, Spread, i);
        add_cut(cuts, &spread->share);
        for (guint k = 0; spread->inner && k < spread->inner->len; k++)
            add_cut(cuts, &g_array_index(spread->inner, Share, k));
    }
    g_array_append_val(cuts, iterations);
    g_array_sort(cuts, by_number);
    guint n = 0;
    gint64 *data = (gint64 *)(gpointer)cuts->data;
    for (guint i = 0; i < cuts->len; i++)
        if (n == 0 || data[n - 1] != data[i])
            data[n++] = data[i];
    g_array_set_size(cuts, n);
    return cuts;
}

/* Rounds `extra` to the nearest multiple of unit, but not to 0 if nothing else would be left. */
static void round_share(Share *share, gint64 unit, gint64 iterations)
{
    gint64 extra = (share->extra + unit / 2) / unit * unit;
    if (extra == 0 && share->each == 0 && share->extra > 0)
        extra = unit;
    share->extra = MIN(extra, iterations);
}

static void round_all(GArray *spreads, gint64 unit, gint64 iterations)
{
    for (guint i = 0; i < spreads->len; i++) {
        Spread *spread = &g_array_index(spreads, Spread, i);
        round_share(&spread->share, unit, iterations);
        for (guint k = 0; spread->inner && k < spread->inner->len; k++)
            round_share(&g_array_index(spread->inner, Share, k), unit, iterations);
    }
}

static gint64 share_at(const Share *share, gint64 iteration)
{
    return share->each + (iteration < share->extra);
}

/* Appends a step; if it is executed several times, as a loop. */
static void append_step(PsRollMean *mean, const Part *part, gint64 times, GArray *items)
{
    PsRollItem item = {
        .kind = PS_ROLL_STEP, .point = part->position, .pattern = part->pattern, .off = part->off};
    if (times > 1) {
        g_autoptr(GArray) body = g_array_new(FALSE, FALSE, sizeof(PsRollItem));
        g_array_append_val(body, item);
        g_autoptr(GArray) runs = g_array_new(FALSE, FALSE, sizeof(PsRollRun));
        PsRollRun run = {times, ps_roll_intern(mean->table, body)};
        g_array_append_val(runs, run);
        item = ps_roll_loop_item(PS_PTX_NOWHERE, runs, PS_ROLL_MEAN_TRIPS);
    }
    g_array_append_val(items, item);
}

static void append_loop(const Spread *spread, gint64 iteration, GArray *items)
{
    g_autoptr(GArray) runs = g_array_new(FALSE, FALSE, sizeof(PsRollRun));
    for (guint i = 0; i < spread->inner->len; i++) {
        const Share *share = &g_array_index(spread->inner, Share, i);
        PsRollRun run = {share_at(share, iteration), share->body};
        if (run.times == 0)
            continue;
        ps_roll_ref(run.body);
        g_array_append_val(runs, run);
    }
    if (runs->len == 0)
        return;
    PsRollItem item = ps_roll_loop_item(spread->part->loop, runs, PS_ROLL_MEAN_TRIPS);
    g_array_append_val(items, item);
}

static const PsRollSequence *body_at(PsRollMean *mean, const GArray *spreads, gint64 iteration)
{
    g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(PsRollItem));
    for (guint i = 0; i < spreads->len; i++) {
        const Spread *spread = &g_array_index(spreads, Spread, i);
        gint64 times = share_at(&spread->share, iteration);
        if (times == 0)
            continue;
        if (spread->part->is_loop)
            append_loop(spread, iteration, items);
        else
            append_step(mean, spread->part, times, items);
    }
    return ps_roll_intern(mean->table, items);
}

/* The number of added iterations; if only items were added, as many as the most frequent item
 * needs. */
static gint64 mean_iterations(const PsRollMean *mean)
{
    gint64 most = 0;
    GHashTableIter iter;
    gpointer key = NULL;
    g_hash_table_iter_init(&iter, mean->parts);
    while (g_hash_table_iter_next(&iter, &key, NULL))
        most = MAX(most, ((Part *)key)->times);
    return mean->iterations > 0 ? mean->iterations : most;
}

void ps_roll_mean_runs(PsRollMean *mean, GArray *runs)
{
    gint64 iterations = mean_iterations(mean);
    if (iterations == 0)
        return;
    g_autoptr(GArray) spreads = spread_all(mean, iterations);
    g_autoptr(GArray) cuts = cuts_of(spreads, iterations);
    if (cuts->len > mean->most) {
        round_all(spreads, (iterations + mean->most - 1) / mean->most, iterations);
        g_array_unref(cuts);
        cuts = cuts_of(spreads, iterations);
    }
    gint64 begin = 0;
    for (guint i = 0; i < cuts->len; i++) {
        gint64 end = g_array_index(cuts, gint64, i);
        PsRollRun run = {end - begin, body_at(mean, spreads, begin)};
        g_array_append_val(runs, run);
        begin = end;
    }
}
