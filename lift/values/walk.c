/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dependences: the spots are executed once more, but a register holds the producers of its value
 * instead of the value: instance k of a spot. So what an instruction reads tells which instructions
 * it depends on, and how many instances back. A loop is walked until an iteration leaves the
 * registers as the iteration before did, with instances counted from its own end: from then on all
 * iterations are alike, and the rest is skipped. So a loop takes a few iterations, however often it
 * runs.
 *
 * Within a warp the instances of one node complete in order. So the latest of several instances
 * stands for all; and if an instruction reads a node at several distances, the shortest is written:
 * it waits for no less than is needed.
 *
 * Of machine code scoreboards take the place of registers: a result of variable latency releases
 * the one that its instruction names, and who must not issue before names it, too. Results of fixed
 * latency are waited for by the compiler's stall counts, which become holds (emit.c). Nothing waits
 * until operands have been read: an instruction that issues has read them. In loops registers are
 * followed nevertheless: who reads whose result is noted beside.
 */
#include "lift/values/walk.h"

#include <string.h>

/* Iterations that are walked of a loop whose iterations never become alike. */
#define MOST_ITERATIONS 64
#define MOST_STEPS 4000000 /* steps after which two iterations of each loop must suffice */
#define MOST_BACK 256      /* executions back that a wait for an mbarrier may reach */
/* Number of values that are neither registers, groups nor executions of copies. */
#define OTHERS (2 + PS_N_BESIDE + PS_WALK_BOARDS)

/* A loop that is being walked. */
typedef struct {
    guint begin, end;
    GArray *written;           /* guint: values that the body changes */
    gint64 *before;            /* [spot of the body]: instances when the loop was entered ... */
    gint64 *last;              /* ... and when the present iteration began */
    GArray *state, *old_state; /* gint64 */
} Loop;

static void walk_range(PsWalk *walk, guint begin, guint end);

static gboolean is_of_loop(const Loop *loop, const PsProducer *producer)
{
    return producer->spot > loop->begin && producer->spot < loop->end &&
           producer->index >= loop->before[producer->spot - loop->begin];
}

/* Notes the values that the body changes, with this loop's instances counted from the end of the
 * iteration. */
static void take_state(const PsWalk *walk, Loop *loop)
{
    GArray *state = loop->old_state;
    loop->old_state = loop->state;
    loop->state = state;
    g_array_set_size(state, 0);
    for (guint i = 0; i < loop->written->len; i++) {
        const PsProducers *value = &walk->values[g_array_index(loop->written, guint, i)];
        const gint64 n = value->n;
        g_array_append_val(state, n);
        for (guint j = 0; j < value->n; j++) {
            const PsProducer *producer = &value->list[j];
            const gboolean own = is_of_loop(loop, producer);
            const gint64 both[] = {((gint64)producer->spot << 1) + own,
                                   own ? walk->count[producer->spot] - producer->index
                                       : producer->index};
            g_array_append_vals(state, both, 2);
        }
    }
}

static gboolean is_alike(const Loop *loop)
{
    return loop->state->len == loop->old_state->len &&
           (loop->state->len == 0 || memcmp(loop->state->data, loop->old_state->data,
                                            loop->state->len * sizeof(gint64)) == 0);
}

/* Skips the remaining iterations, which equal the last one. */
static void skip_rest(PsWalk *walk, const Loop *loop, gint64 rest)
{
    for (guint i = 0; i < loop->written->len; i++) {
        PsProducers *value = &walk->values[g_array_index(loop->written, guint, i)];
        for (guint j = 0; j < value->n; j++) {
            PsProducer *producer = &value->list[j];
            if (is_of_loop(loop, producer))
                producer->index +=
                    rest * (walk->count[producer->spot] - loop->last[producer->spot - loop->begin]);
        }
    }
    for (guint i = loop->begin; i < loop->end; i++)
        walk->count[i] += rest * (walk->count[i] - loop->last[i - loop->begin]);
}

static void find_written(const PsWalk *walk, Loop *loop)
{
    const PsFacts *facts = walk->spots->facts;
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    loop->written = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = loop->begin; i < loop->end; i++) {
        const PsSpot *spot = ps_spot(walk->spots, i);
        if (spot->kind != PS_SPOT_STEP)
            continue;
        const PsFact *fact = ps_spot_is(facts, spot);
        for (guint j = 0; j < fact->n_to; j++) {
            const guint reg = ps_fact_to(facts, fact)[j];
            if (g_hash_table_add(seen, GUINT_TO_POINTER(reg)))
                g_array_append_val(loop->written, reg);
        }
    }
    for (guint i = facts->n_registers; i < walk->n_values; i++)
        g_array_append_val(loop->written, i);
}

static void iterate(PsWalk *walk, Loop *loop, gint64 times)
{
    const gsize size = (loop->end - loop->begin) * sizeof(gint64);
    for (gint64 i = 1; i <= times; i++) {
        memcpy(loop->last, &walk->count[loop->begin], size);
        walk_range(walk, loop->begin + 1, loop->end);
        take_state(walk, loop);
        const gint64 most = walk->steps > MOST_STEPS ? 2 : MOST_ITERATIONS;
        if (i < times && ((i > 1 && is_alike(loop)) || i >= most)) {
            skip_rest(walk, loop, times - i);
            return;
        }
    }
}

/* Walks code that may not be executed: a later reader of its results also waits for the results
 * before it. */
