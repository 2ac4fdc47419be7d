/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a group: its warps take turns until all have ended.
 */
#include "ptx/code/expand.h"
#include "ptx/run/pending.h"
#include "ptx/run/mbarrier.h"
#include "ptx/run/phase.h"
#include "ptx/run/watch.h"
#include <string.h>

/* ---- errors --------------------------------------------------------------------------------- */

static void fail_limit(PsPtxMachine *machine, const PsPtxRunner *runner, GError **error)
{
    const PsPtxCode *code = machine->code;
    const PsPtxPath *path =
        runner->n_order > 0 ? &runner->paths[runner->order[runner->n_order - 1]] : NULL;
    const guint point = path ? path->pc : PS_PTX_NOWHERE;
    const guint32 lanes = path && path->lanes != 0 ? path->lanes : runner->live;
    g_autofree char *thread = ps_ptx_thread_text(runner, (guint)__builtin_ctz(lanes));
    const guint loop = point < code->n_points ? code->points[point].loop : PS_PTX_NOWHERE;
    g_autofree char *location =
        ps_ptx_code_where(code, loop == PS_PTX_NOWHERE ? point : code->loops[loop].header);
    guint outer = loop;
    while (outer != PS_PTX_NOWHERE && code->loops[outer].parent != PS_PTX_NOWHERE)
        outer = code->loops[outer].parent;
    g_autofree char *around =
        outer == loop ? NULL : ps_ptx_code_where(code, code->loops[outer].header);
    machine->fault = PS_PTX_FAULT_ENDLESS;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "kernel \"%s\": %s is not done after %" G_GUINT64_FORMAT
                " warp instructions of the group; it is %s %s%s%s%s; a higher %s lets it run on",
                code->kernel->name, thread, machine->limit,
                loop == PS_PTX_NOWHERE ? "at" : "in the loop at", location,
                around ? " (inside the loop at " : "", around ? around : "", around ? ")" : "",
                machine->launch.most_name ? machine->launch.most_name : "limit");
}

/* ---- groups --------------------------------------------------------------------------------- */

/* Begins a group of the cluster. */
static void begin(PsPtxMachine *machine)
{
    memset(machine->shared, 0, machine->shared_bytes);
    if (machine->open_barriers > 0) /* the group before failed, or ended there */
        memset(machine->barriers, 0, sizeof machine->barriers);
    machine->open_barriers = 0;
    memset(machine->warpgroups, 0, sizeof machine->warpgroups);
    const gsize own = (gsize)machine->n_warps * machine->code->thread_bytes * PS_PTX_LANES;
    memset(machine->local, 0, own);
    memset(machine->stored, 0, own);
    ps_ptx_tensor_begin(machine);
    machine->fault = PS_PTX_FAULT_OTHER;
    machine->notes = 0;
    machine->heard = 0;
    machine->left = machine->limit = ps_ptx_first(machine)->limit;
    for (guint w = 0; w < machine->n_warps; w++) {
        PsPtxRunner *runner = &machine->warps[w];
        runner->executed = 0;
        runner->accesses = 0;
        runner->spins = runner->waits = 0;
        runner->may_spin = runner->spun = runner->again = runner->yield = FALSE;
        runner->gave_way = FALSE;
        runner->came = runner->passed = 0;
        runner->arrived = 0;
        runner->registers = 0;
        runner->open.carry = 0;
        ps_ptx_pending_end(runner);
        g_clear_error(&runner->open.error);
        ps_ptx_paths_begin(runner);
        ps_ptx_rows_begin(runner);
    }
    ps_ptx_watch_begin(machine);
}

/* TRUE if no warp can go on, but some could if a test of an mbarrier failed. */
static gboolean may_test(const PsPtxMachine *machine)
{
    for (guint w = 0; w < machine->n_warps; w++) {
        const PsPtxRunner *runner = &machine->warps[w];
        for (guint i = 0; i < runner->n_order; i++) {
            const PsPtxPath *path = &runner->paths[runner->order[i]];
            if (path->state == PS_PTX_POLLS && ps_ptx_mbarrier_tests(path->step))
                return TRUE;
        }
    }
    return FALSE;
}

static gboolean any_may_test(const PsPtxCluster *cluster)
{
    gboolean any = FALSE;
    for (guint r = 0; !cluster->impatient && r < cluster->n; r++)
        any |= may_test(cluster->groups[r]);
    return any;
}

/* TRUE if a path that spun before still does, which is all that its turn looks at. */
static gboolean spins_on(PsPtxRunner *runner)
{
    return ps_ptx_paths_choose(runner) && runner->paths[runner->order[runner->n_order - 1]].spins &&
           ps_ptx_spins(runner, MIN(PS_PTX_TURN, runner->machine->left));
}

/* A warp's turn: TRUE if it executed something, or an error is set. */
static gboolean take_turn(PsPtxRunner *runner)
{
    PsPtxMachine *machine = runner->machine;
    const guint64 before = runner->began = runner->executed;
    runner->yield = FALSE;
    for (guint i = 0; i < runner->n_order; i++)
        if (runner->paths[runner->order[i]].state == PS_PTX_POLLS)
            runner->paths[runner->order[i]].state = PS_PTX_RUNS;
    const gboolean could = runner->may_spin;
    runner->may_spin = FALSE;
    runner->spun = spins_on(runner);
    if (!runner->spun)
        ps_ptx_go_on(runner, MIN(PS_PTX_TURN, machine->left) - (runner->executed - before));
    if (!runner->spun && ps_ptx_spin_is_due(runner, before))
        runner->spun =
            ps_ptx_spins(runner, MIN(PS_PTX_TURN, machine->left - (runner->executed - before)));
    runner->may_spin |= could;
    const guint64 done = runner->executed - before;
    runner->spins += done;
    ps_ptx_paths_stop(runner, runner->spun);
    if (runner->spun)
        ps_ptx_spin_note(runner);
    machine->left -= done;
    machine->warp_instructions += done;
    return done > 0 || runner->open.error;
}

