/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clusters. Their groups run together, each on a machine of its own; all of them use the first
 * machine's shared parts. ranks.c explains the addresses of their shared memory.
 *
 * At the barrier of the cluster a thread arrives and later waits. A phase is over when all threads
 * that have not ended have arrived.
 */
#include "ptx/run/warp.h"
#include <string.h>

static guint size_in(const PsPtxMachine *machine, guint direction)
{
    return MAX(machine->launch.cluster[direction], 1);
}

/* ---- machines ------------------------------------------------------------------------------- */

PsPtxCluster *ps_ptx_cluster_new(PsPtxMachine *machine)
{
    PsPtxCluster *cluster = g_new0(PsPtxCluster, 1);
    cluster->groups = g_new0(PsPtxMachine *, ps_ptx_cluster_size(machine));
    cluster->groups[cluster->n++] = machine;
    return cluster;
}

/* Makes a further machine, with memory and warps of its own. */
static PsPtxMachine *another(const PsPtxMachine *first, guint rank, GError **error)
{
    PsPtxMachine *machine = g_memdup2(first, sizeof *first);
    machine->rank = rank;
    machine->looks = NULL;
    machine->product = NULL;
    machine->tensor = NULL;
    ps_ptx_memory_again(machine);
    if (ps_ptx_warps_make(machine, error))
        return machine;
    ps_ptx_memory_drop(machine);
    g_free(machine);
    return NULL;
}

gboolean ps_ptx_cluster_fill(PsPtxMachine *machine, GError **error)
{
    PsPtxCluster *cluster = machine->cluster;
    const guint size = ps_ptx_cluster_size(machine);
    while (cluster->n < size) {
        PsPtxMachine *next = another(machine, cluster->n, error);
        if (!next)
            return FALSE;
        cluster->groups[cluster->n++] = next;
    }
    return TRUE;
}

void ps_ptx_cluster_free(PsPtxMachine *machine)
{
    PsPtxCluster *cluster = machine->cluster;
    for (guint r = 1; r < cluster->n; r++) {
        ps_ptx_warps_free(cluster->groups[r]);
        ps_ptx_memory_drop(cluster->groups[r]);
        g_free(cluster->groups[r]->looks);
        g_free(cluster->groups[r]);
    }
    g_free(cluster->groups);
    g_free(cluster);
}

PsPtxMachine *ps_ptx_cluster_place(PsPtxMachine *machine, const guint group[3])
{
    PsPtxCluster *cluster = machine->cluster;
    PsPtxMachine *asked = machine;
    cluster->met = FALSE;
    for (guint r = 0; r < cluster->n; r++) {
        guint rest = r;
        for (guint i = 0; i < 3; i++) {
            const guint size = size_in(machine, i);
            cluster->groups[r]->group[i] = group[i] - group[i] % size + rest % size;
            rest /= size;
        }
        if (memcmp(cluster->groups[r]->group, group, sizeof machine->group) == 0)
            asked = cluster->groups[r];
    }
    return asked;
}

gboolean ps_ptx_group_leads(const PsPtxMachine *machine, const guint group[3])
{
    for (guint i = 0; i < 3; i++)
        if (group[i] % size_in(machine, i) != 0)
            return FALSE;
    return TRUE;
}

guint ps_ptx_machine_cluster(const PsPtxMachine *machine)
{
    return machine->cluster->n;
}

/* ---- mapa ----------------------------------------------------------------------------------- */

static void map(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const PsPtxMachine *machine = ps_ptx_runner(warp)->machine;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        const guint64 rank = warp->slots[step->from[1]][lane] & G_MAXUINT32;
        const guint64 address = warp->slots[step->from[0]][lane];
        if (!ps_ptx_cluster_has(warp, step, lane, (guint64)1 << MIN(rank, 63)))
            return;
        warp->slots[step->to[0]][lane] = ps_ptx_cluster_at(machine, address, rank);
    }
}

gboolean ps_ptx_mapa(PsPtxDecode *decode, PsPtxStep *step)
{
    step->execute = map;
    return ps_ptx_decode_usual(decode, step, step->type) && step->n_to == 1 && step->n_from == 2;
}

/* ---- the barrier of the cluster ------------------------------------------------------------- */

static gboolean all_came(const PsPtxCluster *cluster)
{
    for (guint r = 0; r < cluster->n; r++)
        for (guint w = 0; w < cluster->groups[r]->n_warps; w++) {
            const PsPtxRunner *runner = &cluster->groups[r]->warps[w];
            if ((runner->live & ~runner->came) != 0)
                return FALSE;
        }
    return TRUE;
}

void ps_ptx_cluster_check(const PsPtxMachine *machine)
{
    PsPtxCluster *cluster = machine->cluster;
    gboolean any = FALSE;
    if (!cluster->came || machine->launch.workspace || !all_came(cluster))
        return;
    for (guint r = 0; r < cluster->n; r++)
        for (guint w = 0; w < cluster->groups[r]->n_warps; w++) {
            PsPtxRunner *runner = &cluster->groups[r]->warps[w];
            any |= runner->came != 0;
            runner->passed |= runner->came;
            runner->came = 0;
        }
    cluster->met |= any;
    cluster->came = FALSE;
}

static void arrive(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    const guint32 again = mask & (runner->came | runner->passed);
    if (again != 0) {
        ps_ptx_fail(warp, step, (guint)__builtin_ctz(again),
                    "arrives again at the barrier of its cluster, for which it did not wait since");
        return;
    }
    runner->came |= mask;
    runner->machine->cluster->came = TRUE;
    runner->accesses++;
    ps_ptx_cluster_check(runner->machine);
}

static void wait_for_all(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    const guint32 never = mask & ~(runner->came | runner->passed);
    if (never != 0)
        ps_ptx_fail(warp, step, (guint)__builtin_ctz(never),
                    "waits at the barrier of its cluster, where it did not arrive");
    else if ((mask & ~runner->passed) != 0)
        ps_ptx_paths_wait(runner, PS_PTX_POLLS, step, mask);
    else
        runner->passed &= ~mask;
}

gboolean ps_ptx_cluster_waits(const PsPtxStep *step)
{
    return step->execute == wait_for_all;
}

gboolean ps_ptx_cluster_barrier(PsPtxDecode *decode, PsPtxStep *step)
{
    step->execute = ps_ptx_has(decode->mnemonic, "arrive") ? arrive : wait_for_all;
    return decode->instruction->n_operands == 0;
}
