/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Executes step after step of the running path.
 */
#include "ptx/step/lane.h"
#include "ptx/run/watch.h"

/* The predicate's row may have any value for lanes that are elsewhere. */
#define SET_LANES(NAME, FOR)                                                                       \
    __attribute__(FOR) static guint32 NAME(const guint64 predicate[PS_PTX_LANES])                  \
    {                                                                                              \
        guint64 mask = 0;                                                                          \
        PS_PTX_EACH_LANE mask |= (predicate[lane] & 1) << lane;                                    \
        return (guint32)mask;                                                                      \
    }

SET_LANES(set_lanes_plain, ())
SET_LANES(set_lanes_avx2, PS_PTX_FOR_AVX2)

const PsPtxSetLanes ps_ptx_set_lanes[PS_PTX_N_VECTORS] = {set_lanes_plain, set_lanes_avx2};

static inline guint lanes_of(guint32 mask)
{
    return mask == G_MAXUINT32 ? PS_PTX_LANES : (guint)__builtin_popcount(mask);
}

static void tell(PsPtxRunner *runner, guint point, guint32 active, guint32 mask, guint depth)
{
    const PsPtxListener *listener = runner->machine->listener;
    PsPtxEvent event = {.warp = runner->open.number,
                        .point = point,
                        .active = active,
                        .mask = mask,
                        .depth = depth,
                        .memory = runner->touched};
    if (point >= runner->machine->code->n_points)
        return; /* the step behind the last point is no instruction */
    if (runner->touched) {
        event.space = runner->space;
        event.bytes = runner->bytes;
        event.idle = runner->idle;
        event.remote = runner->remote;
        event.address = runner->address;
        event.n_more = runner->n_more;
        event.more = (const guint64(*)[PS_PTX_LANES])runner->more;
        event.pieces = (const PsPtxPiece *)(gpointer)runner->pieces->data;
        event.n_pieces = runner->pieces->len;
    }
    if (runner->wait) {
        event.wait = runner->wait;
        event.enders = (const PsPtxEnder *)(gpointer)runner->enders->data;
        event.n_enders = runner->enders->len;
        event.rank = runner->machine->rank;
    }
    runner->machine->heard += (guint64)runner->touched;
    listener->executed(listener->data, &event);
}

/* The lanes that execute the step. */
static inline guint32 lanes_on(PsPtxRunner *runner, const PsPtxStep *step)
{
    const guint32 active = runner->open.active;
    if (step->guard < 0)
        return active;
    if (G_UNLIKELY(step->watched))
        ps_ptx_watch_guard(runner, step);
    const guint32 set = runner->machine->set_lanes(runner->open.slots[step->guard]);
    return active & (step->guard_negated ? ~set : set);
}

/* Executes one step of the running path. FALSE: a poll had no success, and the step counts as not
 * executed. */
PS_PTX_INLINE gboolean step_on(PsPtxRunner *runner, gboolean listens)
{
    const PsPtxStep *step = &runner->open.steps[runner->pc];
    const guint32 active = runner->open.active;
    const guint depth = runner->depth;
    const guint32 mask = lanes_on(runner, step);
    runner->pc++;
    runner->touched = FALSE;
    runner->wait = NULL;
    runner->remote = 0;
    if (runner->pieces->len)
        g_array_set_size(runner->pieces, 0);
    if (mask != 0 ? step->execute != NULL : step->execute == ps_ptx_enter) {
        step->execute(&runner->open, step, mask);
        if (runner->again) {
            runner->again = FALSE;
            return FALSE;
        }
    }
    if (runner->machine->trouble)
        ps_ptx_settle(runner);
    runner->executed++;
    runner->accesses += (guint64)runner->touched;
    runner->machine->thread_instructions += lanes_of(mask);
    if (listens && !runner->open.error)
        tell(runner, step->point, active, mask, depth);
    return TRUE;
}

