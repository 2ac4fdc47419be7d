/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers of a group. Threads come to them one by one, as on devices since sm_70; threads that
 * have ended are not waited for. Where a barrier counts threads, a warp that has come as a whole
 * counts as 32, even if it has fewer threads.
 */
#include "ptx/run/mbarrier.h"
#include "ptx/run/phase.h"
#include "ptx/run/warp.h"

#include <string.h>

static guint count_lanes(guint32 lanes)
{
    return (guint)__builtin_popcount(lanes);
}

static gboolean complete(const PsPtxMachine *machine, const PsPtxBarrierState *barrier)
{
    if (!barrier->open)
        return FALSE;
    if (barrier->count != 0)
        return barrier->arrived >= barrier->count;
    for (guint w = 0; w < machine->n_warps; w++)
        if ((machine->warps[w].live & ~barrier->came[w]) != 0)
            return FALSE;
    return TRUE;
}

/* Warns where threads had ended before they came to a barrier without a count: that is legal, but
 * seldom intended. */
static void warn_of_ended(PsPtxMachine *machine, const PsPtxBarrierState *barrier)
{
    guint came = 0, all = 0;
    g_autofree char *first = NULL;
    if (barrier->count != 0)
        return;
    for (guint w = 0; w < machine->n_warps; w++) {
        const PsPtxRunner *runner = &machine->warps[w];
        const guint32 ended = runner->open.threads & ~barrier->came[w];
        came += count_lanes(barrier->came[w]);
        all += count_lanes(runner->open.threads);
        if (ended != 0 && !first)
            first = ps_ptx_thread_text(runner, (guint)__builtin_ctz(ended));
    }
    if (came == all || !g_hash_table_add(machine->warned_points, GUINT_TO_POINTER(barrier->point)))
        return;
    g_autofree char *location = ps_ptx_code_where(machine->code, barrier->point);
    ps_ptx_machine_warn(machine, PS_PTX_WARNS(PS_PTX_WARNS_ENDED, barrier->point),
                        g_strdup_printf("%s: %u of a group's %u threads came to this barrier; %s%s "
                                        "had ended, and %s not waited for",
                                        location, came, all, first,
                                        all - came > 1 ? " and others" : "",
                                        all - came > 1 ? "were" : "was"));
}

static gboolean waits_at(const PsPtxPath *path, guint number)
{
    return path->state == PS_PTX_BARRIER && path->barrier == number;
}

/* Point where threads of the warp wait that do not wait where its first ones do; PS_PTX_NOWHERE:
 * there is none. */
static guint other_place(const PsPtxRunner *runner, guint number, guint *first)
{
    *first = PS_PTX_NOWHERE;
    for (guint i = 0; i < runner->n_order; i++) {
        const PsPtxPath *path = &runner->paths[runner->order[i]];
        if (!waits_at(path, number))
            continue;
        if (*first != PS_PTX_NOWHERE && *first != path->step->point)
            return path->step->point;
        *first = path->step->point;
    }
    return PS_PTX_NOWHERE;
}

/* Warns where the threads of a warp come to a barrier at several places of PTX although it is one
 * for whole warps (bar, or with .aligned). Machine code does not say which of the two it was. */
static void warn_of_places(PsPtxMachine *machine, guint number)
{
    const PsPtxCode *code = machine->code;
    guint first, other = PS_PTX_NOWHERE;
    for (guint w = 0; w < machine->n_warps && other == PS_PTX_NOWHERE; w++)
        other = other_place(&machine->warps[w], number, &first);
    if (other == PS_PTX_NOWHERE || code->module->machine)
        return;
    const PsPtxMnemonic *mnemonic = code->points[other].instruction->mnemonic;
    if ((strcmp(mnemonic->opcode, "bar") != 0 && !ps_ptx_has(mnemonic, "aligned")) ||
        !g_hash_table_add(machine->warned_points, GUINT_TO_POINTER(code->n_points + other)))
        return;
    g_autofree char *one = ps_ptx_code_where(code, first), *two = ps_ptx_code_where(code, other);
    ps_ptx_machine_warn(machine, PS_PTX_WARNS(PS_PTX_WARNS_PLACES, other),
                        g_strdup_printf("%s: threads come to this barrier, others of their warp to "
                                        "that at %s, which has no defined result",
                                        two, one));
}

/* Writes a reduction's result to the lanes that waited at the step. */
static void give(PsPtxRunner *runner, const PsPtxStep *step, guint32 lanes,
                 const PsPtxBarrierState *state)
{
    if (step->n_to == 0)
        return;
    const guint64 value = (step->kind & PS_PTX_BARRIER_POPC) != 0  ? state->yes
                          : (step->kind & PS_PTX_BARRIER_AND) != 0 ? (guint64)!state->no
                                                                   : (guint64)(state->yes > 0);
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        if ((lanes >> lane & 1) != 0)
            runner->open.slots[step->to[0]][lane] = value;
}

