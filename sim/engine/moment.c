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
    /* What stands behind the end of the ring goes on at its beginning. */
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
        merge->second = merge->next; /* no more is known of the others */
}

/* Times on the engine's own clock. When the latest group was launched stays, as none is. */
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

/* What was in a history when it was smaller; all before that has passed. */
static void spread(PsNodeState *state, const gint64 *done, const PsNodeState *before)
{
    memset(state->done, 0, (state->mask + 1) * sizeof *done);
    for (gint64 i = MAX(before->known - before->mask - 1, 0); i < before->known; i++)
        state->done[i & state->mask] = done[i & before->mask];
}

void ps_moment_node(PsMoment *moment, PsNodeState *state, gboolean awaited)
{
    PsNodeState then = *state;
    ps_moment_pass(moment, &then, sizeof then);
    const gsize n = (then.mask + 1) * sizeof *then.done;
    if (awaited && then.mask == state->mask) {
        ps_moment_pass(moment, state->done, n);
    } else if (awaited) {
        spread(state, (const gint64 *)(const void *)(moment->bytes + moment->at), &then);
        moment->at += n;
    }
    then.done = state->done;
    then.mask = state->mask;
    *state = then;
}
