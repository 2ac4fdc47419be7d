/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers and fences; mbarriers are in mbarrier.c.
 */
#include "ptx/run/mbarrier.h"
#include "ptx/run/warp.h"

/* ---- barriers ------------------------------------------------------------------------------- */

#define REDUCES (PS_PTX_BARRIER_POPC | PS_PTX_BARRIER_AND | PS_PTX_BARRIER_OR)
#define COUNTED 1U /* step->flags: the count is a source */

/* TRUE, and *value, if the source has the same value in all lanes of mask; else FALSE with an
 * error. */
static gboolean uniform(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask, guint source,
                        const char *what, guint32 *value)
{
    const guint64 *from = warp->slots[step->from[source]];
    const guint first = (guint)__builtin_ctz(mask);
    *value = (guint32)from[first];
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctz(rest);
        if ((guint32)from[lane] != *value) {
            ps_ptx_fail(warp, step, lane,
                        "comes to a barrier with %s %u, another thread of its warp with %u", what,
                        (guint32)from[lane], *value);
            return FALSE;
        }
    }
    return TRUE;
}

static void barrier(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxArrival arrival = {.wait = (step->kind & PS_PTX_BARRIER_ARRIVE) == 0,
                            .reduce = (step->kind & REDUCES) != 0};
    guint32 number, count = 0;
    if (!uniform(warp, step, mask, 0, "number", &number))
        return;
    if ((step->flags & COUNTED) != 0 && !uniform(warp, step, mask, 1, "count", &count))
        return;
    if (number >= PS_PTX_BARRIERS) {
        ps_ptx_fail(warp, step, (guint)__builtin_ctz(mask),
                    "comes to barrier %u; there are those from 0 to %d", number,
                    PS_PTX_BARRIERS - 1);
        return;
    }
    if ((step->flags & COUNTED) != 0 && count == 0) {
        ps_ptx_fail(warp, step, (guint)__builtin_ctz(mask),
                    "comes to barrier %u with a count of 0 threads", number);
        return;
    }
    arrival.barrier = number;
    arrival.count = count;
    if (arrival.reduce)
        arrival.yes =
            ps_ptx_runner(warp)->machine->set_lanes(warp->slots[step->from[step->n_from - 1]]);
    ps_ptx_barrier_come(ps_ptx_runner(warp), step, mask, &arrival);
}

static void barrier_of_warp(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    guint32 members = 0;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctz(rest);
        guint32 named = (guint32)warp->slots[step->from[0]][lane];
        if ((named >> lane & 1) == 0) {
            ps_ptx_fail(warp, step, lane, "comes to bar.warp.sync, but is not in its mask 0x%08x",
                        named);
            return;
        }
        members |= named;
    }
    if ((members & runner->live & ~mask) == 0)
        return;
    runner->paths[runner->order[runner->n_order - 1]].others = members;
    ps_ptx_paths_wait(runner, PS_PTX_CONVERGE, step, mask);
}

static gboolean decode_reduction(PsPtxDecode *decode, PsPtxStep *step)
{
    const guint n = decode->instruction->n_operands;
    step->kind = ps_ptx_has(decode->mnemonic, "popc")  ? PS_PTX_BARRIER_SYNC | PS_PTX_BARRIER_POPC
                 : ps_ptx_has(decode->mnemonic, "and") ? PS_PTX_BARRIER_SYNC | PS_PTX_BARRIER_AND
                                                       : PS_PTX_BARRIER_SYNC | PS_PTX_BARRIER_OR;
    step->flags = n == 4 ? COUNTED : 0;
    if (n < 3 || n > 4 || !ps_ptx_decode_to(decode, step, 0) || step->n_to != 1)
        return FALSE;
    for (guint i = 1; i < n; i++)
        if (!ps_ptx_decode_from(decode, step, i, i + 1 < n ? PS_PTX_U32 : PS_PTX_PRED))
            return FALSE;
    return step->n_from == n - 1;
}

static gboolean decode_barrier(PsPtxDecode *decode, PsPtxStep *step)
{
    const guint n = decode->instruction->n_operands;
    if (ps_ptx_has(decode->mnemonic, "cluster"))
        return ps_ptx_cluster_barrier(decode, step);
    step->execute = barrier;
    if (ps_ptx_has(decode->mnemonic, "warp")) {
        step->execute = barrier_of_warp;
        return n == 1 && ps_ptx_decode_from(decode, step, 0, PS_PTX_U32);
    }
    if (ps_ptx_has(decode->mnemonic, "red"))
        return decode_reduction(decode, step);
    step->kind =
        ps_ptx_has(decode->mnemonic, "arrive") ? PS_PTX_BARRIER_ARRIVE : PS_PTX_BARRIER_SYNC;
    step->flags = n == 2 ? COUNTED : 0;
    if (n < 1 || n > 2 || (step->kind == PS_PTX_BARRIER_ARRIVE && n != 2))
        return FALSE;
    return ps_ptx_decode_rest(decode, step, 0, PS_PTX_U32) && step->n_from == n;
}

/* Fences do nothing: every step is visible to all threads at once. */
static const PsPtxOpcode table[] = {{"bar", decode_barrier},
                                    {"barrier", decode_barrier},
                                    {"membar", ps_ptx_decode_nothing},
                                    {"fence", ps_ptx_decode_nothing},
                                    {"mbarrier", ps_ptx_mbarrier},
                                    {"griddepcontrol", ps_ptx_decode_nothing},
                                    {"mapa", ps_ptx_mapa}};

gboolean ps_ptx_sync(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    return ps_ptx_decode_by(decode, step, table, G_N_ELEMENTS(table), unsupported);
}
