/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the file of a recording from its chunks, as they come. */
#ifndef PIPESIM_CARD_RECORDING_WRITE_H
#define PIPESIM_CARD_RECORDING_WRITE_H

#include "card/chunk.h"
#include "card/recording.h"

G_BEGIN_DECLS

typedef struct PsCardWriter PsCardWriter;

/* Bytes go to `put`, which gets data. */
PsCardWriter *ps_card_writer_new(PsCardPut put, gpointer data);
void ps_card_writer_free(PsCardWriter *writer);

/* Writes chunks that are packed (ps_chunk_pack), whole ones. FALSE and *error of `put`. */
gboolean ps_card_writer_put(PsCardWriter *writer, const guint8 *chunks, gsize size, GError **error);

/* Writes the end, without which the file is no recording. FALSE and *error of `put`. */
gboolean ps_card_writer_end(PsCardWriter *writer, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCardWriter, ps_card_writer_free)

G_END_DECLS
#endif
