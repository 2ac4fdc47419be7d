/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One warp's steps, as they come, put into the loops that they belong to: a stack of loops that
 * are open, under which lies all that is outside of loops.
 *
 * A loop is entered when its header is reached and it is not open. Its iteration ends when the
 * header is reached again. Between two passes of the header on ways that leave the loop lies the
 * header of a loop around it (in reducible flow every cycle that enters a loop has its header
 * there), and reaching an open loop's header closes all loops that were opened inside. So a header
 * that is reached while its loop is the innermost open one is reached from inside.
 *
 * Lanes that part run one side after the other, and meet at the nearest point that all ways pass.
 * So when some lanes leave a loop, what they do outside may be executed while others still wait
 * inside: these steps belong to the iteration that they interrupt, since closing the loop would
 * tear it in two. A loop is left when a point outside is reached and no lane remains inside. Who
 * remains is known exactly: lanes enter by the header, and leave by branches, of which each tells
 * which lanes go to its target and which to the next point, or end. For branches through tables,
 * whose lanes' targets events do not tell, lanes are outside once they are seen there. Moreover,
 * when the warp has fewer open branches than when it entered the loop, all lanes that entered it
 * together have met or ended, so that none can be left behind. (As many branches as when it entered
 * tell nothing: lanes that part again on their way to the same meeting point do not nest.)
 *
 * Where lanes that part inside two loops meet only outside of both, some may go round the outer
 * loop while others wait in the inner one. The iteration of the outer loop ends then, and the inner
 * loop with it; what those who waited do later are steps of the outer loop's iteration at that
 * time, until they reach the inner header again, as if they entered.
 *
 * A point of a loop that is reached without passing the header (irreducible flow) is a step like
 * others of what is open. Where steps of one sequence become too many, that sequence becomes its
 * mean: a loop of no code's loop whose iterations have each step as often as it was executed.
 */
#include "lift/loops/roll-private.h"

#define AT_ONCE 4 /* iterations that an assembler lays out together */

typedef struct {
    guint loop;         /* PS_PTX_NOWHERE: everything outside of loops */
    guint depth;        /* number of the warp's branches that were open on entry */
    guint32 inside;     /* lanes that may still be in the loop */
    GArray *items;      /* PsRollItem of the present iteration */
    guint room;         /* items it has had, which need no new memory */
    guint64 weight;     /* weight of the items */
    PsRollMean *mean;   /* mean of the items, if they were too many; else NULL */
    GArray *runs;       /* PsRollRun: earlier iterations, in order ... */
    PsRollTally *tally; /* ... or here, without their order */
    guint n;            /* iterations that have begun, */
    guint32 last;       /* the lanes of the last one, */
    guint rests;        /* and the remainder for four at once when lanes left: 1, 2, or both */
} Frame;

struct PsRollWarp {
    const PsRollPlan *plan;
    GArray *frames; /* Frame, from the outermost; those from n_open on are kept for their memory */
    guint n_open;
    Frame *top;
    guint last_point;
    guint32 all;            /* its threads: those that come to its first point */
    guint64 *idle, *barred; /* arrays of PsRollWarps */
};

static void frame_clear(gpointer data)
{
    Frame *frame = data;
    for (guint i = 0; i < frame->items->len; i++)
        ps_roll_item_clear(&g_array_index(frame->items, PsRollItem, i));
    g_array_unref(frame->items);
    ps_roll_runs_clear(frame->runs);
    g_array_unref(frame->runs);
    ps_roll_mean_free(frame->mean);
    ps_roll_tally_free(frame->tally);
}

static void open_frame(PsRollWarp *warp, guint loop, const PsPtxEvent *event)
{
    if (warp->n_open == warp->frames->len) {
        Frame fresh = {.items = g_array_new(FALSE, FALSE, sizeof(PsRollItem)),
                       .runs = g_array_new(FALSE, FALSE, sizeof(PsRollRun))};
        g_array_append_val(warp->frames, fresh);
    }
    warp->top = &g_array_index(warp->frames, Frame, warp->n_open++);
    warp->top->loop = loop;
    warp->top->depth = event ? event->depth : 0;
    warp->top->inside = event ? event->active : 0;
    warp->top->n = 1;
    warp->top->last = warp->top->inside;
    warp->top->rests = 0;
}

