/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Issues of the slow simulator: see reference-sim.h. Without schedulers each pipeline chooses for
 * itself among the nodes of its classes; with them each scheduler chooses among the nodes of its
 * warps.
 */
#include "tests/help/reference-sim.h"

#include <string.h>

/* ---- what is ready (T1) -------------------------------------------------------------------- */

gint64 ref_hold(const RefRun *run, const RefInstance *instance)
{
    PsRational cycles = {0, 1};
    GError *error = NULL;
    if (instance->item->hold &&
        !ps_expr_eval(instance->item->hold, run->scope, (PsPlace){"test", 0}, &cycles, &error))
        g_error("%s", error->message);
    return cycles.num * run->cycle / cycles.den;
}

/* R12: when the last of these completed in that warp; UNKNOWN while one has not. */
static gint64 await_time(const Warp *warp, const RefAwait *await)
{
    gint64 left = await->first, time = 0;
    for (guint i = 0; i < warp->n_nodes && left > 0; i++) {
        if (strcmp(warp->nodes[i].instance->item->name, await->on) != 0)
            continue;
        if (!warp->nodes[i].complete)
            return UNKNOWN;
        time = MAX(time, warp->nodes[i].completes);
        left--;
    }
    return left > 0 ? UNKNOWN : time;
}

/* R12: likewise of all that the instance awaits of other warps, or of its own as one of them. */
static gint64 awaits_time(const Sim *sim, const Group *group, const RefInstance *instance)
{
    gint64 time = 0;
    for (guint a = 0; a < instance->awaits->len; a++) {
        const RefAwait *await = &g_array_index(instance->awaits, RefAwait, a);
        for (gint64 w = 0; w < sim->run->warps_per_group; w++) {
            if (group->warps[w].code != await->code || await->first <= 0)
                continue;
            const gint64 its = await_time(&group->warps[w], await);
            if (its == UNKNOWN)
                return UNKNOWN;
            time = MAX(time, its);
        }
    }
    return time;
}

/* The time at which the last of what it needs completed; UNKNOWN while one has not. R2, R9: nor
 * before the node before it has issued, and no longer holds the warp. R5: a group takes
 * group_launch to start, and the first ones wait for the kernel's instructions. */
static gint64 ready_time(const Sim *sim, const Group *group, const Warp *warp, guint position)
{
    const Node *node = &warp->nodes[position];
    gint64 ready = MAX(group->launched + sim->run->group_launch, sim->run->fetch);
    if (sim->in_order && position > 0) {
        if (node[-1].issued == UNKNOWN)
            return UNKNOWN;
        ready = MAX(ready, node[-1].issued + ref_hold(sim->run, node[-1].instance));
    }
    for (guint i = 0; i < node->instance->needs->len; i++) {
        const Node *x = &warp->nodes[g_array_index(node->instance->needs, guint, i)];
        if (!x->complete)
            return UNKNOWN;
        ready = MAX(ready, x->completes);
    }
    const gint64 others = awaits_time(sim, group, node->instance);
    return others == UNKNOWN ? UNKNOWN : MAX(ready, others);
}

static void find_ready(const Sim *sim, const Group *group)
{
    for (gint64 w = 0; w < sim->run->warps_per_group; w++) {
        const Warp *warp = &group->warps[w];
        for (guint i = 0; i < warp->n_nodes; i++)
            if (warp->nodes[i].ready == UNKNOWN)
                warp->nodes[i].ready = ready_time(sim, group, warp, i);
    }
}

/* ---- who could issue now ------------------------------------------------------------------- */

static gint64 scheduler_of(const Sim *sim, const Choice *choice)
{
    return ref_slot(sim->run, choice) % sim->run->schedulers;
}

/* The instance of its pipeline that would serve the node. */
static Server *pipeline_of(const Sim *sim, const Cu *cu, const Choice *choice)
{
    const RefClass *class = ref_node(choice)->class;
    guint copies = (guint)MAX(sim->run->schedulers, 1);
    guint copy = class->per_scheduler ? (guint)scheduler_of(sim, choice) : 0;
    return &g_array_index(cu->pipelines, Server, class->pipeline * copies + copy);
}

/* R11: how many instances may wait in front of the node's pipeline. */
static gint64 room_of(const Sim *sim, const Choice *choice)
{
    const gboolean counts = sim->run->queues && sim->run->schedulers > 0 && sim->in_order;
    return counts ? sim->run->queues[ref_node(choice)->class->pipeline] : 0;
}

