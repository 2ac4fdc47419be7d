/* SPDX-License-Identifier: BSD-3-Clause */
/* See recording.h. */
#include "card/recording-private.h"

#include "card/image.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Chunks of one process, by number. */
typedef struct {
    GArray *pages, *codes, *launches, *left; /* PsChunk */
    GArray *places; /* guint, for each of `launches`: its number in the recording, from 1 */
    GArray *all;    /* guint: the number of each launch, whatever its chunk */
} Process;

/* The place of a launch in the recording. */
typedef struct {
    guint32 process;
    PsChunkKind kind;
    guint number;   /* from 1, among its process's chunks of that kind; PS_CHUNK_SAME: the
                       first's */
    guint first;    /* number in the recording, from 1 */
    guint stream;   /* stream, if PS_CHUNK_SAME */
    guint device;   /* from 1; 0: unknown */
    double seconds; /* NaN: not measured */
} Launch;

struct PsCardRecording {
    char *name;
    GBytes *bytes;
    GHashTable *processes; /* number -> Process */
    GArray *launches;      /* Launch */
    GPtrArray *devices;    /* PsCardDevice */
    GStringChunk *texts;   /* names of kernels and devices, and reasons */
};

static gboolean fail(const PsCardRecording *recording, const char *why, GError **error)
{
    g_set_error(error, PS_ERROR, PS_ERROR_SYNTAX, "%s: %s", recording->name, why);
    return FALSE;
}

static gboolean fail_changed(const PsCardRecording *recording, GError **error)
{
    return fail(recording, "the recording was changed since it was made", error);
}

/* ---- opening -------------------------------------------------------------------------------- */

gboolean ps_card_recording_is(const char *path)
{
    char first[sizeof PS_CHUNK_ANY_VERSION - 1];
    FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "rb") : NULL;
    const gboolean is = file && fread(first, sizeof first, 1, file) == 1 &&
                        memcmp(first, PS_CHUNK_ANY_VERSION, sizeof first) == 0;
    if (file)
        fclose(file);
    return is;
}

static void free_process(gpointer data)
{
    Process *process = data;
    g_array_unref(process->pages);
    g_array_unref(process->codes);
    g_array_unref(process->launches);
    g_array_unref(process->left);
    g_array_unref(process->places);
    g_array_unref(process->all);
    g_free(process);
}

static Process *process_of(const PsCardRecording *recording, guint32 number)
{
    return g_hash_table_lookup(recording->processes, GUINT_TO_POINTER(number));
}

static Process *add_process(const PsCardRecording *recording, guint32 number)
{
    Process *process = process_of(recording, number);
    if (process)
        return process;
    process = g_new0(Process, 1);
    process->pages = g_array_new(FALSE, FALSE, sizeof(PsChunk));
    process->codes = g_array_new(FALSE, FALSE, sizeof(PsChunk));
    process->launches = g_array_new(FALSE, FALSE, sizeof(PsChunk));
    process->left = g_array_new(FALSE, FALSE, sizeof(PsChunk));
    process->places = g_array_new(FALSE, FALSE, sizeof(guint));
    process->all = g_array_new(FALSE, FALSE, sizeof(guint));
    g_hash_table_insert(recording->processes, GUINT_TO_POINTER(number), process);
    return process;
}

/* The content of a chunk, as that type (g_variant_unref). NULL and *error. */
static GVariant *variant_of(const PsCardRecording *recording, const PsChunk *chunk,
                            const char *type, GError **error)
{
    g_autoptr(GBytes) bytes = ps_chunk_unpack(chunk, error);
    if (!bytes) {
        g_prefix_error(error, "%s: ", recording->name);
        return NULL;
    }
    g_autoptr(GVariant) little =
        g_variant_ref_sink(g_variant_new_from_bytes(G_VARIANT_TYPE(type), bytes, FALSE));
    if (!g_variant_is_normal_form(little)) {
        fail_changed(recording, error);
        return NULL;
    }
    return G_BYTE_ORDER == G_BIG_ENDIAN ? g_variant_byteswap(little) : g_variant_ref(little);
}

/* Appends the launch. */
static void append(const PsCardRecording *recording, Process *process, Launch launch)
{
    const guint place = recording->launches->len + 1;
    launch.first = launch.first ? launch.first : place;
    launch.seconds = NAN;
    g_array_append_val(recording->launches, launch);
    g_array_append_val(process->all, place);
}

