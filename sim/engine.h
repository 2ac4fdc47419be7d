/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The event engine's state, and the parts of it that do not depend on the issue stage: listeners,
 * the places that groups take, errors. Internal to sim/.
 */
#ifndef PIPESIM_SIM_ENGINE_H
#define PIPESIM_SIM_ENGINE_H

#include "sim/ring.h"
#include "sim/warp.h"

/* Listeners that want one kind of event. */
typedef struct {
    guint n;
    const PsListener **list;
} PsAudience;

/* A group on the CU. */
typedef struct {
    gint64 group;  /* in order of launch */
    guint live;    /* warps that are not done */
    guint arrived; /* warps that have issued the barrier that comes next */
    gint64 last_arrival;
    const PsPlanNode *last_barrier; /* what the last warp to arrive issued */
} PsResident;

typedef struct {
    const PsPlan *plan;
    guint warps_per_group;
    PsWarp *warps; /* by slot: place * warps per group + warp */
    guint n_places;
    PsResident *places; /* the groups on the CU */
    guint n_finished;
    guint *finished; /* places whose group finished in this instant, lowest first */
    guint n_freed;
    guint *freed; /* places whose barrier waits no more for a warp that has ended */
    guint n_resident;
    gint64 launched, groups;
    PsRing *timers; /* per distinct Lambda: what completes, in order of time */
    guint n_due;
    gint64 *due; /* timers, then pipelines: when they act next; PS_NOT_DUE: nothing to do */
    gint64 now;
    gint64 instructions;
    guint *released; /* scratch: nodes that a completion made ready */
    PsAudience on_launched, on_issued, on_completed, on_finished;
    guint budget;            /* places that all rings may still add */
    const PsPlanNode *stuck; /* the node whose instance found no place: the run fails */
} PsEngine;

/* node of a timer's item that stands for the barrier of a whole group; its slot is the place. */
#define PS_GROUP_BARRIER G_MAXUINT

void ps_engine_init(PsEngine *engine, const PsPlan *plan, const PsListener *listeners,
                    guint n_listeners);
void ps_engine_clear(PsEngine *engine);

/* The instance that an item of a slot stands for. */
PsInstance ps_engine_instance(const PsEngine *engine, guint slot, guint node, gint64 position);

/* Tells the listeners that want to know. Call only where the audience is not empty. */
void ps_engine_tell_launched(const PsEngine *engine, gint64 group);
void ps_engine_tell_issued(const PsEngine *engine, const PsItem *item);
void ps_engine_tell_completed(const PsEngine *engine, guint slot, guint node, gint64 position);
void ps_engine_tell_finished(const PsEngine *engine, gint64 group);

/* Sets *error: too many instances of a node wait, or time is up. Returns FALSE. */
gboolean ps_engine_fail(const PsEngine *engine, GError **error);

/* The engine with the issue stage of the published model. */
gboolean ps_engine_run_fifo(PsEngine *engine);

#endif
