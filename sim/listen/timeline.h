/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A listener that follows the warps of the first CU through a window of time: what each of them
 * does from when to when (as sim/listen/waits.h has it), and what issues. It keeps nothing but
 * where the warps are, and tells as it hears; who wants a window whole sets PsSimOptions.whole_from
 * and whole_to to it, for of time that is skipped nothing is told but that it was.
 *
 * A warp's place on the CU is place * warps of a group + warp; a new group takes the lowest place
 * that is free.
 */
#ifndef PIPESIM_SIM_LISTEN_TIMELINE_H
#define PIPESIM_SIM_LISTEN_TIMELINE_H

#include "sim/listen/waits.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* What a warp does for a while, ISSUING to DRAIN. Times are ticks of the window. */
typedef struct {
    PsWaitKind kind;
    gint64 from, to;
    gint64 group;
    guint place, warp;   /* of the group; in it */
    guint program, node; /* what it issues, or waits to issue; node G_MAXUINT: nothing any more */
    guint which;         /* the class that is waited for (DATA), or the pipeline (QUEUE) */
} PsTimelineSpan;

typedef struct {
    gint64 time, ready; /* ticks; what is between them is, in part, of the window */
    gint64 group;
    guint place;
    const PsInstance *instance;
} PsTimelineIssue;

/* Who wants to know fills in what it wants. Spans of one warp come in order of time and do not
 * overlap, issues of one pipeline likewise; groups in order of time, those outside the window,
 * too. */
typedef struct {
    void *data;
    void (*span)(void *data, const PsTimelineSpan *span);
    void (*issued)(void *data, const PsTimelineIssue *issue);
    void (*groups)(void *data, gint64 time, gint64 group, guint place, gboolean launched);
    void (*skipped)(void *data, const PsSkip *skip);
} PsTimelineSink;

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