static void add_launch(const PsCardRecording *recording, Process *process, const PsChunk *chunk)
{
    const guint place = recording->launches->len + 1;
    g_array_append_val(process->launches, *chunk);
    g_array_append_val(process->places, place);
    append(
        recording, process,
        (Launch){.process = chunk->process, .kind = chunk->kind, .number = process->launches->len});
}

static void add_left(const PsCardRecording *recording, Process *process, const PsChunk *chunk)
{
    g_array_append_val(process->left, *chunk);
    append(recording, process,
           (Launch){.process = chunk->process, .kind = chunk->kind, .number = process->left->len});
}

static gboolean add_same(const PsCardRecording *recording, Process *process, const PsChunk *chunk,
                         GError **error)
{
    Launch launch = {.process = chunk->process, .kind = chunk->kind};
    g_autoptr(GVariant) same = variant_of(recording, chunk, PS_CHUNK_SAME_TYPE, error);
    if (!same)
        return FALSE;
    g_variant_get(same, PS_CHUNK_SAME_TYPE, &launch.number, &launch.stream);
    if (launch.number == 0 || launch.number > process->places->len)
        return fail_changed(recording, error);
    launch.first = g_array_index(process->places, guint, launch.number - 1);
    append(recording, process, launch);
    return TRUE;
}

static gboolean add_device(const PsCardRecording *recording, const PsChunk *chunk, GError **error)
{
    g_autoptr(GVariant) variant = variant_of(recording, chunk, PS_CHUNK_DEVICE_TYPE, error);
    const char *name;
    if (!variant)
        return FALSE;
    PsCardDevice *device = g_new0(PsCardDevice, 1);
    g_variant_get(variant, "(&suu)", &name, &device->capability, &device->compute_units);
    device->name = g_string_chunk_insert_const(recording->texts, name);
    g_ptr_array_add(recording->devices, device);
    return TRUE;
}

static gboolean add_time(const PsCardRecording *recording, const Process *process,
                         const PsChunk *chunk, GError **error)
{
    g_autoptr(GVariant) variant = variant_of(recording, chunk, PS_CHUNK_TIME_TYPE, error);
    guint32 number, device;
    double seconds;
    if (!variant)
        return FALSE;
    g_variant_get(variant, PS_CHUNK_TIME_TYPE, &number, &device, &seconds);
    if (number == 0 || number > process->all->len || device > recording->devices->len ||
        !(seconds > 0) || isinf(seconds))
        return fail_changed(recording, error);
    Launch *launch = &g_array_index(recording->launches, Launch,
                                    g_array_index(process->all, guint, number - 1) - 1);
    launch->seconds = seconds;
    launch->device = device;
    return TRUE;
}

static gboolean add_chunk(const PsCardRecording *recording, const PsChunk *chunk, GError **error)
{
    Process *process = add_process(recording, chunk->process);
    switch (chunk->kind) {
    case PS_CHUNK_CODE:
        g_array_append_val(process->codes, *chunk);
        return TRUE;
    case PS_CHUNK_PAGE:
        g_array_append_val(process->pages, *chunk);
        return TRUE;
    case PS_CHUNK_LAUNCH:
        add_launch(recording, process, chunk);
        return TRUE;
    case PS_CHUNK_SAME:
        return add_same(recording, process, chunk, error);
    case PS_CHUNK_LEFT:
        add_left(recording, process, chunk);
        return TRUE;
    case PS_CHUNK_DEVICE:
        return add_device(recording, chunk, error);
    case PS_CHUNK_TIME:
        return add_time(recording, process, chunk, error);
    case PS_CHUNK_END:
        break;
    }
    return fail_changed(recording, error);
}

/* The last chunk has a digest of all other chunks' heads, and these have the digests of their
 * contents. */
static gboolean read_chunks(const PsCardRecording *recording, GError **error)
{
    gsize size, at = sizeof PS_CHUNK_FIRST_LINE - 1;
    const guint8 *bytes = g_bytes_get_data(recording->bytes, &size);
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    guint8 digest[PS_CHUNK_DIGEST];
    gsize length = sizeof digest;
    PsChunk chunk;
    gboolean whole;
    while ((whole = ps_chunk_next(bytes, size, &at, &chunk)) && chunk.kind != PS_CHUNK_END) {
        g_checksum_update(sum, chunk.head, PS_CHUNK_HEAD);
        if (!add_chunk(recording, &chunk, error))
            return FALSE;
    }
    if (!whole)
        return fail(recording, "the recording was cut: its end is missing", error);
    g_checksum_get_digest(sum, digest, &length);
    g_autoptr(GBytes) stated = ps_chunk_unpack(&chunk, NULL);
    if (!stated || at != size || chunk.process != 0 || g_bytes_get_size(stated) != sizeof digest ||
        memcmp(g_bytes_get_data(stated, NULL), digest, sizeof digest) != 0)
        return fail_changed(recording, error);
    return TRUE;
}

