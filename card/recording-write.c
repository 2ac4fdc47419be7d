/* SPDX-License-Identifier: BSD-3-Clause */
/* See recording-write.h. */
#include "card/recording-write.h"

struct PsCardWriter {
    PsCardPut put;
    gpointer data;
    GChecksum *sum; /* over the heads of all chunks */
    gboolean begun;
};

PsCardWriter *ps_card_writer_new(PsCardPut put, gpointer data)
{
    PsCardWriter *writer = g_new0(PsCardWriter, 1);
    writer->put = put;
    writer->data = data;
    writer->sum = g_checksum_new(G_CHECKSUM_SHA256);
    return writer;
}

void ps_card_writer_free(PsCardWriter *writer)
{
    if (!writer)
        return;
    g_checksum_free(writer->sum);
    g_free(writer);
}

static gboolean begin(PsCardWriter *writer, GError **error)
{
    if (writer->begun)
        return TRUE;
    writer->begun = TRUE;
    return writer->put(writer->data, PS_CHUNK_FIRST_LINE, sizeof PS_CHUNK_FIRST_LINE - 1, error);
}

gboolean ps_card_writer_put(PsCardWriter *writer, const guint8 *chunks, gsize size, GError **error)
{
    gsize at = 0;
    PsChunk chunk;
    while (ps_chunk_next(chunks, size, &at, &chunk))
        g_checksum_update(writer->sum, chunk.head, PS_CHUNK_HEAD);
    return begin(writer, error) && (size == 0 || writer->put(writer->data, chunks, size, error));
}

gboolean ps_card_writer_end(PsCardWriter *writer, GError **error)
{
    guint8 digest[PS_CHUNK_DIGEST];
    gsize length = sizeof digest;
    g_checksum_get_digest(writer->sum, digest, &length);
    g_autoptr(GByteArray) end = ps_chunk_pack(PS_CHUNK_END, 0, digest, sizeof digest);
    return begin(writer, error) && writer->put(writer->data, end->data, end->len, error);
}

gboolean ps_card_recording_finish(GBytes *chunks, PsCardPut put, gpointer data, gboolean *cut,
                                  GError **error)
{
    g_autoptr(PsCardWriter) writer = ps_card_writer_new(put, data);
    gsize size, at = 0;
    const guint8 *bytes = g_bytes_get_data(chunks, &size);
    PsChunk chunk;
    while (ps_chunk_next(bytes, size, &at, &chunk))
        ;
    *cut = at != size;
    return ps_card_writer_put(writer, bytes, at, error) && ps_card_writer_end(writer, error);
}
