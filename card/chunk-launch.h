/* SPDX-License-Identifier: BSD-3-Clause */
/* The chunks of a recording as variants, made of what a launch begins with. All variants that are
 * returned are floating. */
#ifndef PIPESIM_CARD_CHUNK_LAUNCH_H
#define PIPESIM_CARD_CHUNK_LAUNCH_H

#include "card/chunk.h"

G_BEGIN_DECLS

/* Members are as PS_CHUNK_LAUNCH_TYPE says; all is borrowed. */
typedef struct {
    const char *kernel;
    guint code;
    const guint *grid, *block, *cluster;
    guint64 shared;
    gboolean cooperative;
    guint stream;
    guint64 work[3];
    gboolean good;
} PsChunkLaunch;

typedef struct {
    guint64 address, size;
    guint kind; /* PsCardKind */
    const char *name;
    gboolean is_variable;
    const guint32 *pairs; /* n blocks, each with the number of its page behind it */
    gsize n;
} PsChunkPiece;

typedef struct {
    const char *kernel;
    const guint *grid, *block;
    guint64 shared;
    guint stream;
    const char *why;
} PsChunkLeft;

/* Takes the floating variants: an array of arguments ("aay"), of textures, of pieces. */
GVariant *ps_chunk_launch_variant(const PsChunkLaunch *launch, GVariant *arguments,
                                  GVariant *textures, GVariant *pieces);
void ps_chunk_add_argument(GVariantBuilder *arguments, gconstpointer data, gsize size);
void ps_chunk_add_piece(GVariantBuilder *pieces, const PsChunkPiece *piece);
GVariant *ps_chunk_left_variant(const PsChunkLeft *left);

/* Parts of an image (PsCardPart) as a variant. */
GVariant *ps_chunk_code_variant(const GPtrArray *parts);

/* Takes a floating variant. Returns its bytes in the order of files, which is little-endian
 * (g_variant_unref). */
GVariant *ps_chunk_little(GVariant *floating);

G_END_DECLS
#endif
