/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of memory as they once were. The first of them lie in memory, and all others in a file
 * without a name, so that a launch that overwrites most of a program's memory does not take as much
 * again. The file goes with the process, however that ends.
 */
#ifndef PIPESIM_CARD_KEPT_H
#define PIPESIM_CARD_KEPT_H

#include "base/message.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct PsCardKept PsCardKept;

/* The number of a block; 0: none. */
typedef guint64 PsCardKeptBlock;

/* Keeps `most` bytes of blocks in memory; more are only where no file can be had. */
PsCardKept *ps_card_kept_new(gsize most);
void ps_card_kept_free(PsCardKept *kept);

/* Keeps what a block of at most PS_PTX_BLOCK bytes holds. */
PsCardKeptBlock ps_card_kept_add(PsCardKept *kept, const guint8 *data, gsize bytes);

/* Copies that block, of so many bytes. FALSE: the file cannot be read. */
gboolean ps_card_kept_copy(const PsCardKept *kept, PsCardKeptBlock block, guint8 *to, gsize bytes);

/* Gives the block's room to others. */
void ps_card_kept_drop(PsCardKept *kept, PsCardKeptBlock block, gsize bytes);

/* `most` bytes may lie in memory from now on. */
void ps_card_kept_limit(PsCardKept *kept, gsize most);

/* Bytes of blocks that lie in memory. */
gsize ps_card_kept_held(const PsCardKept *kept);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCardKept, ps_card_kept_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
