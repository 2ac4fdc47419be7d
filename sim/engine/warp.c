/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/engine/warp.h"

#include <string.h>

/* The largest need of any program. */
typedef struct {
    guint nodes, edges, loops, history, values, lacks, waits;
} Sizes;

static Sizes sizes_of(const PsPlan *plan)
{
    Sizes sizes = {1, 1, 1, 1, PS_VALUES_FIXED, 0, 0};
    for (guint p = 0; p < plan->n_programs; p++) {
        sizes.nodes = MAX(sizes.nodes, plan->programs[p].n_nodes);
        sizes.edges = MAX(sizes.edges, plan->programs[p].n_edges);
        sizes.loops = MAX(sizes.loops, plan->programs[p].n_loops);
        sizes.history = MAX(sizes.history, plan->programs[p].history);
        sizes.values = MAX(sizes.values, plan->programs[p].n_values);
        sizes.lacks = MAX(sizes.lacks, plan->programs[p].n_lacks);
        sizes.waits = MAX(sizes.waits, plan->programs[p].n_waits);
    }
    return sizes;
}

gint64 ps_warp_bytes(const PsPlan *plan)
{
    const Sizes sizes = sizes_of(plan);
    return (gint64)sizeof(PsWarp) + sizes.nodes * (gint64)sizeof(PsNodeState) +
           (2 * (gint64)sizes.edges + sizes.loops + sizes.history + sizes.values + sizes.lacks +
            2 * (gint64)sizes.waits) *
               (gint64)sizeof(gint64);
}

void ps_warp_init(PsWarp *warp, const PsPlan *plan)
{
    const Sizes sizes = sizes_of(plan);
    const guint n = 2 * sizes.edges + sizes.loops + sizes.history;
    *warp =
        (PsWarp){.trips = g_new0(gint64, n + sizes.values + sizes.lacks + 2 * (gsize)sizes.waits),
                 .n_words = n};
    warp->needs = warp->trips + sizes.loops;
    warp->countdowns = warp->needs + sizes.edges + sizes.history;
    warp->values = warp->countdowns + sizes.edges;
    warp->lacks = warp->values + sizes.values;
    warp->rounds = warp->lacks + sizes.lacks;
    warp->raises = warp->rounds + sizes.waits;
    warp->nodes = g_new0(PsNodeState, sizes.nodes);
}

/* Frees the histories that have grown. Returns their growth. */
static guint drop_histories(const PsWarp *warp)
{
    guint grown = 0;
    for (guint n = 0; warp->program && n < warp->program->n_nodes; n++)
        if (warp->nodes[n].mask >= PS_HISTORY) {
            grown += warp->nodes[n].mask + 1 - PS_HISTORY;
            g_free(warp->nodes[n].done);
        }
    return grown;
}

void ps_warp_clear(PsWarp *warp)
{
    (void)drop_histories(warp);
    g_free(warp->nodes);
    g_free(warp->trips);
}

/* Histories that have grown may stay while a slot runs the same program. Their first values must
 * match nothing. */
guint ps_warp_take(PsWarp *warp, const PsPlanProgram *program)
{
    if (G_LIKELY(warp->program == program))
        return 0;
    const guint grown = drop_histories(warp);
    gint64 *history = warp->needs + program->n_edges;
    memset(history, 0, program->history * sizeof *history);
    warp->program = program;
    for (guint n = 0; n < program->n_nodes; n++) {
        warp->nodes[n].done = history;
        warp->nodes[n].mask = PS_HISTORY - 1;
        history += ps_plan_remembers(&program->nodes[n]) ? PS_HISTORY : 0;
    }
    return grown;
}

/* The history of the slot's previous warp has passed. */
void ps_warp_start(PsWarp *warp, gint64 rank, gint64 launched)
{
    const PsPlanProgram *program = warp->program;
    warp->rank = rank;
    warp->left = program->length;
    warp->done = launched;
    warp->at = 0;
    warp->position = 0;
    warp->waits = warp->arrived = warp->lacking = FALSE;
    for (guint n = 0; n < program->n_nodes; n++) {
        warp->nodes[n].known = 0;
        warp->nodes[n].ready = launched;
    }
}

gboolean ps_warp_grow_history(PsNodeState *state, guint *budget)
{
    const guint size = state->mask + 1;
    if (*budget < size)
        return FALSE;
    *budget -= size;
    gint64 *done = g_new0(gint64, 2 * (gsize)size);
    for (gint64 i = state->known - size; i < state->known; i++)
        done[i & (2 * size - 1)] = state->done[i & state->mask];
    if (size > PS_HISTORY)
        g_free(state->done);
    state->done = done;
    state->mask = 2 * size - 1;
    return TRUE;
}
