/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes spots of sequences. */
#include "lift/values/spots.h"

/* Runs of one loop that are laid out as several iterations at once, at most. */
#define MOST_RUNS 512

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
 * memory, and the graph shows its reads. */
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

static guint begin_loop(PsSpots *spots, const PsSpot *loop)
{
    PsSpot spot = *loop;
    spot.kind = PS_SPOT_LOOP;
    spot.into = PS_NO_SPOT;
    g_array_append_val(spots->spots, spot);
    return spots->spots->len - 1;
}

static void end_loop(PsSpots *spots, guint begin)
{
    PsSpot spot = *ps_spot(spots, begin);
    ps_spot(spots, begin)->partner = spots->spots->len;
    spot.kind = PS_SPOT_END;
    spot.partner = begin;
    g_array_append_val(spots->spots, spot);
}

static gint64 iterations_of(const PsRollRun *runs, guint n)
{
    gint64 all = 0;
    for (guint r = 0; r < n; r++)
        all += runs[r].times;
    return all;
}

/* Adds the body of a run; one that runs once gets no loop. */
static void add_run(PsSpots *spots, const PsRollItem *item, const PsRollRun *run, guint around)
{
    if (run->times == 1) {
        add_sequence(spots, run->body, around);
        return;
    }
    const PsSpot spot = {.around = around,
                         .loop = item->loop,
                         .times = run->times,
                         .copies = 1,
                         .others = iterations_of(item->runs, item->n_runs) - run->times};
    const guint begin = begin_loop(spots, &spot);
    add_sequence(spots, run->body, begin);
    end_loop(spots, begin);
}

/* ---- several iterations at once -------------------------------------------------------------- */

/* The role of a step in an iteration that is followed by another one without a branch. */
static PsRole role_before_another(const PsFact *fact, guint point, PsRole role)
{
    if (point == fact->loop)
        return PS_ROLE_NOTHING;
    if (role == PS_ROLE_PART && fact->loop != PS_PTX_NOWHERE)
        return fact->count == PS_COUNT_VALUE ? PS_ROLE_NODE : PS_ROLE_FORWARD;
    return fact->count == PS_COUNT_ADDRESS ? PS_ROLE_FORWARD : role;
}

static void add_iteration(PsSpots *spots, const PsRollSequence *body, guint around, gboolean first,
                          gboolean last)
{
    const guint begin = spots->spots->len;
    for (guint i = 0; i < body->n_items; i++) {
        const guint at = spots->spots->len;
        add_step(spots, &body->items[i], around);
        if (at == spots->spots->len)
            continue;
        PsSpot *spot = ps_spot(spots, at);
        const PsFact *fact = &spots->facts->facts[spot->point];
        spot->goes_on = at == begin && !first;
        spot->again = !first && fact->count == PS_COUNT_VALUE;
        if (!last)
            spot->role = role_before_another(fact, spot->point, spot->role);
    }
}

static void add_iterations(PsSpots *spots, const PsRollSequence *const *bodies, guint n,
                           guint around)
{
    for (guint i = 0; i < n; i++)
        add_iteration(spots, bodies[i], around, i == 0, i + 1 == n);
}

/* Adds the trips of a loop whose iterations have one body. */
static void add_trips(PsSpots *spots, const PsSpot *loop, const PsRollSequence *body)
{
    g_autofree const PsRollSequence **bodies = g_new(const PsRollSequence *, loop->copies);
    for (guint i = 0; i < loop->copies; i++)
        bodies[i] = body;
    if (loop->times == 1 && !loop->all) {
        add_iterations(spots, bodies, loop->copies, loop->around);
        return;
    }
    const guint begin = begin_loop(spots, loop);
    add_iterations(spots, bodies, loop->copies, begin);
    end_loop(spots, begin);
}

/* Adds equal iterations: those at once, then half as many, and so on. */
static void add_alike(PsSpots *spots, const PsRollRun *run, guint around, guint loop, guint most)
{
    for (guint n = most; n > 0; n /= 2) {
        const PsSpot trips = {.around = around,
                              .loop = loop,
                              .times = n == most ? run->times / n : run->times % (2 * n) / n,
                              .copies = n,
                              .all = run->times,
                              .rest = n < most};
        add_trips(spots, &trips, run->body);
    }
}

/* Trips of a loop: whole ones, and then some of fewer iterations each. */
#define MOST_RESTS 8
typedef struct {
    guint whole, n, rests[MOST_RESTS];
    gint64 sum; /* sum of rests */
} Sizes;

/* Makes `parts` more trips of the same iterations, by halves. */
static void add_rest(Sizes *sizes, guint size, guint *parts)
{
    if (*parts > 0 && size > 1 && sizes->n + 3 < MOST_RESTS) {
        (*parts)--;
        add_rest(sizes, size / 2, &(guint){0});
        add_rest(sizes, size / 2, parts);
        return;
    }
    sizes->rests[sizes->n++] = size;
    sizes->sum += size;
}

/* Whole trips, then trips of half as many of the remaining iterations, and so on. parts: as in
 * PsRollItem; lanes that leave early do their remaining iterations in trips of their own. */
static Sizes sizes_of(gint64 all, guint whole, guint parts)
{
    Sizes sizes = {.whole = whole};
    if (parts > 0 && all >= whole)
        add_rest(&sizes, whole, &parts);
    for (guint size = whole / 2; size > 0; size /= 2)
        if (all % (2 * (gint64)size) >= size)
            add_rest(&sizes, size, &parts);
    return sizes;
}

