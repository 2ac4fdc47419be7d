/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clusterlaunchcontrol.try_cancel: a group asks for the place of a cluster that has not begun, to
 * do its work. The answer is 16 bytes in shared memory, and an mbarrier gets these bytes. Here the
 * answer is always 16 bytes of zeros, as from a device whose clusters have all begun: so each group
 * does its own work, and results are right. lift/cancels.c tells what that means for the time.
 */
#include "ptx/run/families.h"
#include "ptx/run/mbarrier.h"
#include "ptx/run/phase.h"
#include "ptx/step/lane.h"
#include "ptx/step/operands.h"
#include <string.h>

enum { ANSWER = 16 };

/* Writes the answer to a group of the cluster; the addresses are in its memory. */
static gboolean answer(PsPtxRunner *runner, const PsPtxStep *step, guint lane,
                       const guint64 places[2])
{
    static const guint bytes[2] = {ANSWER, 8};
    guint8 *memory[2][PS_PTX_LANES];
    for (guint i = 0; i < 2; i++) {
        guint64 address[PS_PTX_LANES] = {0};
        address[lane] = places[i];
        if (!ps_ptx_reach(runner, step, (guint32)1 << lane,
                          &(PsPtxTouched){PS_PTX_SHARED, bytes[i], address, FALSE, 0}, memory[i]))
            return FALSE;
    }
    memset(memory[0][lane], 0, ANSWER);
    ps_ptx_phase_counts(runner, memory[1][lane], step->point, TRUE);
    ps_ptx_mbarrier_pay(&runner->open, memory[1][lane], ANSWER);
    return TRUE;
}

/* step->kind: all groups of the cluster get the answer. */
static void try_cancel(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    PsPtxMachine *machine = runner->machine;
    const gint64 *offset = step->more;
    ps_ptx_phase_executes(runner, step->point, FALSE);
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        const guint64 to = warp->slots[step->from[0]][lane] + (guint64)step->offset;
        const guint64 barrier = warp->slots[step->from[1]][lane] + (guint64)*offset;
        for (guint rank = 0; rank < (step->kind ? machine->cluster->n : 1); rank++) {
            const guint64 own[2] = {to, barrier};
            const guint64 of_rank[2] = {ps_ptx_cluster_at(machine, to, rank),
                                        ps_ptx_cluster_at(machine, barrier, rank)};
            if (!answer(runner, step, lane, step->kind ? of_rank : own))
                return;
        }
    }
}

static gboolean decode_try(PsPtxDecode *decode, PsPtxStep *step)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    if (!ps_ptx_has(mnemonic, "try_cancel") || decode->instruction->n_operands != 2 ||
        !ps_ptx_decode_two_addresses(decode, step))
        return FALSE;
    step->kind = ps_ptx_has(mnemonic, "multicast::cluster::all");
    step->execute = try_cancel;
    return TRUE;
}

gboolean ps_ptx_cancel(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    if (strcmp(decode->mnemonic->opcode, "clusterlaunchcontrol") != 0)
        return FALSE;
    if (!decode_try(decode, step))
        return ps_ptx_cannot(decode, step, unsupported);
    return TRUE;
}