static gboolean check_version(const PsCardRecording *recording, GError **error)
{
    gsize size;
    const char *bytes = g_bytes_get_data(recording->bytes, &size);
    const gsize first = sizeof PS_CHUNK_FIRST_LINE - 1, any = sizeof PS_CHUNK_ANY_VERSION - 1;
    if (size >= first && memcmp(bytes, PS_CHUNK_FIRST_LINE, first) == 0)
        return TRUE;
    if (size < any || memcmp(bytes, PS_CHUNK_ANY_VERSION, any) != 0)
        return fail(recording, "it is no recording of a program", error);
    const char *end = memchr(bytes, '\n', MIN(size, 2 * first));
    if (!end)
        return fail(recording, "the recording was cut: its end is missing", error);
    g_autofree char *version = g_strndup(bytes + any, (gsize)(end - bytes) - any);
    g_autofree char *clean = ps_text_clean(version);
    g_set_error(
        error, PS_ERROR, PS_ERROR_VALUE,
        "%s: the recording is of version %s, and this pipesim reads version " PS_CHUNK_VERSION
        ": record the program again",
        recording->name, clean);
    return FALSE;
}

PsCardRecording *ps_card_recording_new(GBytes *bytes, const char *name, GError **error)
{
    g_autoptr(PsCardRecording) recording = g_new0(PsCardRecording, 1);
    recording->name = g_strdup(name);
    recording->bytes = g_bytes_ref(bytes);
    recording->processes = g_hash_table_new_full(NULL, NULL, NULL, free_process);
    recording->launches = g_array_new(FALSE, FALSE, sizeof(Launch));
    recording->devices = g_ptr_array_new_with_free_func(g_free);
    recording->texts = g_string_chunk_new(256);
    return check_version(recording, error) && read_chunks(recording, error)
               ? g_steal_pointer(&recording)
               : NULL;
}

PsCardRecording *ps_card_recording_open(const char *path, GError **error)
{
    g_autoptr(GError) why = NULL;
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, &why);
    if (!file) {
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be read: %s", path, why->message);
        return NULL;
    }
    g_autoptr(GBytes) bytes = g_mapped_file_get_bytes(file);
    return ps_card_recording_new(bytes, path, error);
}

void ps_card_recording_free(PsCardRecording *recording)
{
    if (!recording)
        return;
    g_hash_table_unref(recording->processes);
    g_array_unref(recording->launches);
    g_ptr_array_unref(recording->devices);
    g_string_chunk_free(recording->texts);
    g_bytes_unref(recording->bytes);
    g_free(recording->name);
    g_free(recording);
}

/* ---- what it has ---------------------------------------------------------------------------- */

const char *ps_card_recording_name(const PsCardRecording *recording)
{
    return recording->name;
}

guint ps_card_recording_count(const PsCardRecording *recording)
{
    return recording->launches->len;
}

/* Chunk `number` of a kind, from 1. NULL and *error: there is none. */
static const PsChunk *chunk_of(const PsCardRecording *recording, const GArray *chunks, guint number,
                               GError **error)
{
    if (number > 0 && number <= chunks->len)
        return &g_array_index(chunks, PsChunk, number - 1);
    fail_changed(recording, error);
    return NULL;
}

static const Launch *launch_at(const PsCardRecording *recording, guint n)
{
    return &g_array_index(recording->launches, Launch, n - 1);
}

GVariant *ps_card_recording_variant(const PsCardRecording *recording, guint n, guint32 *process,
                                    GError **error)
{
    const Launch *launch = launch_at(recording, n);
    const Process *of = process_of(recording, launch->process);
    *process = launch->process;
    if (launch->kind == PS_CHUNK_LEFT) {
        PsCardRecordedLaunch told;
        if (ps_card_recording_launch(recording, n, &told, error))
            g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "%s: launch %u is not in it: %s",
                        recording->name, n, told.left);
        return NULL;
    }
    const PsChunk *chunk = chunk_of(recording, of->launches, launch->number, error);
    return chunk ? variant_of(recording, chunk, PS_CHUNK_LAUNCH_TYPE, error) : NULL;
}