/* The size of the next trip, with so many iterations left. */
static guint size_at(const Sizes *sizes, gint64 left)
{
    gint64 before = sizes->sum;
    if (left > before)
        return sizes->whole;
    for (guint i = 0; i < sizes->n; i++, before -= sizes->rests[i - 1])
        if (before == left)
            return sizes->rests[i];
    return 0;
}

/* The trip that is being filled. */
typedef struct {
    const PsRollSequence **bodies;
    guint n, size; /* iterations so far, and at its end */
    gint64 left;   /* iterations in no trip yet */
} Trip;

static void add_to_trip(PsSpots *spots, Trip *trip, const PsRollSequence *body, const Sizes *sizes,
                        guint around)
{
    trip->bodies[trip->n++] = body;
    trip->left--;
    if (trip->n < trip->size)
        return;
    add_iterations(spots, trip->bodies, trip->n, around);
    trip->n = 0;
    trip->size = size_at(sizes, trip->left);
}

/* Adds iterations of several kinds, in order, or in trips of several sizes. */
static void add_different(PsSpots *spots, const GArray *runs, guint around, guint loop,
                          const Sizes *sizes)
{
    const guint most = sizes->whole;
    g_autofree const PsRollSequence **bodies = g_new(const PsRollSequence *, most);
    const gint64 all = iterations_of((const PsRollRun *)(gpointer)runs->data, runs->len);
    Trip trip = {bodies, 0, size_at(sizes, all), all};
    for (guint r = 0; r < runs->len; r++) {
        const PsRollRun *run = &g_array_index(runs, PsRollRun, r);
        for (gint64 t = run->times; t > 0;) {
            const gint64 whole = MIN(t, trip.left - sizes->sum) / most;
            if (trip.n > 0 || trip.size != most || whole < 2) {
                add_to_trip(spots, &trip, run->body, sizes, around);
                t--;
                continue;
            }
            const PsSpot trips = {.around = around, .loop = loop, .times = whole, .copies = most};
            add_trips(spots, &trips, run->body);
            t -= whole * most;
            trip.left -= whole * most;
            trip.size = size_at(sizes, trip.left);
        }
    }
}

/* Adds the runs of a loop, those of a repeated pattern as often as it repeats. FALSE: they are too
 * many, or iterations have loops in them. */
static gboolean list_runs(const PsRollItem *item, GArray *runs)
{
    for (guint r = 0; r < item->n_runs; r++) {
        const PsRollRun *run = &item->runs[r];
        const PsRollItem *first = run->body->items;
        const gboolean pattern =
            run->body->n_items == 1 && first->kind == PS_ROLL_LOOP && first->loop == item->loop;
        for (guint i = 0; !pattern && i < run->body->n_items; i++)
            if (first[i].kind != PS_ROLL_STEP)
                return FALSE;
        for (gint64 t = 0; pattern && t < run->times; t++)
            if (!list_runs(first, runs))
                return FALSE;
        if (!pattern)
            g_array_append_val(runs, *run);
        if (runs->len > MOST_RUNS)
            return FALSE;
    }
    return TRUE;
}

/* FALSE: the loop stays as it is. */
static gboolean add_unrolled(PsSpots *spots, const PsRollItem *item, guint around)
{
    const guint most = item->loop == PS_PTX_NOWHERE ? 0 : spots->facts->unrolled[item->loop];
    g_autoptr(GArray) runs = g_array_new(FALSE, FALSE, sizeof(PsRollRun));
    if (most < 2 || !list_runs(item, runs) || runs->len == 0)
        return FALSE;
    const PsRollRun *first = &g_array_index(runs, PsRollRun, 0);
    if (runs->len == 1 && first->times >= most && item->parts == 0) {
        add_alike(spots, first, around, item->loop, most);
        return TRUE;
    }
    const gint64 all = iterations_of((const PsRollRun *)(gpointer)runs->data, runs->len);
    const Sizes sizes = sizes_of(all, most, item->parts);
    add_different(spots, runs, around, item->loop, &sizes);
    return TRUE;
}

static void add_sequence(PsSpots *spots, const PsRollSequence *sequence, guint around)
{
    for (guint i = 0; i < sequence->n_items; i++) {
        const PsRollItem *item = &sequence->items[i];
        if (item->kind == PS_ROLL_STEP)
            add_step(spots, item, around);
        if (item->kind == PS_ROLL_LOOP && add_unrolled(spots, item, around))
            continue;
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

/* Parts of a loop's node belong to the next branch back in the same body. An iteration without one,
 * which left the loop in the middle, has no node for them. */
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
        if (spot->point == fact->loop && spot->role == PS_ROLE_NODE)
            g_hash_table_insert(next, key, GUINT_TO_POINTER(i));
        if (spot->role != PS_ROLE_PART)
            continue;
        if (g_hash_table_lookup_extended(next, key, NULL, &found) &&
            ps_spot(spots, GPOINTER_TO_UINT(found))->around == spot->around)
            spot->into = GPOINTER_TO_UINT(found);
        else
            spot->role = PS_ROLE_FORWARD;
    }
}

gint64 ps_spots_times(const PsSpots *spots, guint i)
{
    gint64 times = 1;
    for (guint loop = ps_spot(spots, i)->around; loop != PS_NO_SPOT;
         loop = ps_spot(spots, loop)->around)
        times *= ps_spot(spots, loop)->times;
    return times;
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
