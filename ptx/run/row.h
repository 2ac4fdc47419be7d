/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The usual case of an access: all lanes' bytes lie in one piece of memory, a buffer or the group's
 * own. That is found without a branch for each lane, in vectors where the caller is compiled for
 * them. Everything else goes lane by lane (touch.c).
 */
#ifndef PIPESIM_PTX_RUN_ROW_H
#define PIPESIM_PTX_RUN_ROW_H

#include "ptx/alu/lane.h"
#include "ptx/run/warp.h"

G_BEGIN_DECLS

typedef struct {
    PsPtxSpace space;
    guint8 *data;         /* the piece's first byte ... */
    guint64 start;        /* ... and its address, at least a multiple of the lanes' bytes */
    gboolean consecutive; /* all 32 lanes, each right behind the one before */
} PsPtxRow;

/* Makes the blocks that the lanes' bytes lie in: none lies in two, since its address is a multiple
 * of its size. */
static inline void ps_ptx_row_make(PsPtxMachine *machine, const PsPtxBuffer *buffer, guint32 mask,
                                   const PsPtxTouched *what)
{
    const PsPtxBlocks *blocks = buffer->blocks;
    const guint8 done = what->reads ? PS_PTX_BLOCK_MADE : PS_PTX_BLOCK_WRITTEN;
    gsize last = G_MAXSIZE;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const gsize block = (what->address[__builtin_ctz(rest)] - buffer->address) / PS_PTX_BLOCK;
        if (block != last && (blocks->made[block] & done) == 0)
            ps_ptx_make_block(machine, blocks, block, !what->reads);
        last = block;
    }
}

/* Notes so many bytes as written. */
static inline void ps_ptx_write(guint8 *written, guint bytes)
{
    static const guint8 ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    if (bytes == 4)
        memcpy(written, ones, 4);
    else if (bytes == 16)
        memcpy(written, ones, 16);
    else if (bytes == 8)
        memcpy(written, ones, 8);
    else
        memset(written, 1, bytes);
}

/* Notes which bytes of shared memory are written. */
static inline void ps_ptx_row_write(const PsPtxBuffer *buffer, guint32 mask,
                                    const PsPtxTouched *what, gboolean consecutive)
{
    const guint bytes = what->bytes;
    if (consecutive) {
        memset(buffer->written + (what->address[0] - buffer->address), 1,
               (gsize)bytes * PS_PTX_LANES);
        return;
    }
    for (guint32 rest = mask; rest != 0; rest &= rest - 1)
        ps_ptx_write(buffer->written + (what->address[__builtin_ctz(rest)] - buffer->address),
                     bytes);
}

/* TRUE if the bytes of all lanes of mask lie in the buffer, each at a multiple of their number. */
PS_PTX_INLINE gboolean ps_ptx_row_in(PsPtxMachine *machine, const PsPtxBuffer *buffer, guint32 mask,
                                     const PsPtxTouched *what, PsPtxRow *row)
{
    const guint64 *address = what->address;
    const guint bytes = what->bytes;
    if (bytes > buffer->size || (bytes & (bytes - 1)) != 0 || (buffer->address & (bytes - 1)) != 0)
        return FALSE;
    /* Of `any` and `bad` the top bit tells whether an offset is more than span, which is less than
     * 2^63; the buffer begins at a multiple of the bytes, so the low bits of `any` tell the rest.
     */
    const guint64 start = buffer->address, span = buffer->size - bytes, first = address[0];
    guint64 bad = 0, any = 0, apart = 0;
    if (mask == G_MAXUINT32) {
        PS_PTX_EACH_LANE
        {
            const guint64 offset = address[lane] - start;
            bad |= span - offset;
            any |= offset;
            apart |= address[lane] - first - (guint64)lane * bytes;
        }
    } else {
        for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
            const guint64 offset = address[lane] - start, here = 0 - (guint64)(mask >> lane & 1);
            bad |= (span - offset) & here;
            any |= offset & here;
        }
        apart = 1;
    }
    if ((bad | any) >> 63 != 0 || (any & (bytes - 1)) != 0)
        return FALSE;
    if (buffer->blocks)
        ps_ptx_row_make(machine, buffer, mask, what);
    if (buffer->written && !what->reads)
        ps_ptx_row_write(buffer, mask, what, apart == 0);
    row->data = buffer->data;
    row->start = start;
    row->consecutive = apart == 0;
    return TRUE;
}

/* The same for the buffer that the first lane of mask lies in. */
PS_PTX_INLINE gboolean ps_ptx_row(PsPtxMachine *machine, guint32 mask, const PsPtxTouched *what,
                                  PsPtxRow *row)
{
    row->space = what->space == PS_PTX_GENERIC ? PS_PTX_GLOBAL : what->space;
    const guint64 first = what->address[__builtin_ctz(mask)];
    const PsPtxBuffer *buffer = machine->last[row->space];
    if (first - buffer->address >= buffer->size) {
        buffer = ps_ptx_buffer_at(machine, row->space, first);
        if (!buffer)
            return FALSE;
        machine->last[row->space] = buffer;
    }
    return ps_ptx_row_in(machine, buffer, mask, what, row);
}

G_END_DECLS
#endif
