/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks the critical path backwards, from each record to its predecessor. Records are
 * identified by their numbers, which grow with time, so a mark or a skip lies between two records
 * if its number of records does.
 */
#include "sim/listen/path-private.h"
#include "sim/listen/repeat.h"

#include <string.h>

/* A skipped period that the walk is in, and the number of passes that it still has to make. When
 * the walk enters the period through a link for the second time, it is in a cycle. To notice that,
 * the state at one entry, the checkpoint, is kept and replaced at ever longer intervals (Brent's
 * cycle detection). */
typedef struct {
    const PsPathSkip *skip;
    gint64 left;
    PsLink checkpoint; /* the link entered through; PS_LINK_NONE: no checkpoint is kept */
    gint64 checkpoint_left;
    gint64 *checkpoint_sums;
    gint64 steps, power; /* entries since the checkpoint, and the number at which it is replaced */
} Period;

typedef struct {
    PsPathBack back;
    PsPathSums *sums;
    PsPathTold told;
    gpointer data;
    PsLink at;       /* the present place of the walk */
    gint64 clock;    /* the engine's clock there */
    gint64 time;     /* the run's time there */
    GArray *periods; /* Period, the innermost last */
    guint charged;   /* the sum of ticks that the last step was charged to */
} Walk;

static inline PsPathEvent record_at(const Walk *walk, guint32 number)
{
    return ps_path_event(&walk->back, number);
}

/* ---- sums ---------------------------------------------------------------------------------- */

guint ps_path_sum_ticks(const PsPathSums *sums, PsPathKind kind, guint node)
{
    return 2 * (kind * sums->n_nodes + MIN(node, sums->n_nodes - 1));
}

guint ps_path_sum_times(const PsPathSums *sums, PsPathKind kind, guint node)
{
    return ps_path_sum_ticks(sums, kind, node) + 1;
}

guint ps_path_sum_late(const PsPathSums *sums, guint node, guint warp)
{
    return 2 * PS_PATH_N_KINDS * sums->n_nodes + sums->barrier[node] * sums->n_warps + warp;
}

/* Charges the time back to `to`, on the engine's clock. */
static void charge(Walk *walk, PsPathKind kind, guint32 charged, gint64 to)
{
    const PsPathEvent record = record_at(walk, charged);
    const gint64 length = walk->clock - to;
    const guint ticks = ps_path_sum_ticks(walk->sums, kind, record.node);
    gint64 *sums = walk->sums->at;
    sums[ticks] += length;
    walk->charged = ticks;
    sums[ticks + 1]++;
    if (kind == PS_PATH_BARRIER)
        sums[ps_path_sum_late(walk->sums, record.node, record.slot % walk->sums->n_warps)]++;
    if (walk->told && length > 0)
        walk->told(walk->data, kind, charged, walk->time - length, walk->time);
    walk->clock = to;
    walk->time -= length;
}

/* ---- counterparts -------------------------------------------------------------------------- */

static const PsPathGroup *group_at(const PsPathSnapshot *snapshot, guint age)
{
    return &g_array_index(snapshot->groups, PsPathGroup, age);
}

/* The number by age of the group of that launch; G_MAXUINT if it is not resident. */
static guint age_of(const PsPathSnapshot *snapshot, guint32 launch)
{
    for (guint i = 0; i < snapshot->groups->len; i++)
        if (group_at(snapshot, i)->launch == launch)
            return i;
    return G_MAXUINT;
}

/* The counterpart at the skip of a group at the mark: it stands to the end of the period as the
 * group stood to its beginning, so it is the group of the same age; NULL: there is none. */
static const PsPathGroup *counterpart_group(const PsPathSkip *skip, guint32 launch)
{
    const guint age = age_of(skip->mark, launch);
    return age < skip->end->groups->len ? group_at(skip->end, age) : NULL;
}

