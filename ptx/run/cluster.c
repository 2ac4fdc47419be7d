/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clusters. Their groups run together: a machine for each, of which the first has what all share.
 * An address in shared memory has the rank of its group above its place there. So what reads or
 * writes memory of another group finds it where the address leads (touch.c), and all else needs to
 * know nothing of clusters.
 *
 * At the barrier of the cluster a thread arrives and later waits. A phase is over when all threads
 * that have not ended have arrived.
 */
#include "ptx/code/expand.h"
#include "ptx/run/warp.h"
#include <string.h>

static guint size_in(const PsPtxMachine *machine, guint direction)
{
    return MAX(machine->launch.cluster[direction], 1);
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
        return machine->rank;
    case PS_PTX_CLUSTER_NCTARANK:
        return ps_ptx_cluster_size(machine);
    case PS_PTX_IS_EXPLICIT_CLUSTER:
        return machine->launch.cluster[0] > 0;
    default:
        return 0;
    }
}

/* ---- machines ------------------------------------------------------------------------------- */

PsPtxCluster *ps_ptx_cluster_new(PsPtxMachine *machine)
{
    PsPtxCluster *cluster = g_new0(PsPtxCluster, 1);
    cluster->groups = g_new0(PsPtxMachine *, ps_ptx_cluster_size(machine));
    cluster->groups[cluster->n++] = machine;
    return cluster;
}

/* The first machine with memory and warps of its own. */
static PsPtxMachine *another(const PsPtxMachine *first, guint rank, GError **error)
{
    PsPtxMachine *machine = g_memdup2(first, sizeof *first);
    machine->rank = rank;
    machine->looks = NULL;
    machine->product = NULL;
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

/* ---- addresses ------------------------------------------------------------------------------ */

static gboolean is_alive(const PsPtxMachine *machine)
{
    for (guint w = 0; w < machine->n_warps; w++)
        if (machine->warps[w].live != 0)
            return TRUE;
    return FALSE;
}

/* Warns where a group may not have begun on a device. */
static void warn_of_begin(const PsPtxRunner *runner, const PsPtxStep *step)
{
    PsPtxMachine *machine = ps_ptx_first(runner->machine);
    if (machine->cluster->met ||
        !g_hash_table_add(machine->warned_points, GUINT_TO_POINTER(step->point)))
        return;
    g_autofree char *where = ps_ptx_code_where(machine->code, step->point);
    ps_ptx_machine_warn(machine,
                        g_strdup_printf("%s: threads access shared memory of another group of "
                                        "their cluster before any barrier of the cluster; on a "
                                        "GPU that group may not have begun",
                                        where));
}

/* TRUE if the instruction names the cluster's memory, or any. */
static gboolean may_leave(const PsPtxRunner *runner, const PsPtxStep *step)
{
    const PsPtxMnemonic *mnemonic =
        runner->machine->code->points[step->point].instruction->mnemonic;
    return mnemonic->space == PS_PTX_GENERIC || ps_ptx_has(mnemonic, "shared::cluster") ||
           strcmp(mnemonic->opcode, "cp") == 0 || strcmp(mnemonic->opcode, "tcgen05") == 0;
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
        warn_of_begin(runner, step);
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

static void give_rank(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const PsPtxMachine *machine = ps_ptx_runner(warp)->machine;
    const guint64 alone = machine->cluster->n > 1 ? PS_PTX_RANK_MASK : 0;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        guint64 address = warp->slots[step->from[0]][lane];
        ps_ptx_window(machine, address, &address);
        warp->slots[step->to[0]][lane] = address >> PS_PTX_RANK_AT & alone;
    }
}

gboolean ps_ptx_getctarank(PsPtxDecode *decode, PsPtxStep *step)
{
    step->execute = give_rank;
    return ps_ptx_decode_usual(decode, step, PS_PTX_U64) && step->n_to == 1 && step->n_from == 1;
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
    if (!all_came(cluster))
        return;
    for (guint r = 0; r < cluster->n; r++)
        for (guint w = 0; w < cluster->groups[r]->n_warps; w++) {
            PsPtxRunner *runner = &cluster->groups[r]->warps[w];
            any |= runner->came != 0;
            runner->passed |= runner->came;
            runner->came = 0;
        }
    cluster->met |= any;
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
