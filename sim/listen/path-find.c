/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches a tape backwards for the cause of a wait, by the rules of the model. */
#include "idg/places.h"
#include "sim/listen/path-private.h"

static inline PsPathEvent record_at(const PsPathBack *back, guint32 number)
{
    return ps_path_event(back, number);
}

/* NULL for launches and ends. */
static inline const PsMachineNode *node_of(const PsPathBack *back, const PsPathEvent *event)
{
    const PsNodes *nodes = &back->path->table;
    return event->node < nodes->n_nodes ? &nodes->all[event->node] : NULL;
}

/* TRUE if all records before that one belong to times before this one. */
static inline gboolean is_past(const PsPathBack *back, const PsPathEvent *event, gint64 time)
{
    return event->time + back->path->lag <= time;
}

/* The time at which an instance completes. */
static inline gint64 done_at(const PsPathBack *back, guint32 number, const PsPathEvent *event)
{
    return event->time + node_of(back, event)->completion + ps_path_delay(back, number);
}

static guint warp_of(const PsPathBack *back, guint slot)
{
    return slot % back->path->n_warps;
}

/* ---- program order ------------------------------------------------------------------------- */

/* Number of a warp's barriers before a place. */
static gint64 barriers_before(const PsProgram *program, gint64 position)
{
    gint64 before = 0;
    for (guint n = 0; n < program->n_nodes; n++)
        if (program->nodes[n].barrier)
            before += ps_program_instances_before(&program->nodes[n], position);
    return before;
}

/* The number of instances of the dependence's node that the k-th instance of the waiting node
 * needs. */
static gint64 needed(const PsProgramDep *dep, gint64 k)
{
    return dep->first + dep->per * (k / dep->every);
}

/* ---- counts -------------------------------------------------------------------------------- */