/* R11: the instance waits in front of that pipeline, issued by that scheduler. */
static gboolean waits_in(const Sim *sim, const Choice *choice, guint pipeline, gint64 scheduler)
{
    const Node *node = ref_node(choice);
    return node->class->pipeline == pipeline && scheduler_of(sim, choice) == scheduler &&
           node->issued != UNKNOWN && node->begins > sim->now;
}

static gint64 count_waiting(const Sim *sim, const Cu *cu, const Choice *choice)
{
    const guint pipeline = ref_node(choice)->class->pipeline;
    gint64 waiting = 0;
    for (guint g = 0; g < cu->groups->len; g++) {
        const Group *group = cu->groups->pdata[g];
        for (guint w = 0; w < sim->run->warps_per_group; w++)
            for (guint i = 0; i < group->warps[w].n_nodes; i++)
                waiting +=
                    waits_in(sim, &(Choice){group, w, i}, pipeline, scheduler_of(sim, choice));
    }
    return waiting;
}

static gboolean is_ready(const Sim *sim, const Node *node)
{
    return node->issued == UNKNOWN && node->ready != UNKNOWN && node->ready <= sim->now;
}

static gboolean has_room(const Sim *sim, const Cu *cu, const Choice *choice)
{
    const gint64 room = room_of(sim, choice);
    return room > 0 ? count_waiting(sim, cu, choice) < room
                    : pipeline_of(sim, cu, choice)->busy_until <= sim->now;
}

/* R11: the queue in front of the node's pipeline, of the warp's scheduler, whose places warps get
 * by turns; NULL: they do not. */
static Server *turns_of(const Sim *sim, const Cu *cu, const Choice *choice)
{
    const guint pipeline = ref_node(choice)->class->pipeline;
    if (room_of(sim, choice) == 0)
        return NULL;
    for (guint c = 0; c < sim->run->n_classes; c++)
        if (sim->run->classes[c].pipeline == pipeline &&
            g_str_has_prefix(sim->run->classes[c].asked, "tensor.wgmma"))
            return &g_array_index(cu->turns, Server,
                                  pipeline * (guint)sim->run->schedulers +
                                      (guint)scheduler_of(sim, choice));
    return NULL;
}

/* R11: an instance of another warp could get the place, and it is that warp's turn. */
static gboolean awaits_turn(const Sim *sim, const Cu *cu, const Choice *choice)
{
    const Server *turns = turns_of(sim, cu, choice);
    if (!turns)
        return FALSE;
    for (guint g = 0; g < cu->groups->len; g++) {
        const Group *group = cu->groups->pdata[g];
        for (guint w = 0; w < sim->run->warps_per_group; w++)
            for (guint i = 0; i < group->warps[w].n_nodes; i++) {
                const Choice other = {group, w, i};
                if (is_ready(sim, &group->warps[w].nodes[i]) &&
                    turns_of(sim, cu, &other) == turns &&
                    ref_sooner_in_turn(sim->run, &other, choice, turns->last_slot))
                    return TRUE;
            }
    }
    return FALSE;
}

/* What a search is restricted to: nodes of one pipeline or of one scheduler; UNKNOWN: of any. */
typedef struct {
    gint64 pipeline;
    gint64 scheduler;
    const Server *server; /* which searches */
} Search;

static gboolean concerns(const Sim *sim, const Search *search, const Choice *choice)
{
    return (search->pipeline == UNKNOWN || ref_node(choice)->class->pipeline == search->pipeline) &&
           (search->scheduler == UNKNOWN || scheduler_of(sim, choice) == search->scheduler);
}

static gboolean choose(const Sim *sim, const Cu *cu, const Search *search, Choice *best)
{
    gboolean found = FALSE;
    for (guint g = 0; g < cu->groups->len; g++) {
        const Group *group = cu->groups->pdata[g];
        for (guint w = 0; w < sim->run->warps_per_group; w++)
            for (guint i = 0; i < group->warps[w].n_nodes; i++) {
                const Choice choice = {group, w, i};
                if (!is_ready(sim, &group->warps[w].nodes[i]) || !concerns(sim, search, &choice) ||
                    !has_room(sim, cu, &choice) || awaits_turn(sim, cu, &choice) ||
                    (found && !ref_before(sim->run, &choice, best, search->server)))
                    continue;
                *best = choice;
                found = TRUE;
            }
    }
    return found;
}

/* ---- issuing (T2) -------------------------------------------------------------------------- */