/* The counterpart of a warp: the slot of the same warp in the group's counterpart. */
static gboolean counterpart_warp(const Walk *walk, const PsPathSkip *skip, guint32 number,
                                 guint *slot)
{
    const guint here = record_at(walk, number).slot;
    const PsPathGroup *group =
        counterpart_group(skip, ps_path_launch_of(&walk->back, here, number).record);
    if (group)
        *slot = group->place * walk->sums->n_warps + here % walk->sums->n_warps;
    return group != NULL;
}

/* The counterpart of a launch. If its group has ended, since it had nothing to do, it is as many
 * launches back. */
static guint32 counterpart_launch(const Walk *walk, const PsPathSkip *skip, guint32 number)
{
    const PsPathTape *tape = walk->back.tape;
    const PsPathGroup *group = counterpart_group(skip, number);
    const guint back = ps_path_launches_before(tape, skip->mark->at.records) -
                       ps_path_launches_before(tape, number);
    const guint launches = ps_path_launches_before(tape, skip->end->at.records);
    if (group)
        return group->launch;
    return back <= launches ? g_array_index(tape->launches, PsPathLaunch, launches - back).record
                            : PS_NO_RECORD;
}

/* The counterpart of a group's end whose place is still taken at the mark: as many ends back. */
static guint32 counterpart_end(const Walk *walk, const PsPathSkip *skip, guint32 number)
{
    const PsPathTape *tape = walk->back.tape;
    const guint back =
        ps_path_ends_before(tape, skip->mark->at.records) - ps_path_ends_before(tape, number);
    const guint ends = ps_path_ends_before(tape, skip->end->at.records);
    return back <= ends ? g_array_index(tape->ends, guint32, ends - back) : PS_NO_RECORD;
}

/* The counterpart of an instance: as many instances back of the same node of the warp's
 * counterpart. */
static guint32 counterpart_instance(const Walk *walk, const PsPathSkip *skip, guint32 number)
{
    const PsPathEvent record = record_at(walk, number);
    guint slot;
    gint64 later = 0;
    for (guint32 n = number + 1; n < skip->mark->at.records; n++)
        later += record_at(walk, n).slot == record.slot && record_at(walk, n).node == record.node;
    if (!counterpart_warp(walk, skip, number, &slot))
        return PS_NO_RECORD;
    return ps_path_nth_last(&walk->back, record.node, slot, skip->end->at.records, later);
}

/* Looks at an instance of the period as of the period's repetition. FALSE if its group is not
 * resident at the mark. */
static gboolean ask_at_skip(const Walk *walk, const PsPathSkip *skip, guint32 number,
                            PsPathAsk *ask)
{
    const PsPathBack *back = &walk->back;
    const PsPathEvent record = record_at(walk, number);
    if (record.node >= ps_path_launch(back->path))
        return FALSE;
    *ask = ps_path_ask(back, number);
    if (!counterpart_warp(walk, skip, number, &ask->slot))
        return FALSE;
    ask->at = skip->end->at;
    ask->time += skip->recorded;
    ask->k += ps_path_count(back, ask->node, ask->slot, skip->end->at) -
              ps_path_count(back, ask->node, record.slot, skip->mark->at);
    return TRUE;
}

/* The counterpart of the holder of a pipeline or port at the mark: the holder of the same pipeline
 * or port at the skip. */
static guint32 counterpart_holder(const Walk *walk, const PsPathSkip *skip, PsLink link)
{
    const PsPathBack *back = &walk->back;
    if (ps_path_holder(back, link.record, link.how, skip->mark->at.records) != link.record)
        return PS_NO_RECORD;
    return ps_path_holder(back, link.record, link.how, skip->end->at.records);
}

static guint32 counterpart_record(const Walk *walk, const PsPathSkip *skip, guint32 number)
{
    const guint node = record_at(walk, number).node;
    if (node == ps_path_end(walk->back.path))
        return counterpart_end(walk, skip, number);
    return node == ps_path_launch(walk->back.path) ? counterpart_launch(walk, skip, number)
                                                   : counterpart_instance(walk, skip, number);
}

/* TRUE if the walk came to that record at the time when its pipeline began with it, after a wait
 * since its issue (R11). */