PsRollWarp *ps_roll_warp_new(const PsRollPlan *plan)
{
    PsRollWarp *warp = g_new0(PsRollWarp, 1);
    warp->plan = plan;
    warp->frames = g_array_new(FALSE, FALSE, sizeof(Frame));
    g_array_set_clear_func(warp->frames, frame_clear);
    warp->last_point = PS_PTX_NOWHERE;
    open_frame(warp, PS_PTX_NOWHERE, NULL);
    return warp;
}

void ps_roll_warp_free(PsRollWarp *warp)
{
    if (!warp)
        return;
    g_array_unref(warp->frames);
    g_free(warp->idle);
    g_free(warp->barred);
    g_free(warp);
}

/* ---- lanes --------------------------------------------------------------------------------- */

static guint count_lanes(guint32 lanes)
{
    return (guint)__builtin_popcount(lanes);
}

static void add_lanes(const PsRollWarp *warp, guint64 **counts, guint point, guint32 lanes)
{
    if (!lanes)
        return;
    if (!*counts)
        *counts = g_new0(guint64, warp->plan->code->n_points);
    (*counts)[point] += count_lanes(lanes);
}

/* Notes a step: active lanes come to it, executing ones execute it. */
static void note_lanes(PsRollWarp *warp, guint point, guint32 active, guint32 executing)
{
    add_lanes(warp, &warp->idle, point, warp->all & ~active);
    add_lanes(warp, &warp->barred, point, active & ~executing);
}

guint ps_roll_warp_lanes(PsRollWarp *warp, guint64 **idle, guint64 **barred)
{
    const guint n = count_lanes(warp->all);
    *idle = g_steal_pointer(&warp->idle);
    *barred = g_steal_pointer(&warp->barred);
    warp->all = 0;
    return n;
}

/* ---- iterations ---------------------------------------------------------------------------- */

/* Replaces the items of the present iteration by their mean, since they are too many. */
static void give_up_items(PsRollWarp *warp, Frame *frame)
{
    if (!frame->mean)
        frame->mean = ps_roll_mean_new(warp->plan->table, warp->plan->most_kinds);
    for (guint i = 0; i < frame->items->len; i++) {
        PsRollItem *item = &g_array_index(frame->items, PsRollItem, i);
        ps_roll_mean_add_item(frame->mean, 1, item);
        ps_roll_item_clear(item);
    }
    g_array_set_size(frame->items, 0);
    frame->weight = 0;
}

/* Room for n more items. */
static PsRollItem *add_items(Frame *frame, guint n)
{
    const guint at = frame->items->len;
    if (at + n > frame->room) {
        frame->room = MAX(2 * frame->room, at + n);
        g_array_set_size(frame->items, frame->room);
    }
    frame->items->len = at + n;
    return &g_array_index(frame->items, PsRollItem, at);
}

static void append(PsRollWarp *warp, const PsRollItem *item)
{
    Frame *frame = warp->top;
    *add_items(frame, 1) = *item;
    frame->weight += item->kind == PS_ROLL_STEP ? 1 : ps_roll_item_weight(item);
    if (frame->weight > PS_ROLL_MOST_ITEMS && frame->items->len > 1)
        give_up_items(warp, frame);
}

/* The sequence of the iteration that has ended. */
static const PsRollSequence *take_items(PsRollWarp *warp, Frame *frame)
{
    if (frame->mean) {
        give_up_items(warp, frame);
        g_autoptr(GArray) runs = g_array_new(FALSE, FALSE, sizeof(PsRollRun));
        ps_roll_mean_runs(frame->mean, runs);
        PsRollItem item = ps_roll_loop_item(PS_PTX_NOWHERE, runs, PS_ROLL_MEAN_TRIPS);
        g_array_append_val(frame->items, item);
        g_clear_pointer(&frame->mean, ps_roll_mean_free);
    }
    frame->weight = 0;
    return ps_roll_intern(warp->plan->table, frame->items);
}