static void issue(Sim *sim, Cu *cu, const Choice *choice)
{
    Node *node = ref_node(choice);
    const RefClass *class = node->class;
    Server *pipeline = pipeline_of(sim, cu, choice);
    Server *turns = turns_of(sim, cu, choice);
    if (turns)
        turns->last_slot = ref_slot(sim->run, choice);
    node->issued = sim->now;
    node->begins = MAX(sim->now, pipeline->busy_until);
    pipeline->busy_until = node->begins + class->issue;
    pipeline->last_slot = ref_slot(sim->run, choice);
    pipeline->last_group = choice->group->number;
    sim->result->instructions++;
    ref_log_node(sim, REF_ISSUE, choice);
    if (node->instance->barrier)
        ref_settle_barriers(sim, choice->group);
    else if (node->traffic)
        node->completes = ref_visit_levels(sim, cu, node);
    else if (node->instance->store && node->instance->unneeded)
        node->completes = node->begins + class->issue; /* T5 */
    else
        node->completes = node->begins + class->completion; /* T4 */
    find_ready(sim, choice->group);
}

static gboolean pipeline_issues(Sim *sim, Cu *cu, guint p)
{
    const Server *pipeline = &g_array_index(cu->pipelines, Server, p);
    Choice choice;
    if (!choose(sim, cu, &(Search){p, UNKNOWN, pipeline}, &choice))
        return FALSE;
    issue(sim, cu, &choice);
    return TRUE;
}

/* R10: the node, which issues now, begins to read as soon as each bank would be done with it within
 * the window. For how long that keeps it. */
static gint64 wait_for_banks(const Sim *sim, Server *scheduler, const Choice *choice)
{
    const PsIdgItem *item = ref_node(choice)->instance->item;
    const gint64 slot = ref_slot(sim->run, choice), group = choice->group->number;
    const gboolean again = scheduler->reader_slot == slot && scheduler->reader_group == group;
    gint64 begin = sim->now;
    if (sim->run->read_window == 0 || (item->banks[0] == 0 && item->banks[1] == 0))
        return 0;
    for (guint b = 0; b < PS_IDG_BANKS; b++) {
        const gint64 reads = item->banks[b] - (again ? item->kept[b] : 0);
        while (reads > 0 && scheduler->bank_busy_until[b] + reads * sim->run->cycle >
                                begin + sim->run->read_window)
            begin++;
    }
    for (guint b = 0; b < PS_IDG_BANKS; b++) {
        const gint64 reads = item->banks[b] - (again ? item->kept[b] : 0);
        if (reads > 0)
            scheduler->bank_busy_until[b] =
                MAX(scheduler->bank_busy_until[b], begin) + reads * sim->run->cycle;
    }
    scheduler->reader_slot = slot;
    scheduler->reader_group = group;
    return begin - sim->now;
}

static gboolean scheduler_issues(Sim *sim, Cu *cu, gint64 s)
{
    Server *scheduler = &g_array_index(cu->schedulers, Server, s);
    Choice choice;
    if (scheduler->busy_until > sim->now ||
        !choose(sim, cu, &(Search){UNKNOWN, s, scheduler}, &choice))
        return FALSE;
    issue(sim, cu, &choice);
    scheduler->busy_until =
        sim->now + sim->run->port_busy + wait_for_banks(sim, scheduler, &choice);
    scheduler->last_slot = ref_slot(sim->run, &choice);
    scheduler->last_group = choice.group->number;
    if (!ref_node(&choice)->class->per_scheduler)
        cu->last_scheduler = s;
    return TRUE;
}

/* In the order of their numbers, and again, until none can issue. */
static void issue_by_pipelines(Sim *sim, Cu *cu)
{
    gboolean again = TRUE;
    while (again) {
        again = FALSE;
        for (guint p = 0; p < cu->pipelines->len; p++)
            again = pipeline_issues(sim, cu, p) || again;
    }
}

/* R1: in cyclic order from the one after that which last got a pipeline of the whole CU before this
 * instant, until none can issue. */
static void issue_by_schedulers(Sim *sim, Cu *cu)
{
    gint64 schedulers = sim->run->schedulers;
    gint64 first = cu->last_scheduler == UNKNOWN ? 0 : cu->last_scheduler + 1;
    gboolean again = TRUE;
    while (again) {
        again = FALSE;
        for (gint64 i = 0; i < schedulers; i++)
            again = scheduler_issues(sim, cu, (first + i) % schedulers) || again;
    }
}

void ref_issue(Sim *sim)
{
    for (guint c = 0; c < sim->cus->len; c++) {
        Cu *cu = sim->cus->pdata[c];
        for (guint g = 0; g < cu->groups->len; g++)
            find_ready(sim, cu->groups->pdata[g]);
        if (sim->run->schedulers > 0)
            issue_by_schedulers(sim, cu);
        else
            issue_by_pipelines(sim, cu);
    }
}