static gboolean is_queued(const Walk *walk, guint32 number)
{
    return (walk->at.how == PS_LINK_DONE || walk->at.how == PS_LINK_PIPELINE) &&
           ps_path_queued(&walk->back, number) > 0;
}

/* The counterpart of the predecessor before the mark that `from`, a record of the period, has. Of
 * several dependences that end at the same time another one may count when the period repeats, so
 * `from` is looked at anew. PS_NO_RECORD: the link was a counterpart itself, and stays. */
static PsLink counterpart_of(const Walk *walk, const PsPathSkip *skip, guint32 from, PsLink link)
{
    const gboolean held = link.how == PS_LINK_PIPELINE || link.how == PS_LINK_PORT;
    PsPathAsk ask;
    if (from != PS_NO_RECORD && held) {
        PsPathHeld again = {.event = record_at(walk, from), .records = skip->end->at.records};
        again.time = again.event.time + skip->recorded;
        if (is_queued(walk, from)) {
            again.time += ps_path_queued(&walk->back, from);
            return ps_path_begun(&walk->back, &again);
        }
        again.later = ps_path_queue_since(&walk->back, skip->mark->at.records, from);
        return ps_path_held(&walk->back, &again);
    }
    if (from != PS_NO_RECORD && ask_at_skip(walk, skip, from, &ask)) {
        const PsLink again = ps_path_ready(&walk->back, &ask);
        if (again.how != PS_LINK_NONE)
            return again;
    }
    guint32 part = counterpart_record(walk, skip, link.record);
    if (part == PS_NO_RECORD && held)
        part = counterpart_holder(walk, skip, link);
    return (PsLink){part, link.how};
}

/* ---- periods ------------------------------------------------------------------------------- */

static void clear_period(void *data)
{
    g_free(((Period *)data)->checkpoint_sums);
}

static Period *innermost(const Walk *walk)
{
    return walk->periods->len ? &g_array_index(walk->periods, Period, walk->periods->len - 1)
                              : NULL;
}

static void set_checkpoint(const Walk *walk, Period *period, PsLink link)
{
    const gsize size = walk->sums->n * sizeof *walk->sums->at;
    if (!period->checkpoint_sums)
        period->checkpoint_sums = g_malloc(size);
    memcpy(period->checkpoint_sums, walk->sums->at, size);
    period->checkpoint = link;
    period->checkpoint_left = period->left;
    period->power = 2 * MAX(period->steps, 1);
    period->steps = 0;
}

/* The walk is in a cycle: the time added since the checkpoint is multiplied. */
static void repeat_cycle(Walk *walk, Period *period)
{
    const gint64 periods = period->checkpoint_left - period->left;
    const gint64 times = period->left / periods;
    for (guint i = 0; i < walk->sums->n; i++)
        walk->sums->at[i] += times * (walk->sums->at[i] - period->checkpoint_sums[i]);
    period->left -= times * periods;
    walk->time -= times * periods * period->skip->period;
    period->checkpoint.how = PS_LINK_NONE;
}

/* At the mark of an estimated period: scales the time added since its end to all skipped time. A
 * remainder of rounding is charged like the last step. */
static void scale_period(Walk *walk, Period *period)
{
    const guint n_charges = 2 * PS_PATH_N_KINDS * walk->sums->n_nodes;
    gint64 *sums = walk->sums->at, *before = period->checkpoint_sums;
    gint64 grown = 0, left = period->skip->length;
    for (guint i = 0; i < n_charges; i += 2)
        grown += sums[i] - before[i];
    for (guint i = 0; i < walk->sums->n && grown > 0; i++) {
        const PsWide more = (PsWide)(sums[i] - before[i]) * period->skip->length / grown;
        sums[i] += (gint64)more;
        left -= i < n_charges && i % 2 == 0 ? (gint64)more : 0;
    }
    sums[walk->charged] += left;
    walk->time -= period->skip->length;
    period->left = 0;
}

/* Goes from the mark to the end of the period, for one more repetition. A record without a
 * counterpart there is charged with all remaining time. */
