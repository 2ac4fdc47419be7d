/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A warp on the compute unit: how far each node has come. When an instance issues, the time of its
 * completion is known at once (for a barrier, when the last warp arrives). So the readiness of its
 * dependents is known in time, and no event is needed for a completion.
 *
 * Within a warp the instances of one node become ready, issue and complete in program order, so
 * counters and the latest completions of each node (its history) are the whole state
 * (idg/program.h). Memory does not grow with trip counts. The order finds the next instances:
 * sim/engine/order-dataflow.h, sim/engine/order-program.h. Internal to sim/.
 */
#ifndef PIPESIM_SIM_ENGINE_WARP_H
#define PIPESIM_SIM_ENGINE_WARP_H

#include "sim/engine/plan.h"

/* First size of a node's history, a power of two. */
#define PS_HISTORY 4

/* `pending` of a node that has no further instance: no number of completions brings it to 0. */
#define PS_NEVER (G_MAXUINT / 2)

typedef struct {
    gint64 *done;  /* the history: when the latest instances complete, by number modulo its size */
    gint64 known;  /* instances whose completion is known */
    guint mask;    /* of the history; its size - 1 */
    guint pending; /* dependences that the next instance below still waits to know */
    /* For the order of dataflow, the next instance whose time of readiness is not known: */
    gint64 ready;    /* it is not ready before */
    gint64 position; /* its place in program order */
} PsNodeState;

/* What an instance touches comes first, and is kept small: the state of all warps of a CU seldom
 * fits the first cache. */
typedef struct {
    const PsPlanProgram *program;
    PsNodeState *nodes;
    gint64 *needs;  /* dataflow, of each edge: completions that the next instance still needs to
                       know */
    gint64 *values; /* program order: the latest completion of each node that others wait for */
    gint64 *trips; /* iterations left: dataflow, of each loop around each node; else of each loop */
    gint64 rank;   /* order among all warps ever launched: by group, then warp */
    gint64 left;   /* instances whose completion is not known */
    gint64 done;   /* the latest known completion */
    guint place;   /* its group's place on the CU */
    gboolean waits;     /* program order: for a barrier, to know when the next one will be ready */
    gint64 *countdowns; /* dataflow, of each edge: instances until `per` more are needed */
    gint64 turn;        /* program order: when the node before the next instance no longer holds the
                           warp: its issue and its hold (R9) */
    gint64 position;    /* program order: of the next instance */
    guint at;           /* program order: the node of the next instance */
    gboolean arrived;   /* it stands at a barrier */
    guint barrier;      /* the barrier node that it stands at */
    gint64 stands;      /* position of that instance */
    guint n_words;      /* dataflow: trips, needs, first histories and countdowns, side by side */
    gboolean lacking;   /* its next instance, at `at`, awaits other warps (R12) */
    gint64 *lacks;  /* of each wait and warp awaited: completions that its next instance needs */
    gint64 *rounds; /* of each wait: instances until `per` more are needed */
    gint64 *raises; /* of each wait with a limit: how often that may still be */
    gint64 shift;   /* scratch of sim/engine/forward-core.h */
} PsWarp;

/* Memory that the state of a warp takes. */
gint64 ps_warp_bytes(const PsPlan *plan);

/* Room for a warp of any of the plan's programs. */
void ps_warp_init(PsWarp *warp, const PsPlan *plan);
void ps_warp_clear(PsWarp *warp);

/* The next warp of that slot is to run this program. Returns how much of the budget of histories
 * that frees. */
guint ps_warp_take(PsWarp *warp, const PsPlanProgram *program);

/* A new warp takes the place of one that is done. */
void ps_warp_start(PsWarp *warp, gint64 rank, gint64 launched);

/* Doubles a node's history, for which *budget must suffice; FALSE if it does not. */
gboolean ps_warp_grow_history(PsNodeState *state, guint *budget);

/* Adds a completion to a node's history. What is complete now may be forgotten. FALSE when the
 * budget is used up. */
static inline gboolean ps_warp_remember(PsNodeState *state, gint64 done, gint64 now, guint *budget)
{
    if (G_UNLIKELY(state->done[state->known & state->mask] > now) && state->known > state->mask &&
        !ps_warp_grow_history(state, budget))
        return FALSE;
    state->done[state->known++ & state->mask] = done;
    return TRUE;
}

/* The completion time of the instance so many before the latest known one; a time that has passed
 * if it was forgotten or never was. */
static inline gint64 ps_warp_recall(const PsNodeState *state, gint64 back)
{
    if (G_UNLIKELY(back > state->mask))
        return 0;
    return state->done[(state->known - 1 - back) & state->mask];
}

#endif
