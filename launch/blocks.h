/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Buffers that are filled where they are touched first, block by block: a kernel of which a few
 * groups are executed reads little of them. What a block holds is the same, whichever came before.
 */
#ifndef PIPESIM_LAUNCH_BLOCKS_H
#define PIPESIM_LAUNCH_BLOCKS_H

#include "ptx/run/launch.h"

typedef struct {
    gboolean random; /* else 0, 1, 2, ... */
    PsPtxType type;  /* of an element */
    guint32 seed;
    guint64 below; /* random: fractions from 0 up to it, whole numbers likewise; 0: up to 1, all
                      that the type has */
} PsFill;

/* For a buffer of zeros, which must outlive it. Bytes behind the last whole element stay zero. */
PsPtxBlocks *ps_blocks_new(const PsFill *fill, guint8 *data, gsize size);
void ps_blocks_free(PsPtxBlocks *blocks);

/* Fills what is not filled yet; NULL is fine. */
void ps_blocks_finish(PsPtxBlocks *blocks);

#endif
