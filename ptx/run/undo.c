/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps old bytes, so that groups' writes can be taken back: before a block is written for the
 * first time, its bytes are copied. Meanwhile a block that was written before is EARLIER and no
 * longer WRITTEN, so that stores to it come here, too.
 */
#include "ptx/run/warp.h"
#include <string.h>

/* The old bytes of a block that was written since. */
typedef struct {
    guint8 *made, *place, *bytes;
    gsize n;
} Earlier;

static void free_earlier(gpointer data)
{
    Earlier *one = data;
    g_free(one->bytes);
}

void ps_ptx_keep_block(PsPtxMachine *machine, const PsPtxBlocks *blocks, gsize block)
{
    const GArray *buffers = machine->buffers[PS_PTX_GLOBAL];
    for (guint i = 0; i < buffers->len; i++) {
        const PsPtxBuffer *buffer = &g_array_index(buffers, PsPtxBuffer, i);
        if (buffer->blocks != blocks)
            continue;
        Earlier one = {.made = &blocks->made[block],
                       .place = buffer->data + block * PS_PTX_BLOCK,
                       .n = MIN(PS_PTX_BLOCK, buffer->size - block * PS_PTX_BLOCK)};
        one.bytes = g_memdup2(one.place, one.n);
        g_array_append_val(machine->earlier, one);
        return;
    }
}

/* Gives each block that has the first state the second one instead. */
static void replace_states(const PsPtxMachine *machine, guint8 from, guint8 to)
{
    const GArray *buffers = machine->buffers[PS_PTX_GLOBAL];
    for (guint i = 0; i < buffers->len; i++) {
        const PsPtxBlocks *blocks = g_array_index(buffers, PsPtxBuffer, i).blocks;
        for (gsize k = 0; blocks && k < blocks->n; k++)
            if (blocks->made[k] & from)
                blocks->made[k] = (guint8)((blocks->made[k] & ~from) | to);
    }
}

void ps_ptx_machine_try(PsPtxMachine *machine)
{
    replace_states(machine, PS_PTX_BLOCK_WRITTEN, PS_PTX_BLOCK_EARLIER);
    machine->earlier = g_array_new(FALSE, FALSE, sizeof(Earlier));
    g_array_set_clear_func(machine->earlier, free_earlier);
}

void ps_ptx_machine_tried(PsPtxMachine *machine, gboolean undo)
{
    for (guint i = 0; undo && i < machine->earlier->len; i++) {
        const Earlier *one = &g_array_index(machine->earlier, Earlier, i);
        memcpy(one->place, one->bytes, one->n);
        *one->made &= (guint8)~PS_PTX_BLOCK_WRITTEN;
    }
    g_clear_pointer(&machine->earlier, g_array_unref);
    replace_states(machine, PS_PTX_BLOCK_EARLIER, PS_PTX_BLOCK_WRITTEN);
}
