/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/engine/trail.h"

#include <string.h>

void ps_trail_clear(PsTrail *trail)
{
    g_free(trail->words);
}

void ps_trail_begin(PsTrail *trail, gboolean recording)
{
    trail->recording = recording;
    trail->at = 0;
    if (recording)
        trail->n = 0;
}

PsTrail ps_trail_for_hash(void)
{
    return (PsTrail){.recording = TRUE, .hashing = TRUE};
}

/* Words of a state that is kept, at most: 16 MiB. */
#define MAX_WORDS (2 * 1024 * 1024)

gboolean ps_trail_grow(PsTrail *trail)
{
    if (trail->capacity >= MAX_WORDS)
        return FALSE;
    trail->capacity = MAX(2 * trail->capacity, 1024);
    trail->words = g_renew(gint64, trail->words, trail->capacity);
    return TRUE;
}

gboolean ps_trail_words(PsTrail *trail, const gint64 *words, gsize n)
{
    gboolean same = TRUE;
    if (trail->recording && !trail->hashing && n <= trail->capacity - trail->n) {
        memcpy(trail->words + trail->n, words, n * sizeof *words);
        trail->n += n;
        trail->effort += (gint64)n;
        return TRUE;
    }
    for (gsize i = 0; same && i < n; i++)
        same = ps_trail_word(trail, words[i]);
    return same;
}

/* The warp's number counted from the oldest group; the rules see a slot as this number. */
static gint64 warp_number(const PsEngine *engine, guint slot)
{
    const guint place = engine->warps[slot].place;
    const gint64 per_group = engine->warps_per_group;
    return engine->places[place].age * per_group + slot - place * per_group;
}

/* How far an instance stands behind the next one of its node. With the counters of the warp's loops
 * this is its place in program order, which decides ties. In program order the only waiting
 * instance of a warp is the next one. */
static gint64 behind(const PsEngine *engine, const PsItem *item)
{
    const PsWarp *warp = &engine->warps[item->slot];
    if (engine->plan->machine->refinements.order == PS_ORDER_PROGRAM)
        return 0;
    return item->position - warp->nodes[item->node].position;
}

static gboolean visit_item(PsTrail *trail, const PsEngine *engine, const PsItem *item)
{
    return ps_trail_word(trail, item->ready - engine->now) &&
           ps_trail_word(trail, warp_number(engine, item->slot)) &&
           ps_trail_word(trail, item->node) && ps_trail_word(trail, behind(engine, item));
}

gboolean ps_trail_queue(PsTrail *trail, const PsEngine *engine, const PsQueue *queue)
{
    gboolean same = ps_trail_word(trail, queue->count);
    for (guint i = 0; same && i < queue->count; i++)
        same = visit_item(trail, engine, ps_queue_at(queue, i));
    return same;
}

gboolean ps_trail_merge(PsTrail *trail, const PsEngine *engine, const PsMerge *merge)
{
    for (guint q = 0; q < merge->n; q++)
        if (!ps_trail_queue(trail, engine, &merge->queues[q]))
            return FALSE;
    gboolean same = ps_trail_word(trail, merge->heap.count);
    for (guint i = 0; same && i < merge->heap.count; i++)
        same = visit_item(trail, engine, &merge->heap.items[i]);
    return same;
}

static void shift(const PsEngine *engine, PsItem *item)
{
    const PsWarp *warp = &engine->warps[item->slot];
    item->position += warp->shift;
    item->rank = warp->rank;
}

void ps_trail_shift_queue(const PsEngine *engine, PsQueue *queue)
{
    for (guint i = 0; i < queue->count; i++)
        shift(engine, ps_queue_at(queue, i));
}

void ps_trail_shift_merge(const PsEngine *engine, PsMerge *merge)
{
    for (guint q = 0; q < merge->n; q++)
        ps_trail_shift_queue(engine, &merge->queues[q]);
    for (guint i = 0; i < merge->heap.count; i++)
        shift(engine, &merge->heap.items[i]);
}
