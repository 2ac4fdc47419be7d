/* SPDX-License-Identifier: BSD-3-Clause */
/* A ready instruction waits for its pipeline while that is busy or the queue in front of it is full
 * (R11), otherwise for its scheduler's port. So the busy times of each pipeline are kept. Without
 * schedulers a ready instruction waits for pipelines alone. */
#include "sim/listen/waits-private.h"

#include <string.h>

void ps_waits_make_pipes(PsWaits *waits)
{
    waits->schedulers = (guint)waits->machine->refinements.schedulers;
    if (waits->schedulers == 0)
        return;
    waits->n_pipes = waits->machine->gpu->pipelines->len * (1 + waits->schedulers);
    waits->pipes = g_new(GArray *, waits->n_pipes);
    waits->queues = g_new0(PsWaitQueue, waits->n_pipes);
    for (guint p = 0; p < waits->n_pipes; p++)
        waits->pipes[p] = g_array_new(FALSE, FALSE, sizeof(PsStep));
}

void ps_waits_free_pipes(PsWaits *waits)
{
    for (guint p = 0; p < waits->n_pipes; p++)
        g_array_unref(waits->pipes[p]);
    g_free(waits->pipes);
    g_free(waits->queues);
}

void ps_waits_clear_pipes(PsWaits *waits)
{
    for (guint p = 0; p < waits->n_pipes; p++)
        g_array_set_size(waits->pipes[p], 0);
    if (waits->queues)
        memset(waits->queues, 0, waits->n_pipes * sizeof *waits->queues);
}

static guint pipe_of(const PsWaits *waits, const PsWaitWarp *warp, const PsWaitNode *node)
{
    const guint own = waits->machine->gpu->pipelines->len * (1 + warp->scheduler);
    return node->pipe + (node->own_pipe ? own : 0);
}

const GArray *ps_waits_pipe(const PsWaits *waits, const PsWaitWarp *warp, const PsWaitNode *node)
{
    return waits->schedulers > 0 ? waits->pipes[pipe_of(waits, warp, node)] : NULL;
}

/* R11: the queue is full until the oldest of as many instances as it has room for has begun. */
static void fill(const PsWaits *waits, guint pipe, const PsWaitNode *node, const PsWaitIssue *issue)
{
    PsWaitQueue *queue = &waits->queues[pipe];
    queue->begins[queue->at] = issue->time + issue->queued;
    queue->at = (queue->at + 1) % node->room;
    const gint64 until = queue->begins[queue->at];
    if (until > issue->time)
        ps_steps_pulse(waits->pipes[pipe], waits->base + issue->time, waits->base + until);
}

void ps_waits_occupy(PsWaits *waits, const PsWaitWarp *warp, const PsWaitNode *node,
                     const PsWaitIssue *issue)
{
    if (waits->schedulers == 0)
        return;
    const guint pipe = pipe_of(waits, warp, node);
    const gint64 time = waits->base + issue->time;
    if (G_UNLIKELY(node->room > 0))
        fill(waits, pipe, node, issue);
    else
        ps_steps_pulse(waits->pipes[pipe], time, time + node->issue);
}

double ps_waits_busy(const PsWaits *waits, const PsWaitWarp *warp, const PsWaitNode *node,
                     gint64 time)
{
    const GArray *pipe = ps_waits_pipe(waits, warp, node);
    return pipe ? ps_steps_area(pipe, 0, time) : 0;
}

void ps_waits_mark_pipes(const PsWaits *waits, PsWaitMark *mark)
{
    for (guint p = 0; p < waits->n_pipes; p++) {
        const GArray *pipe = waits->pipes[p];
        mark->pipes[p] = pipe->len > 0 ? g_array_index(pipe, PsStep, pipe->len - 1) : (PsStep){0};
    }
}

/* Busy time of a pipe from the mark to the issue, where a period is longer than what is kept of the
 * pipe in detail. */
double ps_waits_busy_again(const PsWaits *waits, const PsWaitMark *mark, const PsWaitWarp *warp,
                           const PsWaitFirst *first, const PsWaitTimes *times)
{
    const guint p = pipe_of(waits, warp, &waits->nodes[first->issue.node]);
    const PsStep *last = &mark->pipes[p];
    const double at_mark = last->area - (double)MAX(last->time - times->mark, 0);
    return ps_steps_area(waits->pipes[p], times->ready, times->begin) + first->busy - at_mark;
}

/* An instruction in progress when time is skipped is in progress behind it. */
void ps_waits_skip_pipes(PsWaits *waits, const PsSkip *skip)
{
    for (guint p = 0; p < waits->n_pipes; p++) {
        GArray *pipe = waits->pipes[p];
        if (pipe->len == 0)
            continue;
        const gint64 free_at = g_array_index(pipe, PsStep, pipe->len - 1).time;
        ps_steps_repeat(pipe, skip);
        if (free_at > skip->from)
            ps_steps_add(pipe, skip->to, 1);
        ps_steps_add(pipe, MAX(free_at - skip->from, 0) + skip->to, 0);
    }
}
