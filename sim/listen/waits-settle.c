/* SPDX-License-Identifier: BSD-3-Clause */
/* Charges the time of a warp. The engine does not report which result made an instance ready: it is
 * one of those that the node waits for and that arrived at that instant. */
#include "sim/listen/waits-private.h"

#include <string.h>

/* ---- results ------------------------------------------------------------------------------- */

static void grow(PsWaitRing *ring)
{
    const guint size = ring->mask + 1;
    gint64 *done = g_new0(gint64, 2 * size); /* its other results have passed */
    for (guint i = 0; i < MIN(size, ring->n); i++)
        done[(ring->n - 1 - i) & (2 * size - 1)] = ring->done[(ring->n - 1 - i) & ring->mask];
    if (ring->mask >= PS_WAITS_RESULTS)
        g_free(ring->done);
    ring->done = done;
    ring->mask = 2 * size - 1;
}

/* Keeps a result's time; nothing will ask for a result that has arrived by now. */
static inline void remember(PsWaitRing *ring, gint64 done, gint64 now)
{
    if (G_UNLIKELY(ring->n > ring->mask && ring->done[ring->n & ring->mask] > now))
        grow(ring);
    ring->done[ring->n++ & ring->mask] = done;
}

static inline gboolean arrived_at(const PsWaitRing *ring, gint64 time)
{
    const guint known = MIN(ring->n, ring->mask + 1);
    for (guint back = 1; back <= known; back++) {
        const gint64 done = ring->done[(ring->n - back) & ring->mask];
        if (done <= time)
            return done == time;
    }
    return FALSE;
}

/* The sum that counts the wait for the result that made the instance ready. */
static inline guint cause_of(const PsWaits *waits, const PsWaitWarp *warp, const PsWaitIssue *issue)
{
    const PsWaitNode *node = &waits->nodes[issue->node];
    for (guint d = 0; d < node->n_known; d++)
        if (arrived_at(&warp->rings[node->deps[d]], issue->ready))
            return node->data + d;
    const PsWaitNode *last = warp->node != PS_WAITS_NO_NODE ? &waits->nodes[warp->node] : NULL;
    return last && last->hold > 0 && warp->since + last->hold == issue->ready ? last->holding
                                                                              : node->barrier;
}

/* ---- charges ------------------------------------------------------------------------------- */

/* Charges the time from being ready to the issue. */
static inline void charge_queue(const PsWaits *waits, const PsWaitWarp *warp,
                                const PsWaitIssue *issue, gint64 ready, PsWaitCharge *charge)
{
    const PsWaitNode *node = &waits->nodes[issue->node];
    const GArray *pipe = ps_waits_pipe(waits, warp, node);
    const gint64 all = issue->time - ready;
    charge->queued_to = node->queue;
    charge->ported_to = node->port;
    charge->queued =
        pipe ? (gint64)ps_steps_area(pipe, waits->base + ready, waits->base + issue->time) : all;
    charge->ported = all - charge->queued;
}

static inline G_ALWAYS_INLINE PsWaitCharge charge_of(const PsWaits *waits, const PsWaitWarp *warp,
                                                     const PsWaitIssue *issue)
{
    PsWaitCharge charge = {.issuing_to = 0};
    const gboolean ends = issue->node == PS_WAITS_NO_NODE;
    gint64 at = warp->since;
    const gint64 ready = CLAMP(issue->ready, at, issue->time);
    if (ready > at && warp->node != PS_WAITS_NO_NODE) {
        const PsWaitNode *last = &waits->nodes[warp->node];
        charge.issuing_to = last->issuing;
        charge.issuing = MIN(last->issue, ready - at);
        at += charge.issuing;
    }
    if (ready > at) {
        charge.waiting_to = ends ? ps_waits_drain(waits) : cause_of(waits, warp, issue);
        charge.waiting = ready - at;
    }
    if (issue->time > ready)
        charge_queue(waits, warp, issue, ready, &charge);
    return charge;
}

PsWaitCharge ps_waits_charge(const PsWaits *waits, const PsWaitWarp *warp, const PsWaitIssue *issue)
{
    return charge_of(waits, warp, issue);
}

void ps_waits_add(PsWaitSum *sums, const PsWaitCharge *charge, gint64 times)
{
    sums[charge->issuing_to] += (PsWaitSum)charge->issuing * times;
    sums[charge->waiting_to] += (PsWaitSum)charge->waiting * times;
    sums[charge->queued_to] += (PsWaitSum)charge->queued * times;
    sums[charge->ported_to] += (PsWaitSum)charge->ported * times;
}

/* Notes the first issue after a mark, for skips. */
static void note_first(PsWaits *waits, const PsWaitGroup *group, guint warp,
                       const PsWaitIssue *issue, const PsWaitCharge *charge)
{
    guint *fresh = &group->warps[warp].fresh;
    const gboolean ends = issue->node == PS_WAITS_NO_NODE;
    const double busy = ends ? 0
                             : ps_waits_busy(waits, &group->warps[warp], &waits->nodes[issue->node],
                                             waits->base + issue->time);
    for (guint m = 0; m < PS_SIM_MARKS; m++)
        if (*fresh >> m & 1)
            waits->marks[m].firsts[group->age_at_mark[m] * waits->n_warps + warp] =
                (PsWaitFirst){TRUE, waits->base - waits->marks[m].base, *issue, *charge, busy};
    *fresh = 0;
}

