/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The usual case of an access: all lanes' bytes lie in one piece of memory, a buffer or the group's
 * own. That is found without a branch for each lane, in vectors where the caller is compiled for
 * them. Mostly lanes beside each other have bytes behind each other, or the same.
 * Everything else goes lane by lane (touch.c).
 */
#ifndef PIPESIM_PTX_RUN_ROW_H
#define PIPESIM_PTX_RUN_ROW_H

#include "ptx/step/lane.h"
#include "ptx/run/warp.h"

G_BEGIN_DECLS

typedef struct {
    guint64 *address; /* the caller's: gets the lanes' places in the space's memory */
    PsPtxSpace space;
    guint8 *data;         /* the piece's first byte ... */
    guint64 start;        /* ... and its place, at least a multiple of the lanes' bytes */
    gboolean consecutive; /* all 32 lanes, each right behind the one before */
    PsPtxBuffer *buffer;
    guint64 end; /* no lane's bytes lie behind so many of the buffer's */
} PsPtxRow;

/* Makes a block. */
static inline void ps_ptx_row_make_one(PsPtxMachine *machine, const PsPtxBlocks *blocks,
                                       gsize block, gboolean reads)
{
    const guint8 done = reads ? PS_PTX_BLOCK_MADE : PS_PTX_BLOCK_WRITTEN;
    if (G_UNLIKELY((__atomic_load_n(&blocks->made[block], __ATOMIC_ACQUIRE) & done) == 0))
        ps_ptx_make_block(machine, blocks, block, !reads);
}

/* Makes the blocks that the lanes' bytes lie in: none lies in two, since its address is a multiple
 * of its size. */
static inline void ps_ptx_row_make(PsPtxMachine *machine, const PsPtxRow *row, guint32 mask,
                                   gboolean reads)
{
    const PsPtxBlocks *blocks = row->buffer->blocks;
    gsize last = G_MAXSIZE;
    /* of consecutive lanes, the first and the last have all blocks, which are larger */
    for (guint32 rest = row->consecutive ? 0x80000001U : mask; rest != 0; rest &= rest - 1) {
        const gsize block = (row->address[__builtin_ctz(rest)] - row->start) / PS_PTX_BLOCK;
        if (block != last)
            ps_ptx_row_make_one(machine, blocks, block, reads);
        last = block;
    }
}

/* Looks how many of an array's bytes, from the first on, are written. */
static inline void ps_ptx_row_learn(PsPtxBuffer *array)
{
    const guint8 *from = array->written + array->known;
    const guint8 *gap = (const guint8 *)memchr(from, 0, array->size - array->known);
    array->known = gap ? (guint64)(gap - array->written) : array->size;
}

/* TRUE if it is known that all of the lanes' bytes are written. */
static inline gboolean ps_ptx_row_known(const PsPtxRow *row)
{
    return row->end <= row->buffer->known || row->buffer->size == row->buffer->known;
}

/* Notes which bytes of shared memory are written. */
static inline void ps_ptx_row_write(const PsPtxRow *row, guint32 mask, guint bytes)
{
    static const guint8 ones[4] = {1, 1, 1, 1};
    guint8 *written = row->buffer->written;
    if (ps_ptx_row_known(row))
        return;
    if (row->consecutive) {
        memset(written + (row->address[0] - row->start), 1, (gsize)bytes * PS_PTX_LANES);
        return;
    }
    ps_ptx_row_learn(row->buffer);
    for (guint32 rest = ps_ptx_row_known(row) ? 0 : mask; rest != 0; rest &= rest - 1) {
        guint8 *at = written + (row->address[__builtin_ctz(rest)] - row->start);
        if (bytes == sizeof ones)
            memcpy(at, ones, sizeof ones);
        else
            memset(at, 1, bytes);
    }
}

/* TRUE if the bytes of all lanes of mask lie in the row's buffer, each at a multiple of their
 * number. */
