/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/engine/moment.h"

void ps_moment_clear(PsMoment *moment)
{
    g_free(moment->bytes);
}

void ps_moment_begin(PsMoment *moment, gboolean saving)
{
    moment->saving = saving;
    moment->at = 0;
    if (saving)
        moment->n = 0;
}

void ps_moment_grow(PsMoment *moment, gsize n)
{
    while (moment->capacity - moment->n < n)
        moment->capacity = MAX(2 * moment->capacity, 1 << 14);
    moment->bytes = g_realloc(moment->bytes, moment->capacity);
}

static void pass_count(PsMoment *moment, guint *count)
{
    gint64 word = *count;
    ps_moment_pass(moment, &word, sizeof word);
    *count = (guint)word;
}

void ps_moment_queue(PsMoment *moment, PsQueue *queue)
{
    pass_count(moment, &queue->count);
    if (!moment->saving)
        queue->head = 0;
    /* The ring wraps: elements past its end stand at its beginning. */
    const guint head = queue->head & queue->mask;
    const guint first = MIN(queue->count, queue->mask + 1 - head);
    ps_moment_pass(moment, &queue->items[head], first * sizeof(PsItem));
    ps_moment_pass(moment, queue->items, (queue->count - first) * sizeof(PsItem));
}

static void pass_heap(PsMoment *moment, PsHeap *heap)
{
    pass_count(moment, &heap->count);
    if (heap->count > 0)
        ps_moment_pass(moment, heap->items, heap->count * sizeof *heap->items);
}

void ps_moment_merge(PsMoment *moment, PsMerge *merge)
{
    ps_moment_pass(moment, &merge->next, sizeof merge->next);
    pass_count(moment, &merge->best);
    ps_moment_pass(moment, merge->first, sizeof merge->first);
    for (guint q = 0; q < merge->n; q++)
        ps_moment_queue(moment, &merge->queues[q]);
    pass_heap(moment, &merge->heap);
    if (!moment->saving)
        merge->second = merge->next; /* nothing is known of the others yet */
}

/* Shifts times on the engine's own clock. The latest launch keeps its time, since none happens. */
static void pass_times(PsMoment *moment, PsEngine *engine)
{
    ps_moment_pass(moment, &engine->now, sizeof engine->now);
    ps_moment_pass(moment, &engine->turn, sizeof engine->turn);
    ps_moment_pass(moment, &engine->end, sizeof engine->end);
    ps_moment_pass(moment, &engine->asked, sizeof engine->asked);
    ps_moment_pass(moment, &engine->answered, sizeof engine->answered);
    ps_moment_pass(moment, engine->server_free,
                   engine->plan->machine->servers->len * sizeof *engine->server_free);
}

void ps_moment_engine(PsMoment *moment, PsEngine *engine)
{
    pass_times(moment, engine);
    pass_count(moment, &engine->oldest);
    pass_count(moment, &engine->newest);
    ps_moment_pass(moment, engine->places, engine->n_places * sizeof *engine->places);
    ps_moment_queue(moment, &engine->leaving);
    pass_heap(moment, &engine->ends);
    pass_heap(moment, &engine->vacant);
}

/* Puts a smaller history into the present one; everything before it has passed. */
static void spread(PsNodeState *state, const gint64 *done, const PsNodeState *before)
{
    memset(state->done, 0, (state->mask + 1) * sizeof *done);
    for (gint64 i = MAX(before->known - before->mask - 1, 0); i < before->known; i++)
        state->done[i & state->mask] = done[i & before->mask];
}

/* Sets a node back. A history without memory of its own is among the words of the warp. */
static void set_back(PsMoment *moment, PsNodeState *state, const PsNodeState *then)
{
    const gsize n = then->mask >= PS_HISTORY ? (then->mask + 1) * sizeof *then->done : 0;
    const guint8 *own = moment->bytes + moment->at;
    const PsNodeState now = *state;
    *state = *then;
    state->done = now.done;
    state->mask = now.mask;
    if (now.mask != then->mask)
        spread(state, n > 0 ? (const gint64 *)(const void *)own : then->done, then);
    else if (n > 0)
        memcpy(state->done, own, n);
    moment->at += n;
}

void ps_moment_warp(PsMoment *moment, PsWarp *warp)
{
    ps_moment_pass(moment, warp, sizeof *warp);
    ps_moment_pass(moment, warp->trips, warp->n_words * sizeof *warp->trips);
    const gsize n = warp->program->n_nodes;
    if (moment->saving) {
        ps_moment_pass(moment, warp->nodes, n * sizeof *warp->nodes);
        for (gsize i = 0; i < n; i++)
            if (warp->nodes[i].mask >= PS_HISTORY)
                ps_moment_pass(moment, warp->nodes[i].done,
                               (warp->nodes[i].mask + 1) * sizeof *warp->nodes[i].done);
        return;
    }
    const PsNodeState *then = (const PsNodeState *)(const void *)(moment->bytes + moment->at);
    moment->at += n * sizeof *then;
    for (gsize i = 0; i < n; i++)
        set_back(moment, &warp->nodes[i], &then[i]);
}
