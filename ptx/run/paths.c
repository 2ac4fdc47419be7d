/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The paths of a warp's lanes (see warp.h).
 *
 * When a path parts, the part whose code comes first in the text runs first. A path that waits for
 * threads of its own warp lets the others run. After a while a path that may be spinning, because
 * it keeps reading what other threads write, lets them run, too; lanes that wait to meet it then go
 * on without it. So the program goes on where one lane has a lock and the others of its warp try to
 * get it.
 */
#include "ptx/run/warp.h"

static guint at_work(const PsPtxRunner *runner)
{
    return runner->order[runner->n_order - 1];
}

static guint new_path(PsPtxRunner *runner)
{
    guint i = 0;
    while (runner->paths[i].used)
        i++;
    g_assert(i < PS_PTX_MAX_PATHS);
    runner->most_paths = MAX(runner->most_paths, i + 1);
    runner->paths[i] = (PsPtxPath){.used = TRUE, .meet = PS_PTX_NOWHERE, .above = -1};
    return i;
}

static void push(PsPtxRunner *runner, guint path)
{
    g_assert(runner->n_order < PS_PTX_LANES);
    runner->order[runner->n_order++] = path;
}

void ps_ptx_paths_begin(PsPtxRunner *runner)
{
    for (guint i = 0; i < runner->most_paths; i++)
        runner->paths[i].used = FALSE;
    runner->most_paths = runner->n_order = 0;
    runner->runs = FALSE;
    runner->live = runner->open.threads;
    guint path = new_path(runner);
    runner->paths[path].lanes = runner->live;
    push(runner, path);
}

/* ---- meeting -------------------------------------------------------------------------------- */

/* Removes a fork that has no parts left. If lanes have arrived at it, it becomes a path again. */
static void finish(PsPtxRunner *runner, gint fork)
{
    while (fork >= 0 && runner->paths[fork].parts == 0) {
        PsPtxPath *path = &runner->paths[fork];
        if (path->lanes != 0) {
            path->fork = FALSE;
            path->state = PS_PTX_RUNS;
            push(runner, (guint)fork);
            return;
        }
        path->used = FALSE;
        fork = path->above;
        if (fork >= 0)
            runner->paths[fork].parts--;
    }
    if (fork < 0 || runner->paths[fork].parts != 1 || runner->paths[fork].lanes != 0)
        return;
    /* The other parts have ended. The last part has no other part to meet, and takes the fork's
     * place. */
    for (guint i = 0; i < PS_PTX_MAX_PATHS; i++) {
        PsPtxPath *path = &runner->paths[i];
        if (path->used && path->above == fork) {
            path->above = runner->paths[fork].above;
            path->meet = runner->paths[fork].meet;
            runner->paths[fork].used = FALSE;
            return;
        }
    }
}

/* Removes the running path, whose lanes have arrived at the fork or ended. */
static void drop(PsPtxRunner *runner)
{
    guint path = at_work(runner);
    gint fork = runner->paths[path].above;
    runner->paths[path].used = FALSE;
    runner->n_order--;
    runner->runs = FALSE;
    if (fork >= 0)
        runner->paths[fork].parts--;
    finish(runner, fork);
}

void ps_ptx_paths_meet(PsPtxRunner *runner)
{
    PsPtxPath *path = &runner->paths[at_work(runner)];
    runner->paths[path->above].lanes |= runner->open.active;
    drop(runner);
}

void ps_ptx_paths_end(PsPtxRunner *runner, guint32 lanes)
{
    runner->live &= ~lanes;
    runner->open.active &= ~lanes;
    if (runner->open.active == 0)
        drop(runner);
}

/* ---- parting -------------------------------------------------------------------------------- */

/* Joins parts that go to the same point, and drops empty ones. Parts are in the order of the text,
 * the last first. */
static guint tidy(const PsPtxPart *parts, guint n, PsPtxPart *tidied)
{
    guint n_tidied = 0;
    for (guint i = 0; i < n; i++) {
        guint k = 0;
        if (parts[i].lanes == 0)
            continue;
        while (k < n_tidied && tidied[k].pc > parts[i].pc)
            k++;
        if (k < n_tidied && tidied[k].pc == parts[i].pc) {
            tidied[k].lanes |= parts[i].lanes;
            continue;
        }
        for (guint j = n_tidied++; j > k; j--)
            tidied[j] = tidied[j - 1];
        tidied[k] = parts[i];
    }
    return n_tidied;
}

void ps_ptx_paths_part(PsPtxRunner *runner, const PsPtxPart *parts, guint n, guint meet)
{
    PsPtxPart tidied[PS_PTX_LANES];
    guint n_tidied = tidy(parts, n, tidied);
    if (n_tidied <= 1) {
        if (n_tidied == 1)
            runner->pc = tidied[0].pc;
        return;
    }
    guint path = at_work(runner);
    gint fork = runner->paths[path].above;
    runner->n_order--;
    runner->runs = FALSE;
    if (fork >= 0 && runner->paths[path].meet == meet) {
        runner->paths[path].used = FALSE;
        runner->paths[fork].parts--;
    } else {
        fork = (gint)path;
        runner->paths[path].fork = TRUE;
        runner->paths[path].pc = meet;
        runner->paths[path].lanes = 0;
        runner->paths[path].parts = 0;
    }
    for (guint i = 0; i < n_tidied; i++) {
        if (tidied[i].pc == meet) {
            runner->paths[fork].lanes |= tidied[i].lanes;
            continue;
        }
        guint part = new_path(runner);
        runner->paths[part].lanes = tidied[i].lanes;
        runner->paths[part].pc = tidied[i].pc;
        runner->paths[part].meet = meet;
        runner->paths[part].above = fork;
        runner->paths[fork].parts++;
        push(runner, part);
    }
}