/* Tells the listener that the path's wait is over, and which warps came. */
static void tell_met(const PsPtxRunner *runner, const PsPtxPath *path, const GArray *came)
{
    const PsPtxMachine *machine = runner->machine;
    const PsPtxListener *listener = machine->listener;
    const PsPtxEvent event = {.warp = runner->open.number,
                              .point = path->step->point,
                              .active = path->waiting,
                              .mask = path->waiting,
                              .enders = (const PsPtxEnder *)(gpointer)came->data,
                              .n_enders = came->len,
                              .rank = machine->rank};
    if (listener && listener->met)
        listener->met(listener->data, &event);
}

static void release(PsPtxMachine *machine, guint number)
{
    PsPtxBarrierState *barrier = &machine->barriers[number];
    PsPtxBarrierState done = *barrier;
    GArray *came = ps_ptx_phase_came(machine, number);
    warn_of_ended(machine, barrier);
    warn_of_places(machine, number);
    *barrier = (PsPtxBarrierState){.open = FALSE};
    machine->open_barriers--;
    for (guint w = 0; w < machine->n_warps; w++) {
        PsPtxRunner *runner = &machine->warps[w];
        for (guint i = 0; i < runner->n_order; i++) {
            PsPtxPath *path = &runner->paths[runner->order[i]];
            if (!waits_at(path, number))
                continue;
            path->state = PS_PTX_RUNS;
            give(runner, path->step, path->waiting, &done);
            if (done.parted)
                tell_met(runner, path, came);
        }
    }
    g_array_set_size(came, 0);
}

void ps_ptx_barriers_check(PsPtxMachine *machine)
{
    for (guint i = 0; machine->open_barriers > 0 && i < PS_PTX_BARRIERS; i++)
        if (machine->barriers[i].open && complete(machine, &machine->barriers[i]))
            release(machine, i);
}

static gboolean agrees(PsPtxRunner *runner, const PsPtxStep *step, guint lane,
                       const PsPtxArrival *arrival)
{
    const PsPtxBarrierState *barrier = &runner->machine->barriers[arrival->barrier];
    if (arrival->count % PS_PTX_LANES != 0 || arrival->count > PS_PTX_MAX_WARPS * PS_PTX_LANES) {
        ps_ptx_fail(&runner->open, step, lane,
                    "comes to barrier %u with a count of %u threads, which is no multiple of %d "
                    "from %d to %d",
                    arrival->barrier, arrival->count, PS_PTX_LANES, PS_PTX_LANES,
                    PS_PTX_MAX_WARPS * PS_PTX_LANES);
        return FALSE;
    }
    if (barrier->open && barrier->count != arrival->count) {
        g_autofree char *location = ps_ptx_code_where(runner->machine->code, barrier->point);
        ps_ptx_fail(&runner->open, step, lane,
                    "comes to barrier %u with a count of %u threads, but those that came before "
                    "(%s) with one of %u (0: all of the group)",
                    arrival->barrier, arrival->count, location, barrier->count);
        return FALSE;
    }
    return TRUE;
}

void ps_ptx_barrier_come(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask,
                         const PsPtxArrival *arrival)
{
    PsPtxMachine *machine = runner->machine;
    PsPtxBarrierState *barrier = &machine->barriers[arrival->barrier];
    guint32 *came = &barrier->came[runner->open.number];
    const guint lane = (guint)__builtin_ctz(mask);
    if (!agrees(runner, step, lane, arrival))
        return;
    runner->accesses++;
    if (!barrier->open) {
        barrier->open = TRUE;
        machine->open_barriers++;
        barrier->count = arrival->count;
        barrier->point = step->point;
    }
    guint32 before = (*came & mask) != 0 ? 0 : *came; /* a lane that comes again begins a new
                                                         round */
    *came |= mask;
    if (((before | mask) & runner->live) == runner->live)
        barrier->arrived += PS_PTX_LANES - count_lanes(before);
    else
        barrier->arrived += count_lanes(mask);
    if (arrival->count != 0)
        ps_ptx_phase_comes(runner, step->point, arrival->barrier);
    barrier->parted = barrier->parted || !arrival->wait ||
                      (arrival->count != 0 && arrival->count < machine->n_warps * PS_PTX_LANES);
    barrier->yes += count_lanes(arrival->yes & mask);
    barrier->no |= (mask & ~arrival->yes) != 0;
    if (arrival->wait) {
        runner->paths[runner->order[runner->n_order - 1]].barrier = arrival->barrier;
        ps_ptx_paths_wait(runner, PS_PTX_BARRIER, step, mask);
    }
    if (complete(machine, barrier))
        release(machine, arrival->barrier);
}