PsPathPoint ps_path_point(const PsPathTape *tape, guint32 number)
{
    guint low = 0, high = tape->skips->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (((const PsPathSkip *)tape->skips->pdata[middle])->end->at.records <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return (PsPathPoint){number, low};
}

guint ps_path_launches_before(const PsPathTape *tape, guint32 records)
{
    const GArray *launches = tape->launches;
    guint low = 0, high = launches->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (g_array_index(launches, PsPathLaunch, middle).record < records)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

guint ps_path_ends_before(const PsPathTape *tape, guint32 records)
{
    guint low = 0, high = tape->ends->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (g_array_index(tape->ends, guint32, middle) < records)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

PsPathLaunch ps_path_launch_of(const PsPathBack *back, guint slot, guint32 records)
{
    const guint first = slot - warp_of(back, slot);
    for (guint i = ps_path_launches_before(back->tape, records); i-- > 0;) {
        const PsPathLaunch launch = g_array_index(back->tape->launches, PsPathLaunch, i);
        if (record_at(back, launch.record).slot == first)
            return launch;
    }
    return (PsPathLaunch){PS_NO_RECORD, -1};
}

guint32 ps_path_nth_last(const PsPathBack *back, guint node, guint slot, guint32 records,
                         gint64 nth)
{
    const guint32 launch = ps_path_launch_of(back, slot, records).record;
    for (guint32 number = records; number-- > launch;) {
        const PsPathEvent record = record_at(back, number);
        if (record.slot == slot && record.node == node && nth-- == 0)
            return number;
    }
    return PS_NO_RECORD;
}

/* TRUE if the record's group was resident throughout the period, so that it advanced by loops
 * alone. */
static gboolean stays(const PsPathBack *back, const PsPathSkip *skip, const PsPathEvent *record,
                      guint32 number)
{
    if (skip->estimated || skip->n_stay == 0)
        return FALSE;
    const guint32 launch = ps_path_launch_of(back, record->slot, number).record;
    return skip->loops ||
           launch <= g_array_index(skip->end->groups, PsPathGroup, skip->n_stay - 1).launch;
}

/* Number of instances of a record's node by its warp up to it, as of that point; skipped ones
 * between the two count. */
static gint64 count_of(const PsPathBack *back, guint32 number, PsPathPoint at)
{
    const PsPathEvent record = record_at(back, number);
    gint64 count = 1 + ps_program_instances_before(node_of(back, &record)->node, record.position);
    for (guint i = at.skips; i-- > 0;) {
        const PsPathSkip *skip = back->tape->skips->pdata[i];
        if (skip->end->at.records <= number)
            break;
        if (stays(back, skip, &record, number))
            count += skip->times * (ps_path_count(back, record.node, record.slot, skip->end->at) -
                                    ps_path_count(back, record.node, record.slot, skip->mark->at));
    }
    return count;
}

gint64 ps_path_count(const PsPathBack *back, guint node, guint slot, PsPathPoint at)
{
    const guint32 last = ps_path_nth_last(back, node, slot, at.records, 0);
    return last != PS_NO_RECORD ? count_of(back, last, at) : 0;
}

PsPathAsk ps_path_ask(const PsPathBack *back, guint32 number)
{
    const PsPathEvent record = record_at(back, number);
    return (PsPathAsk){
        .node = record.node,
        .slot = record.slot,
        .k = ps_program_instances_before(node_of(back, &record)->node, record.position),
        .time = record.time,
        .at = ps_path_point(back->tape, number)};
}

/* ---- results ------------------------------------------------------------------------------- */

/* TRUE if an estimate has advanced loops since that record: then the warp's own progress is not
 * known. */
static gboolean is_before_estimate(const PsPathBack *back, guint32 number, PsPathPoint at)
{
    for (guint i = at.skips; i-- > 0;) {
        const PsPathSkip *skip = back->tape->skips->pdata[i];
        if (skip->end->at.records <= number)
            return FALSE;
        if (skip->loops && skip->estimated)
            return TRUE;
    }
    return FALSE;
}

/* TRUE if the record is the instance that a dependence needed, and completes at the time in
 * question. */
static gboolean gives(const PsPathBack *back, const PsPathAsk *ask, guint32 number)
{
    const PsPathEvent record = record_at(back, number);
    const PsMachineNode *by = node_of(back, &record), *to = &back->path->table.all[ask->node];
    const guint first = back->path->table.first_node[to->program];
    if (!by || by->node->barrier || done_at(back, number, &record) != ask->time)
        return FALSE;
    for (guint d = 0; d < to->node->n_deps; d++)
        if (first + to->node->deps[d].on == record.node &&
            (needed(&to->node->deps[d], ask->k) == count_of(back, number, ask->at) ||
             is_before_estimate(back, number, ask->at)))
            return TRUE;
    return FALSE;
}

/* TRUE if both slots belong to one group's place. */
static gboolean same_group(const PsPathBack *back, guint slot, guint other)
{
    return slot / back->path->n_warps == other / back->path->n_warps;
}

/* The same test for a node's awaits of other warps (R12). */
static gboolean gives_others(const PsPathBack *back, const PsPathAsk *ask, guint32 number)
{
    const PsPathEvent record = record_at(back, number);
    const PsMachineNode *by = node_of(back, &record), *to = &back->path->table.all[ask->node];
    if (!by || by->node->barrier || !by->node->watched ||
        !same_group(back, record.slot, ask->slot) || done_at(back, number, &record) != ask->time)
        return FALSE;
    for (guint i = 0; i < to->node->n_waits; i++) {
        const PsProgramWait *wait = &to->node->waits[i];
        if (back->path->table.first_node[wait->program] + wait->on == record.node &&
            ps_program_wait_needs(wait, ask->k) == count_of(back, number, ask->at))
            return TRUE;
    }
    return FALSE;
}

/* The longest latency of a result that the node waits for, without barriers; 0: there is none. */
static gint64 longest_wait(const PsPathBack *back, guint node)
{
    const PsNodes *nodes = &back->path->table;
    const PsMachineNode *to = &nodes->all[node];
    gint64 longest = 0;
    for (guint d = 0; d < to->node->n_deps; d++) {
        const guint on = nodes->first_node[to->program] + to->node->deps[d].on;
        if (!nodes->all[on].node->barrier)
            longest = MAX(longest, back->path->longest[on]);
    }
    for (guint i = 0; i < to->node->n_waits; i++) {
        const PsProgramWait *wait = &to->node->waits[i];
        longest = MAX(longest, back->path->longest[nodes->first_node[wait->program] + wait->on]);
    }
    return longest;
}

static guint32 find_result(const PsPathBack *back, const PsPathAsk *ask)
{
    const gint64 longest = longest_wait(back, ask->node);
    const gboolean others = back->path->table.all[ask->node].node->n_waits > 0;
    if (longest == 0)
        return PS_NO_RECORD;
    for (guint32 number = ask->at.records; number-- > 0;) {
        const PsPathEvent record = record_at(back, number);
        if ((record.slot == ask->slot && gives(back, ask, number)) ||
            (others && gives_others(back, ask, number)))
            return number;
        if (is_past(back, &record, ask->time - longest))
            break;
    }
    return PS_NO_RECORD;
}

/* The warp's last issue, if the issue (R2) or its hold (R9) kept the warp until the time in
 * question. */
static guint32 find_issue(const PsPathBack *back, const PsPathAsk *ask)
{
    const guint first = ask->slot - warp_of(back, ask->slot);
    for (guint32 number = ask->at.records; number-- > 0;) {
        const PsPathEvent record = record_at(back, number);
        const PsMachineNode *node = node_of(back, &record);
        if (record.time < ask->time - back->path->longest_hold ||
            (record.slot == first && record.node == ps_path_launch(back->path)))
            break;
        if (record.slot == ask->slot && node)
            return record.time + node->hold == ask->time ? number : PS_NO_RECORD;
    }
    return PS_NO_RECORD;
}

/* ---- barriers ------------------------------------------------------------------------------ */

/* A group's place on the CU, for a search from one record up to another. */
typedef struct {
    guint slot; /* slot of its warp 0 */
    gint64 time;
    guint32 from, below;
} Place;

static gboolean is_in(const PsPathBack *back, const Place *place, const PsPathEvent *event)
{
    return event->slot - place->slot < back->path->n_warps;
}

/* T6: of results that come at the same time, the one with the longest Lambda counts. */
static gboolean came_later(const PsPathBack *back, const PsPathEvent *a, const PsPathEvent *b)
{
    const gint64 completion = node_of(back, a)->completion, other = node_of(back, b)->completion;
    if (a->time != b->time)
        return a->time > b->time;
    return completion != other ? completion > other : a->slot < b->slot;
}

/* The last warp to arrive at a barrier that completes at that time. */
static guint32 find_arrival(const PsPathBack *back, const Place *place)
{
    PsPathEvent last = {.time = -1};
    guint32 found = PS_NO_RECORD;
    for (guint32 number = place->below; number-- > place->from;) {
        const PsPathEvent record = record_at(back, number);
        const PsMachineNode *node = node_of(back, &record);
        if (node && node->node->barrier && is_in(back, place, &record) &&
            record.time < place->time &&
            (found == PS_NO_RECORD || came_later(back, &record, &last))) {
            last = record;
            found = number;
        }
        if (is_past(back, &record,
                    found != PS_NO_RECORD ? last.time : place->time - back->path->longest_barrier))
            break;
    }
    if (found != PS_NO_RECORD && last.time + node_of(back, &last)->completion != place->time)
        return PS_NO_RECORD;
    return found;
}

/* The number of an instance among the barriers of its warp, from 0. */
static gint64 nth_barrier(const PsPathBack *back, guint node, gint64 k)
{
    const PsMachineNode *of = &back->path->table.all[node];
    return barriers_before(&back->path->machine->kernel->programs[of->program],
                           ps_program_position_of(of->node, k));
}

/* The last result of a warp that passes fewer barriers, complete at the place's time. */
static guint32 find_gone(const PsPathBack *back, const Place *place, gint64 nth)
{
    const PsKernel *kernel = back->path->machine->kernel;
    for (guint32 number = place->below; number-- > place->from;) {
        const PsPathEvent record = record_at(back, number);
        const PsMachineNode *node = node_of(back, &record);
        if (node && !node->node->barrier && is_in(back, place, &record) &&
            done_at(back, number, &record) == place->time &&
            barriers_before(&kernel->programs[node->program], G_MAXINT64) <= nth)
            return number;
        if (is_past(back, &record, place->time - back->path->longest_completion))
            break;
    }
    return PS_NO_RECORD;
}

/* The cause of the barrier that a dependence needs, if the barrier completes at the time in
 * question, as a record from that one on. */
static PsLink find_barrier(const PsPathBack *back, const PsPathAsk *ask, const PsProgramDep *dep,
                           guint32 from)
{
    const PsNodes *nodes = &back->path->table;
    const guint on = nodes->first_node[nodes->all[ask->node].program] + dep->on;
    const gint64 count = needed(dep, ask->k);
    const Place place = {ask->slot - warp_of(back, ask->slot), ask->time, from, ask->at.records};
    const guint32 arrival = count > 0 ? find_arrival(back, &place) : PS_NO_RECORD;
    if (arrival != PS_NO_RECORD &&
        (is_before_estimate(back, arrival, ask->at) ||
         nth_barrier(back, record_at(back, arrival).node, count_of(back, arrival, ask->at) - 1) ==
             nth_barrier(back, on, count - 1)))
        return (PsLink){arrival, PS_LINK_BARRIER};
    if (count > 0 && back->path->uneven) {
        const guint32 gone = find_gone(back, &place, nth_barrier(back, on, count - 1));
        if (gone != PS_NO_RECORD)
            return (PsLink){gone, PS_LINK_DONE};
    }
    return (PsLink){PS_NO_RECORD, PS_LINK_NONE};
}

/* R12: the cause of a barrier in other warps that the node awaits. */
static PsLink find_barrier_of_others(const PsPathBack *back, const PsPathAsk *ask)
{
    const PsNodes *nodes = &back->path->table;
    const PsProgramNode *node = nodes->all[ask->node].node;
    const Place place = {ask->slot - warp_of(back, ask->slot), ask->time, 0, ask->at.records};
    for (guint i = 0; i < node->n_waits; i++) {
        const PsProgramWait *wait = &node->waits[i];
        if (!nodes->all[nodes->first_node[wait->program] + wait->on].node->barrier)
            continue;
        const guint32 arrival = find_arrival(back, &place);
        return (PsLink){arrival, arrival != PS_NO_RECORD ? PS_LINK_BARRIER : PS_LINK_NONE};
    }
    return (PsLink){PS_NO_RECORD, PS_LINK_NONE};
}

PsLink ps_path_ready(const PsPathBack *back, const PsPathAsk *ask)
{
    const PsMachineNode *to = &back->path->table.all[ask->node];
    const PsPath *path = back->path;
    PsLink link = {find_result(back, ask), PS_LINK_DONE};
    for (guint d = 0; d < to->node->n_deps; d++) {
        const PsProgramDep *dep = &to->node->deps[d];
        if (!path->table.all[path->table.first_node[to->program] + dep->on].node->barrier)
            continue;
        const PsLink other =
            find_barrier(back, ask, dep, link.record != PS_NO_RECORD ? link.record + 1 : 0);
        if (other.how != PS_LINK_NONE)
            link = other;
    }
    if (link.record == PS_NO_RECORD && to->node->n_waits > 0)
        link = find_barrier_of_others(back, ask);
    if (link.record == PS_NO_RECORD && path->machine->refinements.order == PS_ORDER_PROGRAM)
        link = (PsLink){find_issue(back, ask), PS_LINK_ISSUE};
    return link.record != PS_NO_RECORD ? link : (PsLink){PS_NO_RECORD, PS_LINK_NONE};
}

/* ---- pipelines ----------------------------------------------------------------------------- */

static guint scheduler_of(const PsPathBack *back, guint slot)
{
    return slot % back->path->n_schedulers;
}

/* TRUE for two nodes on the same copy of a pipeline. */
static gboolean same_pipeline(const PsPathBack *back, const PsMachineNode *a, guint slot,
                              const PsMachineNode *b, guint other_slot)
{
    return a->pipeline == b->pipeline &&
           (!a->class->per_scheduler || scheduler_of(back, slot) == scheduler_of(back, other_slot));
}

/* TRUE for two records of instances in the same queue (R11). */
static gboolean same_queue(const PsPathBack *back, const PsPathEvent *a, const PsPathEvent *b)
{
    const PsMachineNode *mine = node_of(back, a), *node = node_of(back, b);
    return mine && node && mine->class->queue > 0 && mine->pipeline == node->pipeline &&
           scheduler_of(back, a->slot) == scheduler_of(back, b->slot);
}

guint ps_path_queue_since(const PsPathBack *back, guint32 from, guint32 number)
{
    const PsPathEvent of = record_at(back, number);
    guint n = 0;
    if (!back->path->queues || node_of(back, &of)->class->queue == 0)
        return 0;
    for (; from < number; from++) {
        const PsPathEvent record = record_at(back, from);
        n += same_queue(back, &of, &record) ? 1 : 0;
    }
    return n;
}

/* R11: an instance enters a full queue when the pipeline begins with the instance that is as many
 * before it as the queue has room for. */
static PsLink find_opening(const PsPathBack *back, const PsPathHeld *held)
{
    const PsPathEvent *of = &held->event;
    guint left = node_of(back, of)->class->queue;
    left -= MIN(left, held->later);
    for (guint32 number = held->records; number-- > 0 && left > 0;) {
        const PsPathEvent record = record_at(back, number);
        if (same_queue(back, of, &record) && --left == 0 &&
            record.time + ps_path_queued(back, number) == held->time)
            return (PsLink){number, PS_LINK_PIPELINE};
        if (is_past(back, &record, held->time - back->path->longest_queued))
            break;
    }
    return (PsLink){PS_NO_RECORD, PS_LINK_NONE};
}

PsLink ps_path_begun(const PsPathBack *back, const PsPathHeld *held)
{
    const PsPathEvent *of = &held->event;
    const gint64 longest = back->path->longest_issue + back->path->longest_queued;
    for (guint32 number = held->records; number-- > 0;) {
        const PsPathEvent record = record_at(back, number);
        const PsMachineNode *node = node_of(back, &record);
        if (node && same_pipeline(back, node_of(back, of), of->slot, node, record.slot) &&
            record.time + ps_path_queued(back, number) + node->issue == held->time)
            return (PsLink){number, PS_LINK_PIPELINE};
        if (is_past(back, &record, held->time - longest))
            break;
    }
    return (PsLink){PS_NO_RECORD, PS_LINK_NONE};
}

PsLink ps_path_held(const PsPathBack *back, const PsPathHeld *held)
{
    const PsPath *path = back->path;
    const PsPathEvent *of = &held->event;
    const PsMachineNode *mine = node_of(back, of);
    const gboolean ports = path->machine->port_busy > 0;
    PsLink link = {PS_NO_RECORD, PS_LINK_NONE};
    if (mine->class->queue > 0)
        link = find_opening(back, held);
    for (guint32 number = held->records; number-- > 0 && link.how != PS_LINK_PIPELINE;) {
        const PsPathEvent record = record_at(back, number);
        const PsMachineNode *node = node_of(back, &record);
        if (node && mine->class->queue == 0 && record.time + node->issue == held->time &&
            same_pipeline(back, mine, of->slot, node, record.slot))
            return (PsLink){number, PS_LINK_PIPELINE};
        if (node && ports && link.how == PS_LINK_NONE &&
            scheduler_of(back, record.slot) == scheduler_of(back, of->slot))
            link = (PsLink){number, PS_LINK_PORT};
        if (is_past(back, &record, held->time - path->longest_issue))
            break;
    }
    return link;
}

guint32 ps_path_holder(const PsPathBack *back, guint32 like, PsLinkHow how, guint32 records)
{
    const PsPathEvent of = record_at(back, like);
    for (guint32 number = records; number-- > 0;) {
        const PsPathEvent record = record_at(back, number);
        const PsMachineNode *node = node_of(back, &record);
        if (node && (how == PS_LINK_PORT
                         ? scheduler_of(back, record.slot) == scheduler_of(back, of.slot)
                         : same_pipeline(back, node_of(back, &of), of.slot, node, record.slot)))
            return number;
    }
    return PS_NO_RECORD;
}

/* ---- groups -------------------------------------------------------------------------------- */

PsLink ps_path_ended(const PsPathBack *back, guint32 number)
{
    const PsPathEvent end = record_at(back, number);
    Place place = {end.slot, end.time, 0, number};
    const guint32 arrival = find_arrival(back, &place);
    if (arrival != PS_NO_RECORD)
        place.from = arrival + 1;
    const guint32 result = find_gone(back, &place, G_MAXINT64);
    if (result != PS_NO_RECORD)
        return (PsLink){result, PS_LINK_DONE};
    if (arrival != PS_NO_RECORD)
        return (PsLink){arrival, PS_LINK_BARRIER};
    /* a kind of groups without instructions */
    return (PsLink){ps_path_launch_of(back, end.slot, number).record, PS_LINK_LAUNCH};
}

/* The first end of a group at that time, among so many records. */
static guint32 find_end(const PsPathBack *back, guint32 records, gint64 time)
{
    guint32 found = PS_NO_RECORD;
    for (guint i = ps_path_ends_before(back->tape, records); i-- > 0;) {
        const guint32 number = g_array_index(back->tape->ends, guint32, i);
        const gint64 ended = record_at(back, number).time;
        if (ended < time)
            break;
        if (ended == time)
            found = number;
    }
    return found;
}

PsLink ps_path_launched(const PsPathBack *back, guint32 number)
{
    const gint64 time = record_at(back, number).time;
    const guint before = ps_path_launches_before(back->tape, number);
    if (time == 0 || before == 0)
        return (PsLink){PS_NO_RECORD, PS_LINK_NONE};
    const guint32 end = find_end(back, number, time - back->path->machine->turnaround);
    if (end != PS_NO_RECORD)
        return (PsLink){end, PS_LINK_PLACE};
    return (PsLink){g_array_index(back->tape->launches, PsPathLaunch, before - 1).record,
                    PS_LINK_LAUNCH};
}