/* Reports the charge to a listener, if there is one. */
static void tell(PsWaits *waits, const PsWaitGroup *group, guint number, const PsWaitIssue *issue)
{
    PsWaitWarp *warp = &group->warps[number];
    const PsWaitCharge charge = charge_of(waits, warp, issue);
    if (waits->told)
        waits->told(waits->data, group, number, issue, &charge);
    warp->kept_open = FALSE;
    if (warp->fresh != 0)
        note_first(waits, group, number, issue, &charge);
}

static inline G_ALWAYS_INLINE void settle(PsWaits *waits, PsWaitGroup *group, guint number,
                                          const PsWaitIssue *issue)
{
    PsWaitWarp *warp = &group->warps[number];
    if (G_UNLIKELY(waits->told || warp->fresh != 0))
        tell(waits, group, number, issue);
    /* No pointer to it is taken, so that it stays in registers. */
    const PsWaitCharge charge = charge_of(waits, warp, issue);
    if (charge.issuing > 0)
        waits->sums[charge.issuing_to] += charge.issuing;
    if (charge.waiting > 0)
        waits->sums[charge.waiting_to] += charge.waiting;
    if (charge.queued > 0)
        waits->sums[charge.queued_to] += charge.queued;
    if (charge.ported > 0)
        waits->sums[charge.ported_to] += charge.ported;
    if (issue->node == PS_WAITS_NO_NODE)
        return;
    const PsWaitNode *node = &waits->nodes[issue->node];
    warp->since = issue->time;
    warp->node = issue->node;
    ps_waits_occupy(waits, warp, node, issue);
    if (node->kept)
        remember(&warp->rings[issue->node - warp->first],
                 issue->time + node->completion + issue->delay, issue->time);
}

/* ---- order --------------------------------------------------------------------------------- */

static inline gboolean is_before(const PsWaitIssue *a, const PsWaitIssue *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    return a->ready != b->ready ? a->ready < b->ready : a->position < b->position;
}

/* Adds an issue to the pending ones, mostly as the last. */
static inline void insert(PsWaitWarp *warp, const PsWaitIssue *issue)
{
    if (warp->n_pending == warp->room)
        warp->pending = g_renew(PsWaitIssue, warp->pending, warp->room = MAX(2 * warp->room, 4));
    guint at = warp->n_pending++;
    for (; at > warp->first_pending && is_before(issue, &warp->pending[at - 1]); at--)
        warp->pending[at] = warp->pending[at - 1];
    warp->pending[at] = *issue;
}

/* Moves the pending issues to the begin of their memory. */
static inline void move_up(PsWaitWarp *warp)
{
    const guint n = warp->n_pending - warp->first_pending;
    for (guint i = 0; i < n; i++)
        warp->pending[i] = warp->pending[warp->first_pending + i];
    warp->first_pending = 0;
    warp->n_pending = n;
}

void ps_waits_hear(PsWaits *waits, PsWaitGroup *group, guint number, const PsWaitIssue *issue)
{
    PsWaitWarp *warp = &group->warps[number];
    const gint64 over = issue->time - waits->table.lag;
    if (waits->table.lag == 0) {
        settle(waits, group, number, issue);
        return;
    }
    while (warp->first_pending < warp->n_pending && warp->pending[warp->first_pending].time <= over)
        settle(waits, group, number, &warp->pending[warp->first_pending++]);
    if (warp->first_pending == warp->n_pending || warp->n_pending == warp->room)
        move_up(warp);
    insert(warp, issue);
}

void ps_waits_settle(PsWaits *waits, PsWaitGroup *group, guint number)
{
    PsWaitWarp *warp = &group->warps[number];
    while (warp->first_pending < warp->n_pending)
        settle(waits, group, number, &warp->pending[warp->first_pending++]);
    warp->first_pending = warp->n_pending = 0;
}

void ps_waits_end(PsWaits *waits, PsWaitGroup *group, guint number, gint64 time)
{
    const PsWaitIssue end = {time, time, G_MAXINT64, PS_WAITS_NO_NODE, 0, 0};
    ps_waits_settle(waits, group, number);
    settle(waits, group, number, &end);
}

/* ---- copies -------------------------------------------------------------------------------- */

/* Shifts a warp's times; a warp that has waited all the time stays. */
static void move_back(PsWaitWarp *warp, gint64 shift)
{
    warp->since -= shift;
    for (guint n = 0; n < warp->n_nodes; n++)
        for (guint i = 0; i < MIN(warp->rings[n].n, warp->rings[n].mask + 1); i++)
            warp->rings[n].done[i] -= shift;
}

void ps_waits_copy(PsWaitWarp *to, const PsWaitWarp *from, gint64 shift)
{
    if (to == from) {
        move_back(to, shift);
        return;
    }
    to->since = from->since - shift;
    to->node = from->node;
    for (guint n = 0; n < to->n_nodes; n++) {
        PsWaitRing *ring = &to->rings[n];
        const PsWaitRing *other = &from->rings[n];
        while (ring->mask < other->mask)
            grow(ring);
        ring->n = MIN(other->n, other->mask + 1);
        for (guint i = 0; i < ring->n; i++)
            ring->done[i] = other->done[(other->n - ring->n + i) & other->mask] - shift;
    }
}