/* ---- turns ---------------------------------------------------------------------------------- */

/* Writes the state of the running path back to its fields. */
static void save(PsPtxRunner *runner)
{
    PsPtxPath *path = &runner->paths[at_work(runner)];
    path->pc = runner->pc;
    path->lanes = runner->open.active;
}

void ps_ptx_paths_wait(PsPtxRunner *runner, PsPtxState state, const PsPtxStep *step, guint32 mask)
{
    PsPtxPath *path = &runner->paths[at_work(runner)];
    path->state = (guint8)state;
    path->step = step;
    path->waiting = mask;
    if (state == PS_PTX_POLLS) {
        runner->again = TRUE;
        runner->pc = step->point;
    }
    save(runner);
    runner->runs = FALSE;
}

/* Lets lanes that wait to meet those of a spinning path go on without them. */
static void let_go_of(PsPtxRunner *runner, guint spinning)
{
    gint fork = runner->paths[spinning].above;
    while (fork >= 0) {
        PsPtxPath *waiting = &runner->paths[fork];
        const gint above = waiting->above;
        if (waiting->lanes != 0) {
            guint path = new_path(runner);
            runner->paths[path].lanes = waiting->lanes;
            runner->paths[path].pc = waiting->pc;
            runner->paths[path].meet = waiting->meet;
            runner->paths[path].above = above;
            waiting->lanes = 0;
            if (above >= 0)
                runner->paths[above].parts++;
            push(runner, path);
            finish(runner, fork);
        }
        fork = above;
    }
}

static void queue_last(PsPtxRunner *runner)
{
    guint path = at_work(runner);
    for (guint i = runner->n_order - 1; i > 0; i--)
        runner->order[i] = runner->order[i - 1];
    runner->order[0] = path;
}

void ps_ptx_paths_stop(PsPtxRunner *runner, gboolean spins)
{
    if (runner->runs) {
        save(runner);
        runner->paths[at_work(runner)].spins = spins;
    }
    if (spins || runner->spins >= PS_PTX_PATIENCE) {
        if (spins || (runner->runs && runner->may_spin)) {
            queue_last(runner);
            let_go_of(runner, runner->order[0]);
        }
        runner->spins = 0;
        runner->may_spin = FALSE;
    } else if (runner->runs && runner->yield) {
        queue_last(runner);
    }
    runner->runs = FALSE;
}

/* Lets lanes that wait at bar.warp.sync go on if all lanes that they wait for have come. */
static void converge(PsPtxRunner *runner)
{
    guint32 came = 0;
    for (guint i = 0; i < runner->n_order; i++) {
        const PsPtxPath *path = &runner->paths[runner->order[i]];
        if (path->state == PS_PTX_CONVERGE)
            came |= path->waiting;
    }
    for (guint i = 0; came != 0 && i < runner->n_order; i++) {
        PsPtxPath *path = &runner->paths[runner->order[i]];
        if (path->state == PS_PTX_CONVERGE && (path->others & runner->live & ~came) == 0)
            path->state = PS_PTX_RUNS;
    }
}

/* Joins other paths with the chosen one, the last in order, if they stand at its point and meet the
 * same lanes. They are parts that a spin kept apart and a barrier has brought together again. */
static void join(PsPtxRunner *runner)
{
    PsPtxPath *chosen = &runner->paths[at_work(runner)];
    guint kept = 0;
    for (guint i = 0; i < runner->n_order; i++) {
        PsPtxPath *path = &runner->paths[runner->order[i]];
        if (path == chosen || path->state != PS_PTX_RUNS || path->pc != chosen->pc ||
            path->meet != chosen->meet || path->above != chosen->above) {
            runner->order[kept++] = runner->order[i];
            continue;
        }
        chosen->lanes |= path->lanes;
        path->used = FALSE;
        if (path->above >= 0)
            runner->paths[path->above].parts--;
    }
    runner->n_order = kept;
}

gboolean ps_ptx_paths_choose(PsPtxRunner *runner)
{
    guint i = runner->n_order;
    if (runner->runs)
        return TRUE;
    converge(runner);
    while (i > 0 && runner->paths[runner->order[i - 1]].state != PS_PTX_RUNS)
        i--;
    if (i == 0)
        return FALSE;
    guint chosen = runner->order[i - 1];
    for (; i < runner->n_order; i++)
        runner->order[i - 1] = runner->order[i];
    runner->order[runner->n_order - 1] = chosen;
    join(runner);
    const PsPtxPath *path = &runner->paths[chosen];
    runner->pc = path->pc;
    runner->meet = path->meet;
    runner->open.active = path->lanes;
    runner->depth = 0;
    for (gint fork = path->above; fork >= 0; fork = runner->paths[fork].above)
        runner->depth++;
    runner->runs = TRUE;
    return TRUE;
}