static void walk_rest(PsWalk *walk, Loop *loop)
{
    g_autofree PsProducers *before = g_new0(PsProducers, loop->written->len + 1);
    for (guint i = 0; i < loop->written->len; i++)
        ps_producers_add_all(&before[i], &walk->values[g_array_index(loop->written, guint, i)]);
    walk_range(walk, loop->begin + 1, loop->end);
    for (guint i = 0; i < loop->written->len; i++) {
        ps_producers_add_all(&walk->values[g_array_index(loop->written, guint, i)], &before[i]);
        g_free(before[i].list);
    }
}

static void walk_loop(PsWalk *walk, guint begin)
{
    const PsSpot *spot = ps_spot(walk->spots, begin);
    const gsize size = (spot->partner - begin) * sizeof(gint64);
    g_autofree gint64 *before = g_memdup2(&walk->count[begin], size);
    g_autofree gint64 *last = g_malloc0(size);
    g_autoptr(GArray) state = g_array_new(FALSE, FALSE, sizeof(gint64));
    g_autoptr(GArray) old_state = g_array_new(FALSE, FALSE, sizeof(gint64));
    Loop loop = {begin, spot->partner, NULL, before, last, state, old_state};
    find_written(walk, &loop);
    if (spot->rest)
        walk_rest(walk, &loop);
    else
        iterate(walk, &loop, spot->times);
    g_array_unref(loop.written);
}

static void walk_range(PsWalk *walk, guint begin, guint end)
{
    for (guint i = begin; i < end; i++) {
        const PsSpot *spot = ps_spot(walk->spots, i);
        if (spot->kind == PS_SPOT_LOOP) {
            walk_loop(walk, i);
            i = ps_spot(walk->spots, i)->partner;
        } else {
            ps_walk_step(walk, i);
        }
    }
}

static void free_values(PsProducers *values, guint n)
{
    for (guint i = 0; i < n; i++)
        g_free(values[i].list);
    g_free(values);
}

/* Finds the copies to which waits for mbarriers refer, and how far back; returns the number of
 * their values. */
static guint find_latest(const PsSpots *spots, GArray *list)
{
    guint n = 0;
    for (guint i = 0; i < spots->spots->len; i++) {
        const PsPattern *pattern = ps_spot(spots, i)->pattern;
        for (guint k = 0; pattern && pattern->wait && k < pattern->wait->n; k++) {
            const PsPtxAwaited *awaited = &pattern->wait->list[k];
            PsLatest *latest = NULL;
            for (guint j = 0; j < list->len && !latest; j++)
                if (g_array_index(list, PsLatest, j).point == awaited->point)
                    latest = &g_array_index(list, PsLatest, j);
            if (!latest) {
                const PsLatest new = {awaited->point, 0, NULL};
                g_array_append_val(list, new);
                latest = &g_array_index(list, PsLatest, list->len - 1);
            }
            const guint back = MIN(awaited->back, MOST_BACK);
            n += back > latest->n ? back - latest->n : 0;
            latest->n = MAX(latest->n, back);
        }
    }
    return n;
}

/* Copies of a counter add their own multiple of the step to the value before all of them. */
static void unchain(const PsSpots *spots, guint i)
{
    GArray *edges = ps_spot(spots, i)->edges;
    for (guint e = 0; edges && e < edges->len; e++) {
        const PsSpot *on = ps_spot(spots, g_array_index(edges, PsEdge, e).on);
        if (g_array_index(edges, PsEdge, e).on >= i || on->point != ps_spot(spots, i)->point ||
            on->around != ps_spot(spots, i)->around || !on->edges)
            continue;
        g_array_remove_index(edges, e);
        g_array_append_vals(edges, on->edges->data, on->edges->len);
        return;
    }
}

void ps_spots_walk(PsSpots *spots)
{
    const guint n_registers = spots->facts->n_registers;
    const guint n = spots->spots->len;
    g_autoptr(GArray) latest = g_array_new(FALSE, FALSE, sizeof(PsLatest));
    PsWalk walk = {.spots = spots,
                   .n_values = n_registers + PS_N_BESIDE * PS_WALK_GROUPS + OTHERS +
                               find_latest(spots, latest),
                   .n_latest = latest->len,
                   .latest = (PsLatest *)(gpointer)latest->data};
    walk.values = g_new0(PsProducers, walk.n_values);
    PsProducers *next = &walk.values[n_registers + PS_N_BESIDE * PS_WALK_GROUPS + OTHERS];
    for (guint i = 0; i < walk.n_latest; next += walk.latest[i++].n)
        walk.latest[i].values = next;
    for (guint b = 0; b < PS_N_BESIDE; b++) {
        walk.groups[b] = &walk.values[n_registers + b * PS_WALK_GROUPS];
        walk.open[b] = &walk.values[n_registers + PS_N_BESIDE * PS_WALK_GROUPS + b];
    }
    walk.waited = walk.open[0] + PS_N_BESIDE;
    walk.access = walk.waited + 1;
    walk.boards = walk.waited + 2;
    walk.count = g_new0(gint64, n + 1);
    walk.extra = g_new0(PsProducers, n + 1);
    walk_range(&walk, 0, n);
    for (guint i = 0; i < n; i++)
        if (ps_spot(spots, i)->again)
            unchain(spots, i);
    free_values(walk.values, walk.n_values);
    free_values(walk.extra, n);
    g_free(walk.sources.list);
    g_free(walk.read.list);
    g_free(walk.count);
}