static gboolean tell_left(const PsCardRecording *recording, const Launch *at,
                          PsCardRecordedLaunch *launch, GError **error)
{
    const Process *process = process_of(recording, at->process);
    const PsChunk *chunk = chunk_of(recording, process->left, at->number, error);
    g_autoptr(GVariant) all =
        chunk ? variant_of(recording, chunk, PS_CHUNK_LEFT_TYPE, error) : NULL;
    const char *kernel, *why;
    guint *grid = launch->grid, *block = launch->block;
    if (!all)
        return FALSE;
    g_variant_get(all, "(&s(uuu)(uuu)tu&s)", &kernel, &grid[0], &grid[1], &grid[2], &block[0],
                  &block[1], &block[2], &launch->shared, &launch->stream, &why);
    launch->kernel = g_string_chunk_insert_const(recording->texts, kernel);
    launch->left = g_string_chunk_insert_const(recording->texts, why);
    launch->good = TRUE;
    return TRUE;
}

static gboolean tell_whole(const PsCardRecording *recording, guint n, const Launch *at,
                           PsCardRecordedLaunch *launch, GError **error)
{
    guint32 process;
    g_autoptr(GVariant) all = ps_card_recording_variant(recording, n, &process, error);
    const char *kernel;
    guint *grid = launch->grid, *block = launch->block;
    if (!all)
        return FALSE;
    g_variant_get_child(all, 0, "&s", &kernel);
    g_variant_get_child(all, 2, "(uuu)", &grid[0], &grid[1], &grid[2]);
    g_variant_get_child(all, 3, "(uuu)", &block[0], &block[1], &block[2]);
    g_variant_get_child(all, 5, "t", &launch->shared);
    g_variant_get_child(all, 7, "u", &launch->stream);
    g_variant_get_child(all, 9, "b", &launch->good);
    launch->kernel = g_string_chunk_insert_const(recording->texts, kernel);
    launch->left = NULL;
    launch->stream = at->kind == PS_CHUNK_SAME ? at->stream : launch->stream;
    return TRUE;
}

gboolean ps_card_recording_launch(const PsCardRecording *recording, guint n,
                                  PsCardRecordedLaunch *launch, GError **error)
{
    const Launch *at = launch_at(recording, n);
    launch->first = at->first;
    launch->measured = at->seconds;
    launch->device = at->device ? recording->devices->pdata[at->device - 1] : NULL;
    return at->kind == PS_CHUNK_LEFT ? tell_left(recording, at, launch, error)
                                     : tell_whole(recording, n, at, launch, error);
}

GPtrArray *ps_card_recording_code(const PsCardRecording *recording, guint32 process, guint number,
                                  GError **error)
{
    const PsChunk *chunk =
        chunk_of(recording, process_of(recording, process)->codes, number, error);
    g_autoptr(GVariant) all =
        chunk ? variant_of(recording, chunk, PS_CHUNK_CODE_TYPE, error) : NULL;
    g_autoptr(GPtrArray) parts = ps_card_parts_new();
    for (gsize i = 0; all && i < g_variant_n_children(all); i++) {
        g_autoptr(GVariant) one = g_variant_get_child_value(all, i);
        g_autoptr(GVariant) bytes = g_variant_get_child_value(one, 2);
        PsCardPart *part = g_new0(PsCardPart, 1);
        g_variant_get_child(one, 0, "b", &part->ptx);
        g_variant_get_child(one, 1, "u", &part->target);
        part->bytes = g_variant_get_data_as_bytes(bytes);
        g_ptr_array_add(parts, part);
        const gsize size = g_bytes_get_size(part->bytes);
        if (part->ptx && (!size || ((const char *)g_bytes_get_data(part->bytes, NULL))[size - 1])) {
            fail_changed(recording, error);
            return NULL;
        }
    }
    return all ? g_steal_pointer(&parts) : NULL;
}

GBytes *ps_card_recording_page(const PsCardRecording *recording, guint32 process, guint number,
                               GError **error)
{
    const PsChunk *chunk =
        chunk_of(recording, process_of(recording, process)->pages, number, error);
    GBytes *page = chunk ? ps_chunk_unpack(chunk, error) : NULL;
    if (chunk && !page)
        g_prefix_error(error, "%s: ", recording->name);
    return page;
}