PS_PTX_INLINE gboolean ps_ptx_row_in(PsPtxMachine *machine, guint32 mask, const PsPtxTouched *what,
                                     PsPtxRow *row)
{
    const PsPtxBuffer *buffer = row->buffer;
    const guint64 *address = what->address;
    const guint bytes = what->bytes;
    if (bytes > buffer->size || (bytes & (bytes - 1)) != 0 || (buffer->address & (bytes - 1)) != 0)
        return FALSE;
    /* The top bit of `any` and `bad` tells whether an offset is more than span, which is less than
     * 2^63; the buffer begins at a multiple of the bytes, so the low bits of `any` tell the rest.
     */
    const guint64 add = what->offset - buffer->address, place = buffer->address - buffer->apart;
    const guint64 span = buffer->size - bytes, first = address[0] + add;
    const guint power = (guint)__builtin_ctz(bytes);
    guint64 bad = 0, any = 0, apart = 0, *to = row->address;
    if (mask == G_MAXUINT32) {
        PS_PTX_EACH_LANE
        {
            const guint64 offset = address[lane] + add;
            bad |= span - offset;
            any |= offset;
            apart |= offset - first - ((guint64)lane << power);
            to[lane] = offset + place;
        }
    } else {
        PS_PTX_EACH_LANE to[lane] = address[lane] + add + place; /* listeners may read others */
        for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
            const guint64 offset = to[__builtin_ctz(rest)] - place;
            bad |= span - offset;
            any |= offset;
        }
        apart = 1;
    }
    if ((bad | any) >> 63 != 0 || (any & (bytes - 1)) != 0)
        return FALSE;
    row->data = buffer->data;
    row->start = place;
    row->consecutive = apart == 0;
    row->end = any + bytes;
    if (buffer->blocks)
        ps_ptx_row_make(machine, row, mask, what->reads);
    if (buffer->written && !what->reads)
        ps_ptx_row_write(row, mask, bytes);
    return TRUE;
}

/* The buffer that an address lies in, or NULL: mostly that of the step's access before; a step
 * reads in one space, and writes in one. */
static inline PsPtxBuffer *ps_ptx_row_buffer(const PsPtxMachine *machine, const PsPtxStep *step,
                                             const PsPtxTouched *what, guint64 address)
{
    const PsPtxSpace space = what->space == PS_PTX_GENERIC ? PS_PTX_GLOBAL : what->space;
    PsPtxBuffer **last = &machine->last[2 * step->point + (guint)what->reads];
    if (!*last || address - (*last)->address >= (*last)->size) {
        PsPtxBuffer *buffer = ps_ptx_buffer_at(machine, space, address);
        if (!buffer || buffer->heap) /* which is looked into at each access */
            return NULL;
        *last = buffer;
    }
    return *last;
}

/* Lanes that are looked at together: as many as a row of a small block has. */
#define PS_PTX_PIECE 8
#define PS_PTX_PIECES (PS_PTX_LANES / PS_PTX_PIECE)
#ifdef __clang__
#define PS_PTX_EACH_OF_PIECE                                                                       \
    _Pragma("clang loop vectorize(assume_safety)") for (guint lane = 0; lane < PS_PTX_PIECE; lane++)
#else
#define PS_PTX_EACH_OF_PIECE _Pragma("GCC ivdep") for (guint lane = 0; lane < PS_PTX_PIECE; lane++)
#endif

/* The place of the bytes of all 32 lanes, if these are regular: in each piece they are the same, or
 * those of a lane lie right behind those of the one before. */
typedef struct {
    guint8 *data[PS_PTX_PIECES]; /* place of the first lane of the piece */
    gsize stride[PS_PTX_PIECES]; /* from one lane to the next: none, or a lane's bytes */
} PsPtxRegular;

/* TRUE if each of a piece's addresses is that far from the one before. */
PS_PTX_INLINE gboolean ps_ptx_piece_has(const guint64 *address, guint power, guint64 times)
{
    guint64 wrong = 0;
    PS_PTX_EACH_OF_PIECE wrong |= address[lane] - address[0] - (((guint64)lane << power) & times);
    return wrong == 0;
}

