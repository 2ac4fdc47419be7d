/* SPDX-License-Identifier: BSD-3-Clause */
/* See chunk.h. */
#include "card/chunk.h"

#include "card/unpack.h"

#include <string.h>

void ps_chunk_digest(gconstpointer data, gsize size, guint8 digest[PS_CHUNK_DIGEST])
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    gsize length = PS_CHUNK_DIGEST;
    g_checksum_update(sum, data, (gssize)size);
    g_checksum_get_digest(sum, digest, &length);
}

/* ---- writing -------------------------------------------------------------------------------- */

static void add(GByteArray *bytes, guint64 value, guint n)
{
    const guint64 little = GUINT64_TO_LE(value);
    g_byte_array_append(bytes, (const guint8 *)&little, n);
}

GByteArray *ps_chunk_pack(PsChunkKind kind, guint32 process, gconstpointer data, gsize size)
{
    guint8 digest[PS_CHUNK_DIGEST];
    g_autoptr(GBytes) packed = ps_pack_zstd(data, size);
    const gsize kept = packed ? g_bytes_get_size(packed) : size;
    GByteArray *bytes = g_byte_array_sized_new((guint)(PS_CHUNK_HEAD + kept));
    ps_chunk_digest(data, size, digest);
    add(bytes, kind, 4);
    add(bytes, process, 4);
    add(bytes, size, 8);
    add(bytes, kept, 8);
    g_byte_array_append(bytes, digest, sizeof digest);
    g_byte_array_append(bytes, packed ? g_bytes_get_data(packed, NULL) : data, (guint)kept);
    return bytes;
}

/* ---- reading -------------------------------------------------------------------------------- */

static guint64 number(const guint8 *at, guint n)
{
    guint64 little = 0;
    memcpy(&little, at, n);
    return GUINT64_FROM_LE(little);
}

gboolean ps_chunk_next(const guint8 *bytes, gsize size, gsize *at, PsChunk *chunk)
{
    if (*at > size || size - *at < PS_CHUNK_HEAD)
        return FALSE;
    const guint8 *head = bytes + *at;
    *chunk = (PsChunk){.kind = (PsChunkKind)number(head, 4),
                       .process = (guint32)number(head + 4, 4),
                       .raw = number(head + 8, 8),
                       .kept = number(head + 16, 8),
                       .head = head,
                       .data = head + PS_CHUNK_HEAD};
    memcpy(chunk->digest, head + 24, PS_CHUNK_DIGEST);
    if (chunk->kept > size - *at - PS_CHUNK_HEAD || chunk->kept > chunk->raw)
        return FALSE;
    *at += PS_CHUNK_HEAD + chunk->kept;
    return TRUE;
}

static GBytes *damaged(GError **error)
{
    g_set_error_literal(error, PS_ERROR, PS_ERROR_SYNTAX,
                        "it was changed: a part of it is not what was written");
    return NULL;
}

GBytes *ps_chunk_unpack(const PsChunk *chunk, GError **error)
{
    guint8 digest[PS_CHUNK_DIGEST];
    GError *why = NULL;
    g_autoptr(GBytes) packed = chunk->kept == chunk->raw ? NULL
                                                         : ps_unpack(PS_PACKED_ZSTD, chunk->data,
                                                                     chunk->kept, chunk->raw, &why);
    const guint8 *data = packed ? g_bytes_get_data(packed, NULL) : chunk->data;
    if (g_error_matches(why, PS_ERROR, PS_ERROR_SYNTAX)) {
        g_error_free(why);
        return damaged(error);
    }
    if (why) {
        g_error_free(why);
        g_set_error_literal(error, PS_ERROR, PS_ERROR_READ,
                            "libzstd.so.1, which unpacks it, cannot be loaded");
        return NULL;
    }
    ps_chunk_digest(data, chunk->raw, digest);
    if (memcmp(digest, chunk->digest, sizeof digest) != 0)
        return damaged(error);
    return packed ? g_bytes_new_from_bytes(packed, 0, chunk->raw) : g_bytes_new(data, chunk->raw);
}
