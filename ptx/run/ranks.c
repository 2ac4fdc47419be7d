/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ranks of a cluster's groups, and their shared memory. An address in shared memory has the
 * rank of its group above the place there. So an access to memory of another group finds that
 * memory by its address (touch.c), and no other code needs to know of clusters.
 */
#include "ptx/code/expand.h"
#include "ptx/run/warp.h"
#include <string.h>

static guint size_in(const PsPtxMachine *machine, guint direction)
{
    return machine->launch.workspace ? 1 : MAX(machine->launch.cluster[direction], 1);
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
        return machine->launch.workspace ? 0 : machine->rank;
    case PS_PTX_CLUSTER_NCTARANK:
        return machine->launch.workspace ? 1 : ps_ptx_cluster_size(machine);
    case PS_PTX_IS_EXPLICIT_CLUSTER:
        return !machine->launch.workspace && machine->launch.cluster[0] > 0;
    default:
        return 0;
    }
}

guint ps_ptx_machine_rank(const PsPtxMachine *machine, const guint group[3])
{
    guint rank = 0;
    for (guint i = 3; i-- > 0;)
        rank = rank * size_in(machine, i) + group[i] % size_in(machine, i);
    return rank;
}

static gboolean is_alive(const PsPtxMachine *machine)
{
    for (guint w = 0; w < machine->n_warps; w++)
        if (machine->warps[w].live != 0)
            return TRUE;
    return FALSE;
}

/* Warns where a group may not have begun on a device. Groups whose machine code communicates by the
 * system's memory have both begun: the assembler inserts that code where a pair allocates tensor
 * memory. */
static void warn_of_begin(const PsPtxRunner *runner, const PsPtxStep *step, guint64 address)
{
    PsPtxMachine *machine = ps_ptx_first(runner->machine);
    if ((address & machine->place[PS_PTX_SHARED]) < machine->module->system)
        machine->cluster->met = TRUE;
    if (machine->cluster->met ||
        !g_hash_table_add(machine->warned_points, GUINT_TO_POINTER(step->point)))
        return;
    g_autofree char *where = ps_ptx_code_where(machine->code, step->point);
    ps_ptx_machine_warn(machine, PS_PTX_WARNS(PS_PTX_WARNS_REMOTE, step->point),
                        g_strdup_printf("%s: threads access shared memory of another group of "
                                        "their cluster before any barrier of the cluster; on a "
                                        "GPU that group may not have begun",
                                        where));
}

/* TRUE if the instruction names the cluster's memory, or a generic address. */
static gboolean may_leave(const PsPtxRunner *runner, const PsPtxStep *step)
{
    const PsPtxMnemonic *mnemonic =
        runner->machine->code->points[step->point].instruction->mnemonic;
    return mnemonic->space == PS_PTX_GENERIC || ps_ptx_has(mnemonic, "shared::cluster") ||
           ps_ptx_has(mnemonic, "multicast::cluster::all") || strcmp(mnemonic->opcode, "cp") == 0 ||
           strcmp(mnemonic->opcode, "tcgen05") == 0;
}

PsPtxMachine *ps_ptx_cluster_owner(PsPtxRunner *runner, const PsPtxStep *step, PsPtxReach *reach)
{
    PsPtxMachine *machine = runner->machine;
    const PsPtxCluster *cluster = machine->cluster;
    const guint64 rank = reach->address >> PS_PTX_RANK_AT;
    if (rank == machine->rank)
        return machine;
    const gboolean leaves = may_leave(runner, step);
    if (!leaves && rank == 0) { /* machine code that names places in its own memory */
        reach->address = ps_ptx_cluster_at(machine, reach->address, machine->rank);
        return machine;
    }
    if (!leaves)
        ps_ptx_fail(&runner->open, step, reach->lane,
                    "accesses its own shared memory at an address in that of the group of rank "
                    "%" G_GUINT64_FORMAT " (.shared is .shared::cta, not .shared::cluster)",
                    rank);
    else if (rank >= cluster->n)
        ps_ptx_fail(&runner->open, step, reach->lane,
                    "accesses shared memory of the group of rank %" G_GUINT64_FORMAT
                    ", but its cluster has %u groups",
                    rank, cluster->n);
    else if (!is_alive(cluster->groups[rank]))
        ps_ptx_fail(&runner->open, step, reach->lane,
                    "accesses shared memory of the group of rank %" G_GUINT64_FORMAT
                    " in its cluster, which has ended; a barrier of the cluster at the end keeps "
                    "it",
                    rank);
    else {
        warn_of_begin(runner, step, reach->address);
        runner->remote |= (guint32)1 << reach->lane;
        runner->where[reach->lane] = cluster->groups[rank];
        return cluster->groups[rank];
    }
    return NULL;
}

guint8 *ps_ptx_cluster_outside(PsPtxRunner *runner, const PsPtxStep *step, const PsPtxReach *reach)
{
    const PsPtxMachine *machine = runner->machine;
    ps_ptx_fail(&runner->open, step, reach->lane,
                "%s %u bytes at 0x%" G_GINT64_MODIFIER "x of the shared memory (%" G_GUINT64_FORMAT
                " bytes) of the group of rank %" G_GUINT64_FORMAT ", where no array has them",
                reach->reads ? "reads" : "accesses", reach->bytes,
                reach->address & machine->place[PS_PTX_SHARED], machine->shared_bytes,
                reach->address >> PS_PTX_RANK_AT);
    return NULL;
}

PsPtxMachine *ps_ptx_cluster_holds(const PsPtxMachine *machine, const guint8 *memory)
{
    const PsPtxCluster *cluster = machine->cluster;
    for (guint r = 0; r < cluster->n; r++)
        if ((gsize)memory - (gsize)cluster->groups[r]->shared < machine->shared_bytes)
            return cluster->groups[r];
    return NULL;
}

gboolean ps_ptx_cluster_has(PsPtxWarp *warp, const PsPtxStep *step, guint lane, guint64 ranks)
{
    const PsPtxMachine *machine = ps_ptx_runner(warp)->machine;
    const PsPtxMnemonic *mnemonic = machine->code->points[step->point].instruction->mnemonic;
    const guint size = machine->cluster->n;
    if (ranks != 0 && ranks >> size == 0)
        return TRUE;
    if (ranks == 0)
        ps_ptx_fail(warp, step, lane, "names no group of its cluster to %s", mnemonic->text);
    else
        ps_ptx_fail(warp, step, lane, "names rank %u to %s, but its cluster has %u group%s",
                    63U - (guint)__builtin_clzll(ranks), mnemonic->text, size, size > 1 ? "s" : "");
    return FALSE;
}