static void enter_period(Walk *walk, Period *period, guint32 from, PsLink *link)
{
    const PsLink part = counterpart_of(walk, period->skip, from, *link);
    if (part.record == PS_NO_RECORD) {
        walk->clock += period->left * period->skip->recorded;
        period->left = 0;
        return;
    }
    *link = part;
    period->left--;
    walk->clock += period->skip->recorded;
    period->steps++;
    if (period->checkpoint.how == part.how && period->checkpoint.record == part.record)
        repeat_cycle(walk, period);
    else if (period->checkpoint.how == PS_LINK_NONE || period->steps >= period->power)
        set_checkpoint(walk, period, part);
}

/* The record that a link leads to, across marks and skips. */
static PsLink predecessor(Walk *walk, guint32 from, PsLink link)
{
    const PsPathTape *tape = walk->back.tape;
    if (tape->skips->len == 0)
        return link;
    guint edge = ps_path_point(tape, from).skips;
    if (from == tape->n_records)
        from = PS_NO_RECORD;
    while (TRUE) {
        Period *period = innermost(walk);
        const PsPathSnapshot *mark = period ? period->skip->mark : NULL;
        const PsPathSkip *skip = edge > 0 ? tape->skips->pdata[edge - 1] : NULL;
        if (skip && link.record < skip->end->at.records && (!mark || edge > mark->at.skips)) {
            Period next = {.skip = skip, .left = skip->times};
            if (skip->estimated)
                set_checkpoint(walk, &next, link);
            g_array_append_val(walk->periods, next);
            edge--;
        } else if (mark && link.record < mark->at.records && period->left > 0 &&
                   period->skip->estimated) {
            scale_period(walk, period);
        } else if (mark && link.record < mark->at.records && period->left > 0) {
            edge = period->skip->end->at.skips;
            enter_period(walk, period, from, &link);
            from = PS_NO_RECORD;
        } else if (mark && link.record < mark->at.records) {
            edge = mark->at.skips;
            g_array_set_size(walk->periods, walk->periods->len - 1);
        } else {
            return link;
        }
    }
}

/* ---- the walk ------------------------------------------------------------------------------ */

/* The kind to which the time of a link to an issue or a launch is charged. */
static PsPathKind kind_of(PsLinkHow how)
{
    switch (how) {
    case PS_LINK_BARRIER:
        return PS_PATH_BARRIER;
    case PS_LINK_LAUNCH:
        return PS_PATH_LAUNCH;
    case PS_LINK_PIPELINE:
        return PS_PATH_PIPELINE;
    case PS_LINK_PORT:
        return PS_PATH_PORT;
    case PS_LINK_ISSUE:
        return PS_PATH_HOLD;
    case PS_LINK_PLACE:
        return PS_PATH_PLACE;
    default:
        return PS_PATH_COMPLETION;
    }
}

/* Goes one step back along a link and charges the time to the predecessor's issue, or to the time
 * when its pipeline began with it. A link to its completion, to an issue that did not hold the warp
 * (R2), or to one that left its queue then (R11), takes no time. */
static void step_to(Walk *walk, guint32 from, PsLink link)
{
    walk->at = predecessor(walk, from, link);
    const guint32 number = walk->at.record;
    gint64 time = record_at(walk, number).time;
    if (walk->at.how == PS_LINK_PIPELINE)
        time += ps_path_queued(&walk->back, number);
    const gboolean none_takes_time =
        walk->at.how == PS_LINK_ISSUE || walk->at.how == PS_LINK_PIPELINE;
    if (walk->at.how != PS_LINK_DONE && (!none_takes_time || time < walk->clock))
        charge(walk, kind_of(walk->at.how), number, time);
}

/* Charges from an instance's completion back to the time when its pipeline began with it. */
static void charge_instance(Walk *walk, guint32 number)
{
    const gint64 queued = ps_path_queued(&walk->back, number);
    const gint64 delay = ps_path_delay(&walk->back, number) - queued;
    if (delay > 0)
        charge(walk, PS_PATH_MEMORY, number, walk->clock - delay);
    charge(walk, PS_PATH_COMPLETION, number, record_at(walk, number).time + queued);
}

