/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clusters. Groups are executed one by one. Each knows its place in its cluster, but has nothing of
 * the memory of the others, and cannot wait for them; what needs them is an error.
 */
#include "ptx/run/warp.h"

/* Machine code has the rank of a group above so many bits of an address in its shared memory. */
#define RANK_AT 24

static guint size_in(const PsPtxMachine *machine, guint direction)
{
    return MAX(machine->launch.kernel->cluster[direction], 1);
}

static guint rank_of(const PsPtxMachine *machine)
{
    guint rank = 0;
    for (guint i = 3; i-- > 0;)
        rank = rank * size_in(machine, i) + machine->group[i] % size_in(machine, i);
    return rank;
}

guint64 ps_ptx_cluster_special(const PsPtxMachine *machine, PsPtxSpecial special)
{
    const guint direction = ((guint)special - PS_PTX_CLUSTERID_X) % 3;
    switch (special) {
    case PS_PTX_CLUSTERID_X:
    case PS_PTX_CLUSTERID_Y:
    case PS_PTX_CLUSTERID_Z:
        return machine->group[direction] / size_in(machine, direction);
    case PS_PTX_NCLUSTERID_X:
    case PS_PTX_NCLUSTERID_Y:
    case PS_PTX_NCLUSTERID_Z:
        return machine->launch.grid[direction] / size_in(machine, direction);
    case PS_PTX_CLUSTER_CTAID_X:
    case PS_PTX_CLUSTER_CTAID_Y:
    case PS_PTX_CLUSTER_CTAID_Z:
        return machine->group[direction] % size_in(machine, direction);
    case PS_PTX_CLUSTER_NCTAID_X:
    case PS_PTX_CLUSTER_NCTAID_Y:
    case PS_PTX_CLUSTER_NCTAID_Z:
        return size_in(machine, direction);
    case PS_PTX_CLUSTER_CTARANK:
        return rank_of(machine);
    case PS_PTX_CLUSTER_NCTARANK:
        return ps_ptx_cluster_size(machine);
    case PS_PTX_IS_EXPLICIT_CLUSTER:
        return machine->launch.kernel->cluster[0] > 0;
    default:
        return 0;
    }
}

guint64 ps_ptx_cluster_own(const PsPtxMachine *machine, guint64 address)
{
    const gboolean own = machine->module->machine && ps_ptx_cluster_size(machine) > 1 &&
                         address >> RANK_AT == rank_of(machine);
    return own ? address & (((guint64)1 << RANK_AT) - 1) : address;
}

gboolean ps_ptx_cluster_alone(PsPtxWarp *warp, const PsPtxStep *step, guint lane, guint64 ranks)
{
    const PsPtxMachine *machine = ps_ptx_runner(warp)->machine;
    const PsPtxMnemonic *mnemonic = machine->code->points[step->point].instruction->mnemonic;
    const guint size = ps_ptx_cluster_size(machine);
    g_autoptr(GString) list = g_string_new(NULL);
    if (ranks == (guint64)1 << rank_of(machine))
        return TRUE;
    for (guint i = 0; i < 64; i++)
        if ((ranks >> i & 1) != 0)
            g_string_append_printf(list, "%s%u", list->len > 0 ? ", " : "", i);
    if (ranks == 0 || ranks >> size != 0)
        ps_ptx_fail(warp, step, lane, "names rank %s to %s, but its cluster has %u group%s",
                    ranks ? list->str : "none", mnemonic->text, size, size > 1 ? "s" : "");
    else
        ps_ptx_fail(warp, step, lane,
                    "needs what groups of rank %s in its cluster of %u do (%s), but groups are "
                    "executed one by one",
                    list->str, size, mnemonic->text);
    return FALSE;
}

/* ---- mapa ----------------------------------------------------------------------------------- */

static void map(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        const guint64 rank = warp->slots[step->from[1]][lane] & G_MAXUINT32;
        if (!ps_ptx_cluster_alone(warp, step, lane, (guint64)1 << MIN(rank, 63)))
            return;
        warp->slots[step->to[0]][lane] = warp->slots[step->from[0]][lane];
    }
}

gboolean ps_ptx_mapa(PsPtxDecode *decode, PsPtxStep *step)
{
    step->execute = map;
    return ps_ptx_decode_usual(decode, step, step->type) && step->n_to == 1 && step->n_from == 2;
}
