/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A listener that follows the warps of the first CU through a window of time: what each of them
 * does from when to when (in the terms of sim/listen/waits.h), and which instructions issue. It
 * stores nothing but the present state of the warps, and calls its sink as events come. Skipped
 * time is only reported as skipped; set PsSimOptions.whole_from and whole_to to see all of a
 * window.
 *
 * A warp's place on the CU is place * warps of a group + warp; a new group takes the lowest place
 * that is free.
 */
#ifndef PIPESIM_SIM_LISTEN_TIMELINE_H
#define PIPESIM_SIM_LISTEN_TIMELINE_H

#include "sim/listen/waits.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A span of a warp's time, ISSUING to DRAIN. Times are ticks of the window. */
typedef struct {
    PsWaitKind kind;
    gint64 from, to;
    gint64 group;
    guint place, warp;   /* of the group on its CU; of the warp in the group */
    guint program, node; /* what it issues, or waits to issue; node G_MAXUINT: nothing any more */
    guint which;         /* DATA: the class whose result it waits for; QUEUE: the pipeline */
} PsTimelineSpan;

/* An instruction that issues. */
typedef struct {
    gint64 time, ready; /* ticks; what is between them is, in part, of the window */
    gint64 group;
    guint place;
    const PsInstance *instance;
} PsTimelineIssue;

/* Callbacks; those that are not needed are NULL. Spans of one warp come in order of time and do not
 * overlap; so do issues of one pipeline. Groups come in order of time, also those outside the
 * window. */
typedef struct {
    void *data;
    void (*span)(void *data, const PsTimelineSpan *span);
    void (*issued)(void *data, const PsTimelineIssue *issue);
    void (*groups)(void *data, gint64 time, gint64 group, guint place, gboolean launched);
    void (*skipped)(void *data, const PsSkip *skip);
} PsTimelineSink;

/* A timeline of a run. */
typedef struct PsTimeline PsTimeline;

/* Follows from <= time < to. The machine is borrowed and must outlive it, the sink is copied. */
PsTimeline *ps_timeline_new(const PsMachine *machine, gint64 from, gint64 to,
                            const PsTimelineSink *sink);
void ps_timeline_free(PsTimeline *timeline);
PsListener ps_timeline_listener(PsTimeline *timeline);

/* From now on the window ends at that time, if that is sooner. */
void ps_timeline_cut(PsTimeline *timeline, gint64 to);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsTimeline, ps_timeline_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
