/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The issue stage of the published model (rules T2 and T3): every pipeline is one of the whole CU
 * and issues what became ready first; ties go to the group launched earlier, then the lower warp,
 * then program order.
 *
 * Instances come as soon as it is known when they will be ready, and wait in the merge of their
 * pipeline. Since nothing that issues from now on makes anything ready sooner than the shortest
 * Lambda from now, each pipeline may run that far ahead by itself.
 *
 * An issue stage is what engine-core.h is compiled with; it says which functions that takes.
 */
#ifndef PIPESIM_SIM_ENGINE_STAGE_FIFO_H
#define PIPESIM_SIM_ENGINE_STAGE_FIFO_H

#include "sim/engine/engine.h"
#include "sim/engine/moment.h"
#include "sim/engine/trail.h"

/* Pipelines run ahead of each other. */
#define STAGE_IN_ORDER FALSE

/* It can be set back to a moment (sim/engine/forward-jump.h). */
#define STAGE_MOMENTS

typedef struct {
    PsMerge coming;
    gint64 free_at;         /* when it can issue again */
    const guint8 *queue_of; /* source -> queue; the plan's */
} PsPipe;

typedef struct {
    guint n;
    PsPipe *pipes;
    gint64 lookahead;
} PsStage;

static inline void stage_init(PsStage *stage, const PsEngine *engine)
{
    const PsPlan *plan = engine->plan;
    *stage = (PsStage){plan->n_pipelines, g_new0(PsPipe, plan->n_pipelines), plan->shortest};
    for (guint p = 0; p < stage->n; p++) {
        ps_merge_init(&stage->pipes[p].coming, plan->n_queues[p]);
        stage->pipes[p].queue_of = plan->queue_of[p];
    }
}

static inline void stage_clear(PsStage *stage)
{
    for (guint p = 0; p < stage->n; p++)
        ps_merge_clear(&stage->pipes[p].coming);
    g_free(stage->pipes);
}

/* Adds an instance whose time of readiness has become known. */
static inline G_ALWAYS_INLINE void stage_push(PsStage *stage, PsEngine *engine,
                                              const PsPlanNode *node, const PsItem *item)
{
    PsPipe *pipe = &stage->pipes[node->pipeline];
    if (G_UNLIKELY(
            !ps_merge_push(&pipe->coming, pipe->queue_of[engine->source], item, &engine->budget)))
        engine->stuck = node;
}

/* Room for n instances behind all others that wait for the pipeline. This is the first of them, and
 * the others follow it in order; NULL: add them one by one. */
static inline PsItem *stage_append(PsStage *stage, const PsEngine *engine, const PsPlanNode *node,
                                   const PsItem *item, gint64 n)
{
    PsPipe *pipe = &stage->pipes[node->pipeline];
    return ps_queue_append(&pipe->coming.queues[pipe->queue_of[engine->source]], item, n);
}

static inline void stage_begin(PsStage *stage, guint slot)
{
    (void)stage;
    (void)slot;
}

/* When the next instance issues. */
static inline gint64 stage_next(const PsStage *stage)
{
    gint64 next = PS_NOT_DUE;
    for (guint p = 0; p < stage->n; p++) {
        const PsPipe *pipe = &stage->pipes[p];
        next = MIN(next, MAX(pipe->coming.next, pipe->free_at));
    }
    return next;
}

static inline gint64 stage_lookahead(const PsStage *stage)
{
    return stage->lookahead;
}

static PsNext issue(PsEngine *engine, PsStage *stage, PsWarp *warp, const PsItem *item,
                    const PsPlanNode *node, PsStart start);

/* Issues all that issues before that time. */
static inline void stage_run(PsStage *stage, PsEngine *engine, gint64 before)
{
    for (guint p = 0; p < stage->n; p++) {
        PsPipe *pipe = &stage->pipes[p];
        gint64 time;
        while ((time = MAX(pipe->coming.next, pipe->free_at)) < before) {
            const PsItem item = ps_merge_take(&pipe->coming);
            PsWarp *warp = &engine->warps[item.slot];
            const PsPlanNode *node = &warp->program->nodes[item.node];
            pipe->free_at = time + node->issue;
            ps_engine_tally(engine, node, p, item.ready, time);
            issue(engine, stage, warp, &item, node, (PsStart){time, time});
        }
    }
}

static inline gboolean stage_by_place(const PsStage *stage, const PsEngine *engine)
{
    (void)stage;
    (void)engine;
    return FALSE;
}

/* When instances are ready stands in queues, which stage_visit sees. */
static inline gint64 *stage_ready_at(PsStage *stage, const PsEngine *engine, guint slot)
{
    (void)stage;
    (void)engine;
    (void)slot;
    return NULL;
}

static inline gboolean stage_visit(const PsStage *stage, const PsEngine *engine, PsTrail *trail)
{
    gboolean same = TRUE;
    for (guint p = 0; same && p < stage->n; p++)
        same = ps_trail_time(trail, engine, stage->pipes[p].free_at) &&
               ps_trail_merge(trail, engine, &stage->pipes[p].coming);
    return same;
}

static inline void stage_moment(PsStage *stage, PsMoment *moment)
{
    for (guint p = 0; p < stage->n; p++) {
        PsPipe *pipe = &stage->pipes[p];
        ps_moment_pass(moment, &pipe->free_at, sizeof pipe->free_at);
        ps_moment_merge(moment, &pipe->coming);
    }
}

static inline void stage_shift(PsStage *stage, const PsEngine *engine)
{
    for (guint p = 0; p < stage->n; p++)
        ps_trail_shift_merge(engine, &stage->pipes[p].coming);
}

#endif