static void give_up_order(PsRollWarp *warp, Frame *frame)
{
    frame->tally = ps_roll_tally_new(warp->plan->table, frame->loop, warp->plan->most_kinds, FALSE);
    for (guint i = 0; i < frame->runs->len; i++) {
        PsRollRun run = g_array_index(frame->runs, PsRollRun, i);
        ps_roll_tally_add(frame->tally, run.times, run.body);
    }
    ps_roll_runs_clear(frame->runs);
}

static void end_iteration(PsRollWarp *warp, Frame *frame)
{
    const PsRollSequence *body = take_items(warp, frame);
    if (frame->tally) {
        ps_roll_tally_add(frame->tally, 1, body);
        ps_roll_unref(body);
        return;
    }
    ps_roll_order_add(warp->plan->table, frame->loop, frame->runs, (PsRollRun){1, body});
    if (frame->runs->len > warp->plan->most_kinds)
        give_up_order(warp, frame);
}

/* Lanes of the last iteration that are not among these have left. */
static void note_left(Frame *frame, guint32 active)
{
    if (frame->last & ~active)
        frame->rests |= frame->n % AT_ONCE;
}

/* PsRollItem.parts. */
static guint parts_of(const PsRollWarp *warp, const Frame *frame)
{
    const guint header = warp->plan->code->loops[frame->loop].header;
    if (!(warp->plan->points[header] & PS_ROLL_COUNTS))
        return 0;
    return count_lanes(frame->rests) - count_lanes(frame->n % AT_ONCE);
}

/* Closes the innermost open loop. */
static void close_top(PsRollWarp *warp)
{
    Frame *frame = warp->top;
    frame->rests |= frame->n % AT_ONCE;
    end_iteration(warp, frame);
    PsRollCoarse coarse = PS_ROLL_EXACT;
    if (frame->tally) {
        coarse = ps_roll_tally_runs(frame->tally, frame->runs);
        g_clear_pointer(&frame->tally, ps_roll_tally_free);
    } else {
        ps_roll_order_end(warp->plan->table, frame->loop, frame->runs);
    }
    PsRollItem item = ps_roll_loop_item(frame->loop, frame->runs, coarse);
    item.parts = parts_of(warp, frame);
    warp->n_open--;
    warp->top = &g_array_index(warp->frames, Frame, warp->n_open - 1);
    append(warp, &item);
}

/* ---- ways ---------------------------------------------------------------------------------- */

/* TRUE if the event, outside of the innermost open loop, shows that all lanes have left the
 * loop. */
static gboolean is_left(Frame *frame, const PsPtxEvent *event)
{
    frame->inside &= ~event->active;
    return frame->inside == 0 || event->depth < frame->depth;
}

/* The index of the loop on the stack; 0: it is not open. */
static guint find_open(const PsRollWarp *warp, guint loop)
{
    for (guint i = warp->n_open; i-- > 1;)
        if (g_array_index(warp->frames, Frame, i).loop == loop)
            return i;
    return 0;
}

gboolean ps_roll_warp_enters(const PsRollWarp *warp, const PsPtxEvent *event)
{
    return (warp->plan->points[event->point] & PS_ROLL_HEADER) &&
           find_open(warp, warp->plan->code->points[event->point].loop) == 0;
}

static void reach_header(PsRollWarp *warp, guint loop, const PsPtxEvent *event)
{
    guint open = find_open(warp, loop);
    if (open == 0) {
        open_frame(warp, loop, event);
        return;
    }
    while (warp->n_open > open + 1)
        close_top(warp);
    end_iteration(warp, warp->top);
    warp->top->inside |= event->active;
    note_left(warp->top, event->active);
    warp->top->n++;
    warp->top->last = event->active;
}

