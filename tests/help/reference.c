/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slow simulator: see reference.h. Nothing is kept that could be looked up again, except the
 * times that the rules speak of.
 */
#include "tests/help/reference.h"
#include "tests/help/reference-expand.h"

#include <string.h>

#define UNKNOWN (-1)

/* An instance in a warp that runs: times are UNKNOWN until they are settled. */
typedef struct {
    const RefInstance *instance;
    const RefClass *klass;
    gint64 ready;
    gint64 issued;
    gint64 completes; /* when it will be, or was, complete */
    gboolean complete;
} Node;

typedef struct {
    guint n_nodes;
    Node *nodes; /* in program order */
    gboolean done;
} Warp;

typedef struct {
    gint64 number;
    gint64 launched;
    Warp *warps;
} Group;

typedef struct {
    const RefRun *run;
    GPtrArray *codes;  /* per code of the graph: GPtrArray of RefInstance */
    GPtrArray *groups; /* Group on the compute unit, in order of launch */
    gint64 next_group;
    gint64 now;
    GArray *busy_until; /* gint64 per pipeline */
    RefResult *result;
} Sim;

static void log_group(Sim *sim, RefEventKind kind, const Group *group)
{
    RefEvent event = {sim->now, kind, group->number, 0, 0, 0};
    g_array_append_val(sim->result->events, event);
}

static void log_node(Sim *sim, RefEventKind kind, const Group *group, guint w, guint position)
{
    gint64 ready = kind == REF_ISSUE ? group->warps[w].nodes[position].ready : 0;
    RefEvent event = {sim->now, kind, group->number, w, position, ready};
    g_array_append_val(sim->result->events, event);
}

/* ---- launching ----------------------------------------------------------------------------- */

static gint64 value_of(const Sim *sim, const PsExpr *expr)
{
    GError *error = NULL;
    gint64 value = 0;
    if (!ps_expr_eval_int(expr, sim->run->scope, (PsPlace){"test", 0},
                          &(PsIntRange){"warp", 0, G_MAXINT32}, &value, &error))
        g_error("%s", error->message);
    return value;
}

static gboolean claims(const Sim *sim, const PsIdgCode *code, gint64 warp)
{
    for (guint i = 0; code->warps && i < code->warps->len; i++) {
        const PsIdgWarps *range = code->warps->pdata[i];
        gint64 first = value_of(sim, range->first);
        gint64 last = range->last ? value_of(sim, range->last) : first;
        if (first <= warp && warp <= last)
            return TRUE;
    }
    return FALSE;
}

/* The code that a warp of each group runs: the one that claims it, else the one for the rest. */
static GPtrArray *code_of(const Sim *sim, gint64 warp)
{
    const GPtrArray *codes = sim->run->idg->codes;
    for (guint c = 0; c < codes->len; c++)
        if (claims(sim, codes->pdata[c], warp))
            return sim->codes->pdata[c];
    for (guint c = 0; c < codes->len; c++)
        if (!((const PsIdgCode *)codes->pdata[c])->warps)
            return sim->codes->pdata[c];
    g_error("no code for warp %" G_GINT64_FORMAT, warp);
}

static const RefClass *class_of(const Sim *sim, const char *asked)
{
    for (guint i = 0; i < sim->run->n_classes; i++)
        if (strcmp(sim->run->classes[i].asked, asked) == 0)
            return &sim->run->classes[i];
    g_error("no class %s", asked);
}

static void start_warp(const Sim *sim, Warp *warp, const GPtrArray *code)
{
    warp->n_nodes = code->len;
    warp->nodes = g_new0(Node, code->len);
    for (guint i = 0; i < code->len; i++) {
        const RefInstance *instance = code->pdata[i];
        warp->nodes[i] = (Node){
            instance, class_of(sim, instance->item->klass), UNKNOWN, UNKNOWN, UNKNOWN, FALSE};
    }
}

static void launch(Sim *sim)
{
    Group *group = g_new0(Group, 1);
    group->number = sim->next_group++;
    group->launched = sim->now;
    group->warps = g_new0(Warp, sim->run->warps_per_group);
    for (gint64 w = 0; w < sim->run->warps_per_group; w++)
        start_warp(sim, &group->warps[w], code_of(sim, w));
    g_ptr_array_add(sim->groups, group);
    log_group(sim, REF_LAUNCH, group);
}

/* T7 */
static void launch_all(Sim *sim)
{
    while ((gint64)sim->groups->len < sim->run->active_groups && sim->next_group < sim->run->groups)
        launch(sim);
}

/* ---- barriers (T6) ------------------------------------------------------------------------- */

