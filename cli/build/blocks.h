/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Buffers that are filled where they are touched first, block by block: a kernel of which a few
 * groups are executed reads little of them. What a block holds is the same, whichever came before.
 */
#ifndef PIPESIM_CLI_BUILD_BLOCKS_H
#define PIPESIM_CLI_BUILD_BLOCKS_H

#include "pipesim.h"

typedef struct {
    gboolean random; /* else 0, 1, 2, ... */
    PsPtxType type;  /* of an element */
    guint32 seed;
    guint64 below; /* random: fractions from 0 up to it, whole numbers likewise; 0: up to 1, all
                      that the type has */
} BlocksFill;

/* For a buffer of zeros, which must outlive it. Bytes behind the last whole element stay zero. */
PsPtxBlocks *blocks_new(const BlocksFill *fill, guint8 *data, gsize size);
void blocks_free(PsPtxBlocks *blocks);

/* Fills what is not filled yet; NULL is fine. */
void blocks_finish(PsPtxBlocks *blocks);

#endif