static void tell_straight(const PsPtxRunner *runner, guint point, guint n, const guint32 *masks)
{
    const PsPtxListener *listener = runner->machine->listener;
    PsPtxEvent event = {.warp = runner->open.number,
                        .point = point,
                        .active = runner->open.active,
                        .mask = masks ? masks[0] : runner->open.active,
                        .depth = runner->depth};
    if (listener->straight) {
        listener->straight(listener->data, &event, n, masks);
        return;
    }
    for (guint i = 0; i < n; i++, event.point++) {
        event.mask = masks ? masks[i] : event.active;
        listener->executed(listener->data, &event);
    }
}

static void count(PsPtxRunner *runner, guint n, guint64 threads)
{
    runner->pc += n;
    runner->executed += n;
    runner->machine->thread_instructions += threads;
}

/* Executes n steps that only compute, and have no guards. */
static void go_plain(PsPtxRunner *runner, guint n, gboolean listens)
{
    const guint32 active = runner->open.active;
    const guint point = runner->pc;
    const PsPtxStep *const end = &runner->open.steps[point + n];
    for (const PsPtxStep *step = &runner->open.steps[point]; step < end; step++)
        step->execute(&runner->open, step, active);
    count(runner, n, (guint64)n * lanes_of(active));
    if (listens)
        tell_straight(runner, point, n, NULL);
}

/* Executes n steps that only compute, and may have guards. */
static void go_straight(PsPtxRunner *runner, guint n, gboolean listens)
{
    const guint point = runner->pc;
    guint32 masks[PS_PTX_TURN];
    guint64 threads = 0;
    for (guint i = 0; i < n; i++) {
        const PsPtxStep *step = &runner->open.steps[point + i];
        masks[i] = lanes_on(runner, step);
        threads += lanes_of(masks[i]);
        if (masks[i] != 0)
            step->execute(&runner->open, step, masks[i]);
    }
    count(runner, n, threads);
    if (listens)
        tell_straight(runner, point, n, masks);
}

void ps_ptx_one(PsPtxRunner *runner)
{
    step_on(runner, runner->machine->listener && runner->machine->listener->executed);
}

/* TRUE if compiled code begins at the step and has room in the budget. */
static inline gboolean is_compiled(const PsPtxRunner *runner, guint64 left)
{
    const PsPtxMachine *machine = runner->machine;
    const guint plain = runner->open.steps == machine->plain;
    return machine->native[plain].code && !machine->notes &&
           machine->native[plain].segments[runner->pc] - 1U < left;
}

/* A listener that has heard enough of the group leaves it to compiled code. */
static void let_go(PsPtxMachine *machine)
{
    if (machine->enough == 0 || machine->heard < machine->enough)
        return;
    machine->listener = NULL;
    machine->notes &= ~(guint)PS_PTX_NOTED_LISTENER;
}

void ps_ptx_go_on(PsPtxRunner *runner, guint64 budget)
{
    PsPtxMachine *machine = runner->machine;
    let_go(machine);
    const gboolean listens = machine->listener && machine->listener->executed;
    const guint64 before = runner->executed;
    if (machine->launch.compiled && !machine->native[runner->open.steps == machine->plain].code)
        ps_ptx_compiled_look(runner);
    while (runner->executed - before < budget && !runner->open.error && !runner->yield &&
           (runner->runs || ps_ptx_paths_choose(runner))) {
        if (runner->pc == runner->meet) {
            ps_ptx_paths_meet(runner);
            continue;
        }
        const guint64 left = budget - (runner->executed - before);
        if (!listens && is_compiled(runner, left) && ps_ptx_go_compiled(runner, left))
            continue;
        const PsPtxStep *step = &runner->open.steps[runner->pc];
        const guint n = (guint)MIN(step->straight, left);
        if (n == 0)
            step_on(runner, listens);
        else
            (n <= step->plain ? go_plain : go_straight)(runner, n, listens);
    }
}