static Node *find_barrier(const Warp *warp, guint number)
{
    for (guint i = 0; i < warp->n_nodes; i++) {
        const RefInstance *instance = warp->nodes[i].instance;
        if (instance->barrier && instance->barrier_number == number)
            return &warp->nodes[i];
    }
    return NULL;
}

/* The barrier of that number among those that have arrived at it, latest last; NULL if a warp that
 * counts has not. */
static const Node *last_arrival(const Sim *sim, const Group *group, guint number)
{
    const Node *last = NULL;
    for (gint64 w = 0; w < sim->run->warps_per_group; w++) {
        const Node *node = find_barrier(&group->warps[w], number);
        gboolean arrived = node && node->issued != UNKNOWN;
        if (!arrived && !group->warps[w].done)
            return NULL;
        if (arrived && (!last || node->issued > last->issued))
            last = node;
    }
    return last;
}

/* Settles when that barrier completes, if that can be known now. */
static void settle_barrier(const Sim *sim, const Group *group, guint number)
{
    const Node *last = last_arrival(sim, group, number);
    if (!last)
        return;
    gint64 completes = MAX(sim->now, last->issued + last->klass->completion);
    for (gint64 w = 0; w < sim->run->warps_per_group; w++) {
        Node *node = find_barrier(&group->warps[w], number);
        if (node && node->issued != UNKNOWN)
            node->completes = completes;
    }
}

static void settle_barriers(const Sim *sim, const Group *group)
{
    for (gint64 w = 0; w < sim->run->warps_per_group; w++) {
        const Warp *warp = &group->warps[w];
        for (guint i = 0; i < warp->n_nodes; i++) {
            const Node *node = &warp->nodes[i];
            if (node->instance->barrier && node->issued != UNKNOWN && node->completes == UNKNOWN)
                settle_barrier(sim, group, node->instance->barrier_number);
        }
    }
}

/* ---- completions (T4, T5, T7) -------------------------------------------------------------- */

static gboolean complete_nodes(Sim *sim, const Group *group, guint w)
{
    Warp *warp = &group->warps[w];
    gboolean changed = FALSE;
    for (guint i = 0; i < warp->n_nodes; i++) {
        if (warp->nodes[i].complete || warp->nodes[i].completes != sim->now)
            continue;
        warp->nodes[i].complete = TRUE;
        log_node(sim, REF_COMPLETE, group, w, i);
        changed = TRUE;
    }
    return changed;
}

static gboolean finish_warp(Warp *warp)
{
    if (warp->done)
        return FALSE;
    warp->done = TRUE;
    for (guint i = 0; i < warp->n_nodes; i++)
        warp->done = warp->done && warp->nodes[i].complete;
    return warp->done;
}

/* A warp that is done may complete a barrier at this very instant, so again until nothing moves. */
static void complete_group(Sim *sim, const Group *group)
{
    gboolean changed = TRUE;
    while (changed) {
        changed = FALSE;
        for (gint64 w = 0; w < sim->run->warps_per_group; w++) {
            changed = complete_nodes(sim, group, (guint)w) || changed;
            changed = finish_warp(&group->warps[w]) || changed;
        }
        settle_barriers(sim, group);
    }
}

static gboolean group_done(const Sim *sim, const Group *group)
{
    for (gint64 w = 0; w < sim->run->warps_per_group; w++)
        if (!group->warps[w].done)
            return FALSE;
    return TRUE;
}

static void group_free(const Sim *sim, Group *group)
{
    for (gint64 w = 0; w < sim->run->warps_per_group; w++)
        g_free(group->warps[w].nodes);
    g_free(group->warps);
    g_free(group);
}

static gboolean finish_groups(Sim *sim)
{
    guint before = sim->groups->len;
    for (guint g = 0; g < sim->groups->len;) {
        Group *group = sim->groups->pdata[g];
        if (!group_done(sim, group)) {
            g++;
            continue;
        }
        log_group(sim, REF_DONE, group);
        sim->result->ticks = sim->now;
        g_ptr_array_remove_index(sim->groups, g);
        group_free(sim, group);
    }
    return sim->groups->len < before;
}

/* A group without an instance is done when launched, and so makes room at once. */
static void complete_and_launch(Sim *sim)
{
    do {
        launch_all(sim);
        for (guint g = 0; g < sim->groups->len; g++)
            complete_group(sim, sim->groups->pdata[g]);
    } while (finish_groups(sim));
}

/* ---- issues (T1, T2, T3) ------------------------------------------------------------------- */

/* T1: the time at which the last of what it needs completed; UNKNOWN while one has not. */
static gint64 ready_time(const Group *group, const Warp *warp, const Node *node)
{
    gint64 ready = group->launched;
    for (guint i = 0; i < node->instance->needs->len; i++) {
        const Node *x = &warp->nodes[g_array_index(node->instance->needs, guint, i)];
        if (!x->complete)
            return UNKNOWN;
        ready = MAX(ready, x->completes);
    }
    return ready;
}

