/* SPDX-License-Identifier: BSD-3-Clause */
/* The warps of a group, with their registers and own memory. */
#include "ptx/run/warp.h"

/* Most bytes of registers and own memory that the threads of a group may have. */
#define MOST_WARP_BYTES ((guint64)1 << 31)
#define CACHE_LINE 64 /* bytes; a vector that crosses a line takes twice as long */

gboolean ps_ptx_warps_make(PsPtxMachine *machine, GError **error)
{
    const guint *block = machine->launch.block;
    const guint threads = block[0] * block[1] * block[2];
    const gsize slots = (gsize)machine->n_slots * PS_PTX_LANES;
    const gsize own = machine->code->thread_bytes * PS_PTX_LANES;
    machine->n_warps = (threads + PS_PTX_LANES - 1) / PS_PTX_LANES;
    if (slots * sizeof(guint64) > MOST_WARP_BYTES / machine->n_warps ||
        own > MOST_WARP_BYTES / machine->n_warps) {
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "kernel \"%s\" with %u threads per group needs more than %" G_GUINT64_FORMAT
                    " bytes of registers or local memory",
                    machine->code->kernel->name, threads, MOST_WARP_BYTES);
        return FALSE;
    }
    machine->warps = g_new0(PsPtxRunner, machine->n_warps);
    machine->slot_memory = g_malloc0(slots * sizeof(guint64) * machine->n_warps + CACHE_LINE);
    machine->slots = (guint64 *)(gpointer)(machine->slot_memory + CACHE_LINE -
                                           (gsize)machine->slot_memory % CACHE_LINE);
    machine->local = g_malloc0(MAX(own * machine->n_warps, 1));
    machine->stored = g_malloc0(MAX(own * machine->n_warps, 1));
    for (guint w = 0; w < machine->n_warps; w++) {
        PsPtxRunner *runner = &machine->warps[w];
        const guint rest = threads - w * PS_PTX_LANES;
        runner->machine = machine;
        runner->enders = g_array_new(FALSE, FALSE, sizeof(PsPtxEnder));
        runner->pieces = g_array_new(FALSE, FALSE, sizeof(PsPtxPiece));
        runner->local = machine->local + own * w;
        runner->stored = machine->stored + own * w;
        runner->open.slots = (guint64(*)[PS_PTX_LANES])(gpointer)(machine->slots + slots * w);
        runner->open.steps = machine->steps;
        runner->open.number = w;
        runner->open.threads = rest >= PS_PTX_LANES ? G_MAXUINT32 : ((guint32)1 << rest) - 1;
        ps_ptx_rows_make(runner);
    }
    return TRUE;
}

void ps_ptx_warps_free(PsPtxMachine *machine)
{
    for (guint w = 0; machine->warps && w < machine->n_warps; w++) {
        g_array_unref(machine->warps[w].enders);
        g_array_unref(machine->warps[w].pieces);
        g_clear_pointer(&machine->warps[w].pending, g_array_unref);
        g_free(machine->warps[w].undefined);
        g_free(machine->warps[w].doubtful);
        g_free(machine->warps[w].origins);
        g_clear_error(&machine->warps[w].open.error);
    }
    g_free(machine->warps);
    g_free(machine->slot_memory);
    g_free(machine->product);
    ps_ptx_tensor_free(machine);
    g_free(machine->local);
    g_free(machine->stored);
}