/* The record, before that one, of the instance that held the pipeline until that time. */
static guint32 find_holder(const PsPathBack *back, guint32 number, guint pipeline, gint64 time)
{
    const PsNodes *nodes = &back->path->table;
    while (TRUE) {
        const PsPathEvent record = ps_path_event(back, --number);
        const PsMachineNode *node = &nodes->all[record.node];
        if (record.node < nodes->n_nodes && node->pipeline == pipeline &&
            record.time + node->issue == time)
            return number;
    }
}

/* Does at once what step_back does holder by holder along a pipeline: on a saturated pipeline,
 * holders are most of the path. */
static void skip_along_pipeline(Walk *walk)
{
    const PsPathBack *back = &walk->back;
    guint32 number = walk->at.record;
    PsPathEvent record = record_at(walk, number);
    const guint pipeline = back->path->table.all[record.node].pipeline;
    while (record.held) {
        number = find_holder(back, number, pipeline, record.time);
        record = record_at(walk, number);
        charge(walk, PS_PATH_PIPELINE, number, record.time);
    }
    walk->at = (PsLink){number, PS_LINK_PIPELINE};
}

/* TRUE if nothing was skipped, there are no ports, the CU has one such pipeline, and no stretches
 * are reported. */
static gboolean can_skip_along(const Walk *walk)
{
    const PsMachine *machine = walk->back.path->machine;
    return !walk->told && walk->back.tape->skips->len == 0 && machine->refinements.schedulers == 0;
}

/* The cause of a record's wait. */
static PsLink cause_of(const Walk *walk, guint32 number)
{
    const PsPathEvent record = record_at(walk, number);
    if (record.node == ps_path_launch(walk->back.path))
        return ps_path_launched(&walk->back, number);
    if (record.node == ps_path_end(walk->back.path))
        return ps_path_ended(&walk->back, number);
    PsPathHeld held = {.event = record, .time = record.time, .records = number};
    if (is_queued(walk, number)) {
        held.time += ps_path_queued(&walk->back, number);
        return ps_path_begun(&walk->back, &held);
    }
    if (record.held)
        return ps_path_held(&walk->back, &held);
    const PsPathAsk ask = ps_path_ask(&walk->back, number);
    const PsLink link = ps_path_ready(&walk->back, &ask);
    if (link.how != PS_LINK_NONE)
        return link;
    return (PsLink){ps_path_launch_of(&walk->back, ask.slot, number).record, PS_LINK_LAUNCH};
}

/* Steps back from the issue of an instance, a launch or an end. FALSE where the path begins. */
static gboolean step_back(Walk *walk)
{
    const guint32 number = walk->at.record;
    const PsLink link = cause_of(walk, number);
    if (link.how == PS_LINK_NONE)
        return FALSE;
    step_to(walk, number, link);
    return TRUE;
}

void ps_path_walk(const PsPathBack *back, PsPathSums *sums, PsPathTold told, gpointer data)
{
    const PsPathTape *tape = back->tape;
    Walk walk = {.back = *back,
                 .sums = sums,
                 .told = told,
                 .data = data,
                 .clock = tape->ended,
                 .time = tape->ended + tape->skipped,
                 .periods = g_array_new(FALSE, FALSE, sizeof(Period))};
    g_array_set_clear_func(walk.periods, clear_period);
    const gboolean fast = can_skip_along(&walk);
    gboolean on = tape->end != PS_NO_RECORD;
    if (on)
        step_to(&walk, tape->n_records, ps_path_ended(back, tape->end));
    while (on) {
        const guint32 number = walk.at.record;
        if (walk.at.how == PS_LINK_DONE)
            charge_instance(&walk, number);
        if (fast && record_at(&walk, number).held)
            skip_along_pipeline(&walk);
        on = step_back(&walk);
    }
    g_array_unref(walk.periods);
}