static void find_ready(const Sim *sim, const Group *group)
{
    for (gint64 w = 0; w < sim->run->warps_per_group; w++) {
        const Warp *warp = &group->warps[w];
        for (guint i = 0; i < warp->n_nodes; i++)
            if (warp->nodes[i].ready == UNKNOWN)
                warp->nodes[i].ready = ready_time(group, warp, &warp->nodes[i]);
    }
}

typedef struct {
    const Group *group;
    guint warp;
    guint position;
} Choice;

static Node *chosen(const Choice *choice)
{
    return &choice->group->warps[choice->warp].nodes[choice->position];
}

/* T3. The search goes in order of group, warp and program, so a tie keeps what was found first. */
static gboolean choose(const Sim *sim, guint pipeline, Choice *best)
{
    gboolean found = FALSE;
    for (guint g = 0; g < sim->groups->len; g++) {
        const Group *group = sim->groups->pdata[g];
        for (guint w = 0; w < sim->run->warps_per_group; w++)
            for (guint i = 0; i < group->warps[w].n_nodes; i++) {
                const Node *node = &group->warps[w].nodes[i];
                if (node->klass->pipeline != pipeline || node->ready == UNKNOWN ||
                    node->issued != UNKNOWN || (found && node->ready >= chosen(best)->ready))
                    continue;
                *best = (Choice){group, w, i};
                found = TRUE;
            }
    }
    return found;
}

static void issue(Sim *sim, const Choice *choice)
{
    Node *node = chosen(choice);
    const RefClass *klass = node->klass;
    node->issued = sim->now;
    g_array_index(sim->busy_until, gint64, klass->pipeline) = sim->now + klass->issue;
    sim->result->instructions++;
    log_node(sim, REF_ISSUE, choice->group, choice->warp, choice->position);
    if (node->instance->barrier)
        settle_barriers(sim, choice->group);
    else
        node->completes =
            sim->now + (node->instance->free_store ? klass->issue : klass->completion);
}

static void issue_all(Sim *sim)
{
    for (guint g = 0; g < sim->groups->len; g++)
        find_ready(sim, sim->groups->pdata[g]);
    for (guint p = 0; p < sim->busy_until->len; p++) {
        Choice choice;
        if (g_array_index(sim->busy_until, gint64, p) <= sim->now && choose(sim, p, &choice))
            issue(sim, &choice);
    }
}

/* ---- time ---------------------------------------------------------------------------------- */

static void sooner(const Sim *sim, gint64 time, gint64 *next)
{
    if (time > sim->now && (*next == UNKNOWN || time < *next))
        *next = time;
}

/* The next instant at which something completes or a pipeline is free again; UNKNOWN: none. */
static gint64 next_instant(const Sim *sim)
{
    gint64 next = UNKNOWN;
    for (guint p = 0; p < sim->busy_until->len; p++)
        sooner(sim, g_array_index(sim->busy_until, gint64, p), &next);
    for (guint g = 0; g < sim->groups->len; g++) {
        const Group *group = sim->groups->pdata[g];
        for (gint64 w = 0; w < sim->run->warps_per_group; w++)
            for (guint i = 0; i < group->warps[w].n_nodes; i++)
                sooner(sim, group->warps[w].nodes[i].completes, &next);
    }
    return next;
}

static void sim_start(Sim *sim, const RefRun *run)
{
    *sim = (Sim){.run = run, .groups = g_ptr_array_new()};
    sim->codes = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    for (guint c = 0; c < run->idg->codes->len; c++) {
        const PsIdgCode *code = run->idg->codes->pdata[c];
        g_ptr_array_add(sim->codes, ref_expand(code->body, run->scope));
    }
    sim->busy_until = g_array_new(FALSE, TRUE, sizeof(gint64));
    for (guint i = 0; i < run->n_classes; i++)
        if (run->classes[i].pipeline >= sim->busy_until->len)
            g_array_set_size(sim->busy_until, run->classes[i].pipeline + 1);
    sim->result = g_new0(RefResult, 1);
    sim->result->events = g_array_new(FALSE, FALSE, sizeof(RefEvent));
}

RefResult *ref_simulate(const RefRun *run)
{
    Sim sim;
    sim_start(&sim, run);
    for (; sim.now != UNKNOWN; sim.now = next_instant(&sim)) {
        complete_and_launch(&sim);
        issue_all(&sim);
    }
    if (sim.groups->len > 0 || sim.next_group < run->groups)
        g_error("the reference came to a halt before all groups were done");
    g_ptr_array_unref(sim.groups);
    g_ptr_array_unref(sim.codes);
    g_array_unref(sim.busy_until);
    return sim.result;
}
