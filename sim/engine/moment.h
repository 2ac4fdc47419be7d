/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of an engine as it was at an event, to which it can be set back: bytes, which one walk
 * over the state either writes or reads. Memory of the engine stays where it is; a queue or a
 * history that has grown since keeps its room. Internal to sim/.
 */
#ifndef PIPESIM_SIM_ENGINE_MOMENT_H
#define PIPESIM_SIM_ENGINE_MOMENT_H

#include "sim/engine/engine.h"
#include "sim/engine/merge.h"

#include <string.h>

typedef struct {
    guint8 *bytes;
    gsize n, capacity;
    gsize at;            /* setting back: what is read next */
    gboolean saving;     /* else setting back */
    gint64 time;         /* with all that was skipped */
    gint64 instructions; /* as of PsEngine */
    gint64 event;        /* in which search it was saved, and at which event of that */
    guint search;        /* its number and 1; 0: nothing was saved */
} PsMoment;

void ps_moment_clear(PsMoment *moment);

/* Starts to save, or to set back. */
void ps_moment_begin(PsMoment *moment, gboolean saving);

/* Makes room for n bytes more. */
void ps_moment_grow(PsMoment *moment, gsize n);

/* Saves n bytes from data, or sets them back, as the moment began; n is a multiple of
 * sizeof(gint64). */
static inline void ps_moment_pass(PsMoment *moment, void *data, gsize n)
{
    if (!moment->saving) {
        memcpy(data, moment->bytes + moment->at, n);
        moment->at += n;
        return;
    }
    if (G_UNLIKELY(moment->capacity - moment->n < n))
        ps_moment_grow(moment, n);
    memcpy(moment->bytes + moment->n, data, n);
    moment->n += n;
}

void ps_moment_queue(PsMoment *moment, PsQueue *queue);
void ps_moment_merge(PsMoment *moment, PsMerge *merge);

/* Saves the engine but for its warps, or sets it back. Between both, no group may be launched. */
void ps_moment_engine(PsMoment *moment, PsEngine *engine);

/* Saves a warp with all its counters, nodes and histories, or sets it back. */
void ps_moment_warp(PsMoment *moment, PsWarp *warp);

#endif
