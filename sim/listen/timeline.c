/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports the charges of the first CU's waits as they are made. */
#include "sim/listen/timeline.h"

#include "sim/listen/waits-private.h"

struct PsTimeline {
    gint64 from, to;
    PsTimelineSink sink;
    PsWaits *waits;
    PsListener inner; /* the listener of the waits */
    guint cu;         /* the first CU; G_MAXUINT: no event yet */
    gint64 skipped;   /* end of the time skipped so far */
    gint64 until;     /* begin of the time to be skipped next */
};

/* ---- spans --------------------------------------------------------------------------------- */

static void tell(const PsTimeline *timeline, const PsWaitWarp *warp, PsTimelineSpan span,
                 gint64 ticks)
{
    const gint64 earliest =
        warp->kept_open ? timeline->from : MAX(timeline->from, timeline->skipped);
    span.to = MIN(span.from + ticks, MIN(timeline->to, timeline->until));
    span.from = MAX(span.from, earliest);
    if (span.from < span.to)
        timeline->sink.span(timeline->sink.data, &span);
}

/* A ready instruction waits until it issues: first for its pipeline, then for its scheduler's port,
 * in turns. */
static void tell_queue(const PsTimeline *timeline, const PsWaitWarp *warp, const PsWaitIssue *issue,
                       PsTimelineSpan span)
{
    const PsWaits *waits = timeline->waits;
    const PsWaitNode *node = &waits->nodes[issue->node];
    const GArray *pipe = ps_waits_pipe(waits, warp, node);
    const gint64 to = MIN(waits->base + issue->time, timeline->until);
    while (span.from < to) {
        gint64 until = to;
        const gboolean busy = !pipe || ps_steps_value(pipe, span.from, &until) > 0;
        const guint sum = busy ? node->queue : node->port;
        span.kind = g_array_index(waits->of, PsWaitOf, sum).kind;
        span.which = g_array_index(waits->of, PsWaitOf, sum).which;
        until = MIN(until, to);
        tell(timeline, warp, span, until - span.from);
        span.from = until;
    }
}

static void on_charge(void *data, const PsWaitGroup *group, guint number, const PsWaitIssue *issue,
                      const PsWaitCharge *charge)
{
    const PsTimeline *timeline = data;
    const PsWaits *waits = timeline->waits;
    const PsWaitWarp *warp = &group->warps[number];
    const guint next = issue->node == PS_WAITS_NO_NODE ? G_MAXUINT : issue->node - warp->first;
    PsTimelineSpan span = {.kind = PS_WAIT_ISSUING,
                           .from = warp->since + waits->base,
                           .group = group->group,
                           .place = group->place,
                           .warp = number,
                           .program = warp->program,
                           .node = warp->node == PS_WAITS_NO_NODE ? G_MAXUINT
                                                                  : warp->node - warp->first,
                           .which = G_MAXUINT};
    if (charge->issuing > 0)
        tell(timeline, warp, span, charge->issuing);
    span.from += charge->issuing;
    span.node = next;
    const PsWaitOf *waiting = &g_array_index(waits->of, PsWaitOf, charge->waiting_to);
    span.kind = waiting->kind;
    span.which = waiting->which;
    if (charge->waiting > 0)
        tell(timeline, warp, span, charge->waiting);
    span.from += charge->waiting;
    if (charge->queued + charge->ported > 0)
        tell_queue(timeline, warp, issue, span);
}

/* ---- listening ----------------------------------------------------------------------------- */

static void on_launched(void *self, gint64 time, const PsGroups *groups)
{
    PsTimeline *timeline = self;
    if (timeline->cu == G_MAXUINT)
        timeline->cu = groups->cu;
    if (timeline->cu != groups->cu)
        return;
    timeline->inner.launched(timeline->waits, time, groups);
    if (timeline->sink.groups)
        timeline->sink.groups(timeline->sink.data, time, groups->group, groups->place, TRUE);
}

static void on_issued(void *self, gint64 time, gint64 ready, const PsInstance *instance)
{
    const PsTimeline *timeline = self;
    if (timeline->cu != instance->of.cu)
        return;
    if (timeline->sink.issued && time >= timeline->from && ready < timeline->to) {
        const PsTimelineIssue issue = {time, ready, instance->of.group, instance->of.place,
                                       instance};
        timeline->sink.issued(timeline->sink.data, &issue);
    }
    timeline->inner.issued(timeline->waits, time, ready, instance);
}

static void on_finished(void *self, gint64 time, const PsGroups *groups)
{
    const PsTimeline *timeline = self;
    if (timeline->cu != groups->cu)
        return;
    timeline->inner.finished(timeline->waits, time, groups);
    if (timeline->sink.groups)
        timeline->sink.groups(timeline->sink.data, time, groups->group, groups->place, FALSE);
}

/* Marks do not name their CU; marks of other CUs do no harm. */
static void on_marked(void *self, guint mark)
{
    const PsTimeline *timeline = self;
    timeline->inner.marked(timeline->waits, mark);
}

static void on_skipped(void *self, const PsSkip *skip)
{
    PsTimeline *timeline = self;
    if (timeline->cu != skip->cu)
        return;
    timeline->until = skip->from;
    timeline->inner.skipped(timeline->waits, skip);
    timeline->until = G_MAXINT64;
    timeline->skipped = skip->to;
    if (timeline->sink.skipped)
        timeline->sink.skipped(timeline->sink.data, skip);
}

PsListener ps_timeline_listener(PsTimeline *timeline)
{
    return (PsListener){.self = timeline,
                        .launched = on_launched,
                        .issued = on_issued,
                        .finished = on_finished,
                        .marked = on_marked,
                        .skipped = on_skipped};
}

/* ---- set-up -------------------------------------------------------------------------------- */

PsTimeline *ps_timeline_new(const PsMachine *machine, gint64 from, gint64 to,
                            const PsTimelineSink *sink)
{
    PsTimeline *timeline = g_new0(PsTimeline, 1);
    timeline->from = from;
    timeline->to = to;
    timeline->sink = *sink;
    timeline->waits = ps_waits_new(machine);
    timeline->inner = ps_waits_listener(timeline->waits);
    timeline->until = G_MAXINT64;
    timeline->cu = G_MAXUINT;
    if (sink->span) {
        timeline->waits->told = on_charge;
        timeline->waits->data = timeline;
    }
    return timeline;
}

void ps_timeline_free(PsTimeline *timeline)
{
    if (!timeline)
        return;
    ps_waits_free(timeline->waits);
    g_free(timeline);
}

void ps_timeline_cut(PsTimeline *timeline, gint64 to)
{
    timeline->to = MIN(timeline->to, to);
}