/* The same of all lanes. */
PS_PTX_INLINE gboolean ps_ptx_all_have(const guint64 *address, guint power, guint64 times)
{
    guint64 wrong = 0;
    PS_PTX_EACH_LANE wrong |= address[lane] - address[0] - (((guint64)lane << power) & times);
    return wrong == 0;
}

/* Finds the begin of lanes' bytes that are regular. FALSE: they do not lie in the buffer. */
PS_PTX_INLINE gboolean ps_ptx_regular_in(PsPtxMachine *machine, const PsPtxBuffer *buffer,
                                         const PsPtxTouched *what, guint64 address, guint64 all,
                                         guint8 **data)
{
    const guint64 offset = address + what->offset - buffer->address;
    if (offset > buffer->size || all > buffer->size - offset || (offset & (what->bytes - 1)) != 0)
        return FALSE;
    if (buffer->blocks) {
        ps_ptx_row_make_one(machine, buffer->blocks, offset / PS_PTX_BLOCK, what->reads);
        ps_ptx_row_make_one(machine, buffer->blocks, (offset + all - 1) / PS_PTX_BLOCK,
                            what->reads);
    }
    *data = buffer->data + offset;
    return TRUE;
}

/* TRUE if they are, in one buffer, and nobody needs to know their addresses, nor which bytes of
 * shared memory are written. */
PS_PTX_INLINE gboolean ps_ptx_regular(PsPtxMachine *machine, const PsPtxStep *step,
                                      const PsPtxTouched *what, PsPtxRegular *regular)
{
    const guint bytes = what->bytes, power = (guint)__builtin_ctz(bytes);
    if ((bytes & (bytes - 1)) != 0 || machine->notes)
        return FALSE;
    const PsPtxBuffer *buffer =
        ps_ptx_row_buffer(machine, step, what, what->address[0] + what->offset);
    if (!buffer || (buffer->address & (bytes - 1)) != 0 ||
        (buffer->written && buffer->known != buffer->size))
        return FALSE;
    const gsize stride = what->address[1] != what->address[0] ? bytes : 0;
    if (what->address[PS_PTX_LANES - 1] - what->address[0] == (PS_PTX_LANES - 1) * stride &&
        ps_ptx_all_have(what->address, power, stride ? G_MAXUINT64 : 0)) {
        guint8 *data;
        if (!ps_ptx_regular_in(machine, buffer, what, what->address[0],
                               stride ? stride * PS_PTX_LANES : bytes, &data))
            return FALSE;
        for (guint i = 0; i < PS_PTX_PIECES; i++) {
            regular->data[i] = data + i * PS_PTX_PIECE * stride;
            regular->stride[i] = stride;
        }
        return TRUE;
    }
    for (guint i = 0; i < PS_PTX_PIECES; i++) {
        const guint64 *address = what->address + (gsize)i * PS_PTX_PIECE;
        const gboolean apart = address[1] != address[0];
        if (!ps_ptx_piece_has(address, power, apart ? G_MAXUINT64 : 0) ||
            !ps_ptx_regular_in(machine, buffer, what, address[0],
                               apart ? (guint64)bytes * PS_PTX_PIECE : bytes, &regular->data[i]))
            return FALSE;
        regular->stride[i] = apart ? bytes : 0;
    }
    return TRUE;
}

/* The same for the buffer that the first lane of mask lies in. */
PS_PTX_INLINE gboolean ps_ptx_row(PsPtxMachine *machine, const PsPtxStep *step, guint32 mask,
                                  const PsPtxTouched *what, PsPtxRow *row)
{
    row->space = what->space == PS_PTX_GENERIC ? PS_PTX_GLOBAL : what->space;
    row->buffer =
        ps_ptx_row_buffer(machine, step, what, what->address[__builtin_ctz(mask)] + what->offset);
    return row->buffer && ps_ptx_row_in(machine, mask, what, row);
}

G_END_DECLS
#endif
