/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes spots of sequences. */
#include "lift/values/spots.h"

static guint count_memo(const PsRollSequence *sequence, GHashTable *memo)
{
    gpointer known;
    if (g_hash_table_lookup_extended(memo, sequence, NULL, &known))
        return GPOINTER_TO_UINT(known);
    guint64 n = 0;
    for (guint i = 0; i < sequence->n_items; i++) {
        const PsRollItem *item = &sequence->items[i];
        n += item->kind == PS_ROLL_STEP ? 1 : 0;
        for (guint r = 0; item->kind == PS_ROLL_LOOP && r < item->n_runs; r++)
            n += 2 + (guint64)count_memo(item->runs[r].body, memo);
        n = MIN(n, G_MAXUINT / 2);
    }
    g_hash_table_insert(memo, (gpointer)sequence, GUINT_TO_POINTER((guint)n));
    return (guint)n;
}

guint ps_spots_count(const PsRollSequence *sequence)
{
    g_autoptr(GHashTable) memo = g_hash_table_new(NULL, NULL);
    return count_memo(sequence, memo);
}

/* ---- layout --------------------------------------------------------------------------------- */

static void add_sequence(PsSpots *spots, const PsRollSequence *sequence, guint around);

/* TRUE for the second of an instruction's two patterns: a copy reads global and writes local
 * memory, and the graph shows what it reads. */
static gboolean is_second_pattern(PsSpots *spots, const PsRollItem *item, guint around)
{
    if (spots->spots->len == 0 || !item->pattern)
        return FALSE;
    PsSpot *last = ps_spot(spots, spots->spots->len - 1);
    if (last->kind != PS_SPOT_STEP || last->point != item->point || last->around != around)
        return FALSE;
    if (last->pattern && last->pattern->space != PS_PTX_GLOBAL &&
        item->pattern->space == PS_PTX_GLOBAL)
        last->pattern = item->pattern;
    return TRUE;
}

static void add_step(PsSpots *spots, const PsRollItem *item, guint around)
{
    if (is_second_pattern(spots, item, around))
        return;
    const gboolean off = ps_facts_is_off(spots->facts, item);
    const PsSpot spot = {.kind = PS_SPOT_STEP,
                         .role = off ? PS_ROLE_NODE : spots->facts->facts[item->point].role,
                         .alive = TRUE,
                         .point = item->point,
                         .pattern = item->pattern,
                         .off = off,
                         .into = PS_NO_SPOT,
                         .around = around,
                         .beside = PS_NO_SPOT,
                         .degree = item->pattern ? item->pattern->degree : 0};
    g_array_append_val(spots->spots, spot);
}

/* Adds the body of a run; one that runs once gets no loop. */
static void add_run(PsSpots *spots, const PsRollItem *item, const PsRollRun *run, guint around)
{
    if (run->times == 1) {
        add_sequence(spots, run->body, around);
        return;
    }
    const guint begin = spots->spots->len;
    gint64 all = 0;
    for (guint r = 0; r < item->n_runs; r++)
        all += item->runs[r].times;
    PsSpot spot = {.kind = PS_SPOT_LOOP,
                   .into = PS_NO_SPOT,
                   .around = around,
                   .loop = item->loop,
                   .times = run->times,
                   .others = all - run->times};
    g_array_append_val(spots->spots, spot);
    add_sequence(spots, run->body, begin);
    ps_spot(spots, begin)->partner = spots->spots->len;
    spot.kind = PS_SPOT_END;
    spot.partner = begin;
    g_array_append_val(spots->spots, spot);
}

static void add_sequence(PsSpots *spots, const PsRollSequence *sequence, guint around)
{
    for (guint i = 0; i < sequence->n_items; i++) {
        const PsRollItem *item = &sequence->items[i];
        if (item->kind == PS_ROLL_STEP)
            add_step(spots, item, around);
        for (guint r = 0; item->kind == PS_ROLL_LOOP && r < item->n_runs; r++)
            if (item->runs[r].times > 0)
                add_run(spots, item, &item->runs[r], around);
    }
}

static void spot_clear(gpointer data)
{
    PsSpot *spot = data;
    g_clear_pointer(&spot->edges, g_array_unref);
    g_clear_pointer(&spot->reads, g_array_unref);
    g_free(spot->name);
}

/* Parts of a loop's node belong to the next branch back in the same body. If an iteration has none,
 * since it left the loop in the middle, no node stands for them. */
static void find_loop_nodes(PsSpots *spots)
{
    g_autoptr(GHashTable) next = g_hash_table_new(NULL, NULL);
    for (guint i = spots->spots->len; i-- > 0;) {
        PsSpot *spot = ps_spot(spots, i);
        if (spot->kind != PS_SPOT_STEP)
            continue;
        const PsFact *fact = ps_spot_fact(spots, i);
        if (fact->loop == PS_PTX_NOWHERE)
            continue;
        gpointer key = GUINT_TO_POINTER(fact->loop), found;
        if (spot->role != PS_ROLE_PART)
            g_hash_table_insert(next, key, GUINT_TO_POINTER(i));
        else if (g_hash_table_lookup_extended(next, key, NULL, &found) &&
                 ps_spot(spots, GPOINTER_TO_UINT(found))->around == spot->around)
            spot->into = GPOINTER_TO_UINT(found);
        else
            spot->role = PS_ROLE_FORWARD;
    }
}

PsSpots *ps_spots_new(const PsFacts *facts, const PsRollSequence *sequence)
{
    PsSpots *spots = g_new0(PsSpots, 1);
    spots->facts = facts;
    spots->spots = g_array_new(FALSE, FALSE, sizeof(PsSpot));
    g_array_set_clear_func(spots->spots, spot_clear);
    add_sequence(spots, sequence, PS_NO_SPOT);
    find_loop_nodes(spots);
    spots->order = g_new(guint, spots->spots->len + 1);
    for (guint i = 0; i < spots->spots->len; i++)
        spots->order[i] = i;
    return spots;
}

void ps_spots_free(PsSpots *spots)
{
    if (!spots)
        return;
    g_array_unref(spots->spots);
    g_free(spots->order);
    g_free(spots);
}
