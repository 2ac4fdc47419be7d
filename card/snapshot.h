/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory before a launch: blocks are copied when the launch first writes them. The launch can
 * then be executed once more from there, on copies, so that its graph is that of the launch as it
 * was.
 */
#ifndef PIPESIM_CARD_SNAPSHOT_H
#define PIPESIM_CARD_SNAPSHOT_H

#include "card/memory.h"
#include "ptx/run/launch.h"

G_BEGIN_DECLS

typedef struct PsCardSnapshot PsCardSnapshot;

/* Hears of each block before the launch, or its simulation, reads or writes it for the first time.
 * One thread at a time calls it. */
typedef void (*PsCardTouched)(gpointer data, const PsCardPiece *piece, gsize block);

/* It has all pieces of the memory; keeps FALSE: nothing of what they held is kept. touched: NULL,
 * or a listener to what the launch touches. */
PsCardSnapshot *ps_card_snapshot_new(const PsCardMemory *memory, gboolean keeps,
                                     PsCardTouched touched, gpointer data);

/* Bytes of that block of a piece: the last has fewer than others. */
gsize ps_card_block_bytes(const PsCardPiece *piece, gsize block);
void ps_card_snapshot_free(PsCardSnapshot *snapshot);

/* Piece n as the launch sees it. */
PsPtxPlaced ps_card_snapshot_live(PsCardSnapshot *snapshot, guint n);

/* Piece n as it was, at the same address; what is written there is the snapshot's. NULL data where
 * there is no room. */
PsPtxPlaced ps_card_snapshot_before(PsCardSnapshot *snapshot, guint n);

/* Copies what a kernel wrote in pieces as they were to memory, once; the snapshot keeps the content
 * before. */
void ps_card_snapshot_take(PsCardSnapshot *snapshot);

/* TRUE if the launch wrote piece n, or that was taken. The snapshot keeps what memory held. */
gboolean ps_card_snapshot_wrote(const PsCardSnapshot *snapshot, guint n);

/* Takes the stamps of all blocks that the launch wrote, or may have written. */
void ps_card_snapshot_changed(const PsCardSnapshot *snapshot);

/* Copies the launch's result to a place in the pieces as they were. For PsPtxOthers: TRUE where the
 * content changes. */
gboolean ps_card_snapshot_bring(gpointer snapshot, guint64 address, guint bytes);

/* Makes all pieces anew as they were, for another execution. */
void ps_card_snapshot_renew(const PsCardSnapshot *snapshot);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCardSnapshot, ps_card_snapshot_free)

G_END_DECLS
#endif