/* ---- deadlock ------------------------------------------------------------------------------- */

/* The mbarrier that the path's first waiting lane asks for. */
static void describe_mbarrier(const PsPtxRunner *runner, const PsPtxPath *path,
                              const char *location, GString *text)
{
    const guint lane = (guint)__builtin_ctz(path->waiting ? path->waiting : path->lanes);
    const PsPtxCode *code = runner->machine->code;
    const char *opcode = code->points[path->step->point].instruction->mnemonic->opcode;
    g_autofree char *pending = strcmp(opcode, "mbarrier") == 0
                                   ? ps_ptx_mbarrier_pending(runner, path->step, lane)
                                   : g_strdup("another thread");
    g_string_append_printf(text, "for %s (%s)", pending, location);
}

static void describe_path(const PsPtxRunner *runner, const PsPtxPath *path, GString *text)
{
    const PsPtxCode *code = runner->machine->code;
    const PsPtxBarrierState *barrier = &runner->machine->barriers[path->barrier];
    guint point = path->fork ? path->pc : path->step->point;
    g_autofree char *location = ps_ptx_code_where(code, point);
    if (text->len > 0)
        g_string_append(text, ", ");
    g_autofree char *missing = path->fork ? NULL : ps_ptx_warpgroup_missing(runner, path->step);
    if (!path->fork && !missing)
        missing = ps_ptx_registers_missing(runner, path->step);
    const guint32 waiting =
        !path->fork && path->state == PS_PTX_BARRIER ? path->waiting : path->lanes;
    g_string_append_printf(text, "%u of %u threads wait ", count_lanes(waiting),
                           count_lanes(runner->open.threads));
    if (path->fork)
        g_string_append_printf(text, "for these (%s)", location);
    else if (path->state == PS_PTX_BARRIER && barrier->count > 0)
        g_string_append_printf(text, "at barrier %u for %u threads, of which %u have come (%s)",
                               path->barrier, barrier->count, barrier->arrived, location);
    else if (path->state == PS_PTX_BARRIER)
        g_string_append_printf(text, "at barrier %u (%s)", path->barrier, location);
    else if (path->state == PS_PTX_CONVERGE)
        g_string_append_printf(text, "at bar.warp.sync (%s)", location);
    else if (missing)
        g_string_append_printf(text, "%s (%s)", missing, location);
    else if (ps_ptx_tensor_waits(path->step))
        g_string_append_printf(text, "for columns of tensor memory that others free (%s)",
                               location);
    else if (ps_ptx_cluster_waits(path->step))
        g_string_append_printf(text, "at the barrier of the cluster (%s)", location);
    else
        describe_mbarrier(runner, path, location, text);
    if (waiting != path->lanes)
        g_string_append_printf(text, " and %u for these", count_lanes(path->lanes & ~waiting));
}

static char *describe_warp(const PsPtxRunner *runner)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < runner->n_order; i++)
        describe_path(runner, &runner->paths[runner->order[i]], text);
    for (guint i = 0; i < PS_PTX_MAX_PATHS; i++)
        if (runner->paths[i].used && runner->paths[i].fork && runner->paths[i].lanes != 0)
            describe_path(runner, &runner->paths[i], text);
    if (text->len == 0)
        g_string_append(text, "has ended");
    return g_string_free(text, FALSE);
}

static void describe_group(const PsPtxMachine *machine, GString *text)
{
    guint w = 0;
    while (w < machine->n_warps) {
        g_autofree char *here = describe_warp(&machine->warps[w]);
        guint first = w++;
        while (w < machine->n_warps) {
            g_autofree char *next = describe_warp(&machine->warps[w]);
            if (g_strcmp0(here, next) != 0)
                break;
            w++;
        }
        if (w - first > 1)
            g_string_append_printf(text, "; warps %u to %u: %s", first, w - 1, here);
        else
            g_string_append_printf(text, "; warp %u: %s", first, here);
    }
}

char *ps_ptx_deadlock(const PsPtxMachine *machine)
{
    const PsPtxCluster *cluster = machine->cluster;
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "kernel \"%s\", %s (%u,%u,%u): its threads wait for each other",
                           machine->code->kernel->name,
                           cluster->n > 1 ? "the cluster of group" : "group", machine->group[0],
                           machine->group[1], machine->group[2]);
    for (guint r = 0; r < cluster->n; r++) {
        if (cluster->n > 1)
            g_string_append_printf(text, "; rank %u", r);
        describe_group(cluster->groups[r], text);
    }
    return g_string_free(text, FALSE);
}
