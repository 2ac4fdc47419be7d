/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Unpacks what compilers compress, and recordings. The libraries for it are on every Debian, but
 * their headers are not: they are loaded when something is compressed, and nothing else needs them.
 */
#ifndef PIPESIM_CARD_UNPACK_H
#define PIPESIM_CARD_UNPACK_H

#include "base/message.h"

G_BEGIN_DECLS

typedef enum { PS_PACKED_LZ4, PS_PACKED_ZSTD } PsPacked;

/* The bytes, `raw` of them, with a zero behind (g_bytes_unref). NULL and *error: PS_ERROR_READ
 * where there is no such library, PS_ERROR_SYNTAX where they are damaged. */
GBytes *ps_unpack(PsPacked packed, gconstpointer data, gsize size, gsize raw, GError **error);

/* The bytes as zstd packs them, fast (g_bytes_unref). NULL: they are not fewer then, or there is no
 * such library. */
GBytes *ps_pack_zstd(gconstpointer data, gsize size);

G_END_DECLS
#endif
