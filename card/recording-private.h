/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of a recording that replay.c uses. */
#ifndef PIPESIM_CARD_RECORDING_PRIVATE_H
#define PIPESIM_CARD_RECORDING_PRIVATE_H

#include "card/chunk.h"
#include "card/recording.h"

G_BEGIN_DECLS

/* Launch n in full, of PS_CHUNK_LAUNCH_TYPE, and the process that it is of (g_variant_unref). NULL
 * and *error. */
GVariant *ps_card_recording_variant(const PsCardRecording *recording, guint n, guint32 *process,
                                    GError **error);

/* The code of that number of that process (PsCardPart; g_ptr_array_unref). NULL and *error. */
GPtrArray *ps_card_recording_code(const PsCardRecording *recording, guint32 process, guint number,
                                  GError **error);

/* What the page holds (g_bytes_unref). NULL and *error. */
GBytes *ps_card_recording_page(const PsCardRecording *recording, guint32 process, guint number,
                               GError **error);

G_END_DECLS
#endif