/* The outcome of a round of turns. */
typedef struct {
    gboolean progress, moved, ended;
} Round;

/* Gives each warp of a group its turn. FALSE and *error: one failed. */
static gboolean turns_of(PsPtxMachine *machine, Round *round, GError **error)
{
    for (guint w = 0; w < machine->n_warps; w++) {
        PsPtxRunner *runner = &machine->warps[w];
        if (runner->live == 0)
            continue;
        if (ps_ptx_first(machine)->stopped) {
            g_set_error_literal(error, PS_ERROR, PS_ERROR_CANCELLED, "the kernel was stopped");
            return FALSE;
        }
        if (machine->left == 0) {
            fail_limit(machine, runner, error);
            return FALSE;
        }
        const gboolean did = take_turn(runner);
        round->progress |= did;
        round->moved |= did && !runner->spun;
        if (runner->open.error) {
            g_propagate_error(error, g_steal_pointer(&runner->open.error));
            return FALSE;
        }
        round->ended &= runner->live == 0;
        if (!round->ended && machine->left == 0) {
            fail_limit(machine, runner, error);
            return FALSE;
        }
    }
    return TRUE;
}

/* Gives each warp of the cluster its turn. FALSE and *error: one failed, or no warp could do
 * anything. *still: the number of rounds up to now in which warps at most spun. */
static gboolean round_of_turns(PsPtxMachine *first, gboolean *ended, guint *still, GError **error)
{
    PsPtxCluster *cluster = first->cluster;
    Round round = {.ended = TRUE};
    for (guint r = 0; r < cluster->n; r++)
        if (!turns_of(cluster->groups[r], &round, error)) {
            first->fault = cluster->groups[r]->fault;
            return FALSE;
        }
    *ended = round.ended;
    *still = round.moved || !round.progress ? 0 : *still + 1;
    if (*still > PS_PTX_LANES && ps_ptx_spin_bring(first))
        *still = 0;
    if (*still > PS_PTX_LANES) { /* each path has had its turn */
        first->fault = PS_PTX_FAULT_ENDLESS;
        ps_ptx_spin_fail(first, error);
        return FALSE;
    }
    if (round.progress || *ended || any_may_test(cluster)) {
        cluster->impatient = !round.progress && !*ended;
        return TRUE;
    }
    first->fault = PS_PTX_FAULT_ENDLESS;
    g_autofree char *text = ps_ptx_deadlock(first);
    g_set_error_literal(error, PS_ERROR, PS_ERROR_VALUE, text);
    return FALSE;
}

/* Places the groups of the cluster that has this group, and begins them. Returns the group's
 * machine. */
static PsPtxMachine *begin_all(PsPtxMachine *first, const guint group[3])
{
    PsPtxMachine *asked = ps_ptx_cluster_place(first, group);
    PsPtxCluster *cluster = first->cluster;
    cluster->impatient = cluster->came = FALSE;
    for (guint r = 0; r < cluster->n; r++)
        begin(cluster->groups[r]);
    ps_ptx_phases_group_begins(first->phases);
    return asked;
}

/* Adds the instructions of all groups to the first machine's counts. */
static void count_all(PsPtxMachine *first)
{
    const PsPtxCluster *cluster = first->cluster;
    for (guint r = 1; r < cluster->n; r++) {
        first->warp_instructions += cluster->groups[r]->warp_instructions;
        first->thread_instructions += cluster->groups[r]->thread_instructions;
        cluster->groups[r]->warp_instructions = cluster->groups[r]->thread_instructions = 0;
    }
}

gboolean ps_ptx_run_group(PsPtxMachine *machine, const guint group[3],
                          const PsPtxListener *listener, GError **error)
{
    const guint *grid = machine->launch.grid;
    gboolean ended = FALSE, good = TRUE;
    guint still = 0;
    if (group[0] >= grid[0] || group[1] >= grid[1] || group[2] >= grid[2]) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "there is no group (%u,%u,%u) in a grid of %ux%ux%u groups", group[0], group[1],
                    group[2], grid[0], grid[1], grid[2]);
        return FALSE;
    }
    PsPtxMachine *asked = begin_all(machine, group);
    asked->listener = listener;
    if (listener && listener->executed)
        asked->notes |= PS_PTX_NOTED_LISTENER;
    if (listener && listener->group_begins)
        listener->group_begins(listener->data, group);
    while (good && !ended)
        good = round_of_turns(machine, &ended, &still, error);
    for (guint r = 0; good && r < machine->cluster->n; r++)
        good = ps_ptx_tensor_check(machine->cluster->groups[r], error);
    count_all(machine);
    if (good)
        ps_ptx_phases_group_ends(machine->phases);
    if (good && listener && listener->group_ends)
        listener->group_ends(listener->data);
    asked->listener = NULL;
    return good;
}
