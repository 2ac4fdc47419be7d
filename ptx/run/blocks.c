/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the buffer of an address, and keeps count of the buffers' blocks. When there are too many,
 * blocks that no thread wrote are dropped, since they can be made again; this never happens within
 * a step, which may have pointers to them.
 */
#include "ptx/run/warp.h"

#define DEFAULT_MEMORY ((guint64)256 << 20)

PsPtxBuffer *ps_ptx_buffer_at(const PsPtxMachine *machine, PsPtxSpace space, guint64 address)
{
    const GArray *buffers = machine->buffers[space];
    guint low = 0, high = buffers ? buffers->len : 0;
    while (low < high) {
        guint middle = (low + high) / 2;
        if (g_array_index(buffers, PsPtxBuffer, middle).address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? NULL : &g_array_index(buffers, PsPtxBuffer, low - 1);
}

static guint64 most_memory(const PsPtxMachine *machine)
{
    const guint64 most = machine->launch.most_memory;
    return most > 0 ? most : DEFAULT_MEMORY;
}

gboolean ps_ptx_machine_full(const PsPtxMachine *machine)
{
    return ps_ptx_first(machine)->held > most_memory(machine);
}

static void make_block(PsPtxMachine *machine, const PsPtxBlocks *blocks, gsize block,
                       gboolean writes)
{
    guint8 *made = &blocks->made[block];
    if (!*made) {
        blocks->make(blocks->data, block, machine->unmade ? NULL : &machine->unmade);
        ps_ptx_first(machine)->held += PS_PTX_BLOCK;
        machine->trouble |= machine->unmade || ps_ptx_machine_full(machine);
    }
    if (writes && blocks->write && !(*made & (PS_PTX_BLOCK_WRITTEN | PS_PTX_BLOCK_EARLIER)))
        blocks->write(blocks->data, block);
    if (writes && ps_ptx_first(machine)->earlier && !(*made & PS_PTX_BLOCK_WRITTEN))
        ps_ptx_keep_block(ps_ptx_first(machine), blocks, block);
    if (writes) /* others who see the mark may write there, so the old bytes are saved by then */
        __atomic_store_n(made, *made | PS_PTX_BLOCK_WRITTEN, __ATOMIC_RELEASE);
}

void ps_ptx_make_block(PsPtxMachine *machine, const PsPtxBlocks *blocks, gsize block,
                       gboolean writes)
{
    if (machine->lock)
        g_mutex_lock(machine->lock);
    make_block(machine, blocks, block, writes);
    if (machine->lock)
        g_mutex_unlock(machine->lock);
}

/* TRUE if the block's bytes must stay: somebody wrote them, or nobody can make them again. */
static gboolean is_needed(const PsPtxBlocks *blocks, gsize block)
{
    return (blocks->made[block] & (PS_PTX_BLOCK_WRITTEN | PS_PTX_BLOCK_EARLIER)) != 0 ||
           !blocks->drop || !blocks->drop(blocks->data, block);
}

/* Drops all blocks that can be made again, and counts the others. */
static void drop_blocks(const PsPtxMachine *machine)
{
    guint64 *held = &ps_ptx_first(machine)->held;
    const GArray *buffers = machine->buffers[PS_PTX_GLOBAL];
    *held = 0;
    for (guint i = 0; i < buffers->len; i++) {
        const PsPtxBuffer *buffer = &g_array_index(buffers, PsPtxBuffer, i);
        const PsPtxBlocks *blocks = buffer->owned ? NULL : buffer->blocks;
        for (gsize k = 0; blocks && k < blocks->n; k++)
            if (blocks->made[k] && is_needed(blocks, k))
                *held += PS_PTX_BLOCK;
    }
}

void ps_ptx_settle(PsPtxRunner *runner)
{
    PsPtxMachine *machine = runner->machine;
    const char *name = machine->launch.memory_name;
    machine->trouble = FALSE;
    if (!machine->unmade)
        drop_blocks(machine);
    if (runner->open.error)
        return;
    if (machine->unmade)
        g_propagate_error(&runner->open.error, g_steal_pointer(&machine->unmade));
    else if (ps_ptx_machine_full(machine))
        g_set_error(&runner->open.error, PS_ERROR, PS_ERROR_LIMIT,
                    "kernel \"%s\", group (%u,%u,%u): the groups that were executed wrote to more "
                    "than %" G_GUINT64_FORMAT " bytes of buffers; a higher %s allows it",
                    machine->code->kernel->name, machine->group[0], machine->group[1],
                    machine->group[2], most_memory(machine), name ? name : "limit of memory");
}
