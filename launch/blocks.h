/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Buffers that are filled block by block, when a block is first touched. Only a few groups of a
 * kernel are executed, so they read little of a buffer. A block's content does not depend on other
 * blocks: one that nobody wrote can be forgotten and filled again.
 */
#ifndef PIPESIM_LAUNCH_BLOCKS_H
#define PIPESIM_LAUNCH_BLOCKS_H

#include "ptx/run/launch.h"

typedef enum {
    PS_FILL_ZERO,
    PS_FILL_RAMP,
    PS_FILL_RANDOM,
    PS_FILL_FILE,
    PS_FILL_MEMORY
} PsFillKind;

typedef struct {
    PsFillKind kind;
    PsPtxType type; /* bytes of an element; not for zeros, a file and memory */
    guint32 seed;
    guint64 below; /* random: numbers from 0 up to it; 0: fractions up to 1, whole numbers over all
                      of the type */
    int file; /* descriptor of a file that can be read at any place; the blocks own it from then on
               */
    const char *path;     /* the file's name, for messages; copied */
    const guint8 *memory; /* borrowed */
    gboolean read_only;   /* for memory: no kernel may write there */
} PsFill;

/* A buffer of so many bytes, which are the blocks' own (*data). Bytes behind the last whole element
 * are zero. NULL and *error (PS_ERROR_LIMIT) if there are not enough addresses. */
PsPtxBlocks *ps_blocks_new(const PsFill *fill, gsize size, guint8 **data, GError **error);
void ps_blocks_free(PsPtxBlocks *blocks);

/* Whether these are blocks of memory that no kernel may write. */
gboolean ps_blocks_are_read_only(const PsPtxBlocks *blocks);

/* Fills the rest; NULL is fine. FALSE and *error if a file cannot be read. */
gboolean ps_blocks_finish(PsPtxBlocks *blocks, GError **error);

#endif
