/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A recording may be any bytes, and any chunks with digests that fit: it is refused, or its
 * launches have graphs or errors, the same each time.
 */
#include "card/chunk.h"
#include "card/recording.h"
#include "card/replay.h"

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

/* More launches of an input are not looked at. */
enum { MOST_LAUNCHES = 4 };

/* No assembler is found, so that no other program is started. */
static const PsGpu *the_gpu(void)
{
    static PsGpu *gpu;
    if (gpu)
        return gpu;
    g_setenv("PATH", "/none", TRUE);
    g_setenv("CUDA_HOME", "/none", TRUE);
    gpu = ps_gpu_load("gpus/pascal.xml", NULL);
    g_assert_nonnull(gpu);
    return gpu;
}

static PsIdg *graph_of(PsCardReplay *replay, guint n)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    PsIdg *idg = ps_card_replay_graph(replay, n, NULL, notes, &error);
    g_assert_true(!idg == (error != NULL));
    return idg;
}

static void look(GBytes *bytes)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsCardRecording) recording = ps_card_recording_new(bytes, "input", &error);
    g_assert_true(!recording == (error != NULL));
    if (!recording)
        return;
    g_autoptr(PsCardReplay) replay = ps_card_replay_new(recording, the_gpu(), FALSE);
    const guint n = MIN(ps_card_recording_count(recording), MOST_LAUNCHES);
    for (guint i = 1; i <= n; i++) {
        PsCardRecordedLaunch launch;
        ps_card_recording_launch(recording, i, &launch, NULL);
        g_autoptr(PsIdg) idg = graph_of(replay, i), again = graph_of(replay, i);
        g_assert_true(!idg == !again);
    }
}

static gboolean collect(gpointer data, gconstpointer bytes, gsize size, GError **error)
{
    (void)error;
    g_byte_array_append(data, bytes, (guint)size);
    return TRUE;
}

/* The input as chunks: a byte for the kind, two for the size, and as much. */
static void look_at_chunks(const guint8 *data, gsize size)
{
    g_autoptr(GByteArray) chunks = g_byte_array_new(), all = g_byte_array_new();
    gboolean cut;
    while (size >= 3) {
        const gsize bytes = MIN((gsize)(data[1] | data[2] << 8), size - 3);
        g_autoptr(GByteArray) chunk =
            ps_chunk_pack((PsChunkKind)(data[0] % PS_CHUNK_END), 1, data + 3, bytes);
        g_byte_array_append(chunks, chunk->data, chunk->len);
        data += 3 + bytes;
        size -= 3 + bytes;
    }
    g_autoptr(GBytes) unfinished = g_bytes_new(chunks->data, chunks->len);
    g_assert_true(ps_card_recording_finish(unfinished, collect, all, &cut, NULL) && !cut);
    g_autoptr(GBytes) whole = g_bytes_new(all->data, all->len);
    look(whole);
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    g_autoptr(GBytes) whole = g_bytes_new(data, size);
    look(whole);
    look_at_chunks(data, size);
    return 0;
}