/* Notes the lanes that a branch or an end takes out of open loops. */
static void follow_lanes(PsRollWarp *warp, const PsPtxEvent *event, guint8 kind)
{
    const PsPtxCode *code = warp->plan->code;
    const PsPtxPoint *point = &code->points[event->point];
    for (guint i = warp->n_open; i-- > 1;) {
        Frame *frame = &g_array_index(warp->frames, Frame, i);
        if (kind & PS_ROLL_END) {
            frame->inside &= ~event->mask;
            continue;
        }
        if (point->target != PS_PTX_NOWHERE &&
            !ps_ptx_code_in_loop(code, point->target, frame->loop))
            frame->inside &= ~event->mask;
        if (!ps_ptx_code_in_loop(code, event->point + 1, frame->loop))
            frame->inside &= ~(event->active & ~event->mask);
    }
}

/* A step without a pattern, with or without lanes that execute it. */
static PsRollItem step_item(const PsRollWarp *warp, guint point, gboolean executed)
{
    return (PsRollItem){.kind = PS_ROLL_STEP,
                        .point = point,
                        .off = !executed && (warp->plan->points[point] & PS_ROLL_SLOW)};
}

void ps_roll_warp_event(PsRollWarp *warp, const PsPtxEvent *event, const PsPattern *pattern)
{
    const PsRollPlan *plan = warp->plan;
    guint8 kind = plan->points[event->point];
    guint loop = plan->code->points[event->point].loop;
    if (warp->all == 0)
        warp->all = event->active;
    while (warp->top->loop != loop && warp->n_open > 1 &&
           !ps_ptx_code_in_loop(plan->code, event->point, warp->top->loop) &&
           is_left(warp->top, event))
        close_top(warp);
    /* An instruction with several accesses makes an event for each; only the first one counts as
     * reaching the header. */
    const gboolean again = event->memory && warp->last_point == event->point;
    if ((kind & PS_ROLL_HEADER) && !again)
        reach_header(warp, loop, event);
    if (kind & (PS_ROLL_BRANCH | PS_ROLL_END))
        follow_lanes(warp, event, kind);
    warp->last_point = event->point;
    if (event->mask == 0 && !(kind & (PS_ROLL_BRANCH | PS_ROLL_ISSUES)))
        return;
    PsRollItem item = step_item(warp, event->point, event->mask != 0);
    item.pattern = pattern;
    append(warp, &item);
    if (!again)
        note_lanes(warp, event->point, event->active,
                   kind & PS_ROLL_BRANCH || event->memory ? event->active : event->mask);
}

/* TRUE if the point is a step: a lane executes it, or it issues without lanes. */
static gboolean is_step(const PsRollWarp *warp, guint point, guint32 mask)
{
    return mask != 0 || (warp->plan->points[point] & PS_ROLL_ISSUES);
}

void ps_roll_warp_steps(PsRollWarp *warp, const PsPtxEvent *event, guint point, guint n,
                        const guint32 *masks)
{
    Frame *frame = warp->top;
    if (n == 0)
        return;
    warp->last_point = point + n - 1;
    for (guint i = 0; (masks || event->active != warp->all) && i < n; i++)
        if (!masks || is_step(warp, point + i, masks[i]))
            note_lanes(warp, point + i, event->active, masks ? masks[i] : event->active);
    if (frame->weight + n > PS_ROLL_MOST_ITEMS) {
        for (guint i = 0; i < n; i++) {
            const PsRollItem item = step_item(warp, point + i, !masks || masks[i]);
            if (!masks || is_step(warp, point + i, masks[i]))
                append(warp, &item);
        }
        return;
    }
    PsRollItem *items = add_items(frame, n);
    guint added = 0;
    for (guint i = 0; i < n; i++)
        if (!masks || is_step(warp, point + i, masks[i]))
            items[added++] = step_item(warp, point + i, !masks || masks[i]);
    frame->items->len -= n - added;
    frame->weight += added;
}

const PsRollSequence *ps_roll_warp_end(PsRollWarp *warp)
{
    while (warp->n_open > 1)
        close_top(warp);
    warp->last_point = PS_PTX_NOWHERE;
    return take_items(warp, warp->top);
}
