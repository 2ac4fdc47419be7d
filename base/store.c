/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results in files. See store.h. A file holds a digest of all that follows it, 32 bytes, and a
 * GVariant: the paths of inputs, digests of their content, and the compressed result.
 */
#include "base/store-inputs.h"

#include <glib/gstdio.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <zlib.h>

#define DIGEST 32
#define MOST_WRITING 600 /* seconds; the writer of an older file with a temporary name has died */
#define FORMAT "(aayaaysay)" /* files, folders, their digests, the result */

struct PsStore {
    char *folder;
    guint64 most;
    PsStoreStates *states;
};

PsStore *ps_store_new(const char *folder, guint64 most_bytes)
{
    PsStore *store = g_new0(PsStore, 1);
    *store = (PsStore){g_strdup(folder), most_bytes, ps_store_states_new()};
    return store;
}

void ps_store_free(PsStore *store)
{
    if (!store)
        return;
    ps_store_states_free(store->states);
    g_free(store->folder);
    g_free(store);
}

/* The part of the folder in which the key's file stands. */
static char *part_of(const PsStore *store, const char *key)
{
    const char name[] = {key[0], '\0'};
    return g_build_filename(store->folder, name, NULL);
}

/* ---- files --------------------------------------------------------------------------------- */

/* Deflate without its own head and checksum, since the file begins with a digest. */
#define RAW (-MAX_WBITS)
#define MEMORY 8

/* The whole output of deflate or inflate; NULL where the input is damaged, or ends too early. */
static GBytes *convert(z_stream *stream, int (*step)(z_stream *, int), const guint8 *data,
                       gsize size)
{
    g_autoptr(GByteArray) out = g_byte_array_new();
    guint8 buffer[65536];
    int result;
    do {
        if (!stream->avail_in) {
            stream->next_in = (guint8 *)(guintptr)data;
            stream->avail_in = (guint)MIN(size, G_MAXINT);
            data += stream->avail_in;
            size -= stream->avail_in;
        }
        stream->next_out = buffer;
        stream->avail_out = sizeof buffer;
        result = step(stream, size > 0 ? Z_NO_FLUSH : Z_FINISH);
        g_byte_array_append(out, buffer, (guint)sizeof buffer - stream->avail_out);
    } while (result == Z_OK || (result == Z_BUF_ERROR && !stream->avail_out));
    return result == Z_STREAM_END ? g_byte_array_free_to_bytes(g_steal_pointer(&out)) : NULL;
}

static GBytes *compressed(GBytes *bytes)
{
    gsize size;
    const guint8 *data = g_bytes_get_data(bytes, &size);
    z_stream stream = {0};
    if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, RAW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    GBytes *packed = convert(&stream, deflate, data, size);
    deflateEnd(&stream);
    return packed;
}

static GBytes *decompressed(GVariant *packed)
{
    z_stream stream = {0};
    if (inflateInit2(&stream, RAW) != Z_OK)
        return NULL;
    GBytes *bytes =
        convert(&stream, inflate, g_variant_get_data(packed), g_variant_get_size(packed));
    inflateEnd(&stream);
    return bytes;
}

static void digest_of(const guint8 *data, gsize size, guint8 digest[DIGEST])
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    gsize length = DIGEST;
    g_checksum_update(sum, data, (gssize)size);
    g_checksum_get_digest(sum, digest, &length);
}

/* The file's content behind its digest; NULL if there is none or the digest differs. Only plain
 * files are read: a pipe would never end. */
static GVariant *read_file(const char *path)
{
    char *data = NULL;
    gsize size = 0;
    guint8 digest[DIGEST];
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR) ||
        !g_file_get_contents(path, &data, &size, NULL))
        return NULL;
    g_autoptr(GBytes) all = g_bytes_new_take(data, size);
    if (size <= DIGEST)
        return NULL;
    digest_of((const guint8 *)data + DIGEST, size - DIGEST, digest);
    if (memcmp(data, digest, DIGEST) != 0)
        return NULL;
    g_autoptr(GBytes) rest = g_bytes_new_from_bytes(all, DIGEST, size - DIGEST);
    return g_variant_ref_sink(g_variant_new_from_bytes(G_VARIANT_TYPE(FORMAT), rest, FALSE));
}

static GVariant *list_of(const GPtrArray *texts)
{
    return g_variant_new_bytestring_array((const char *const *)texts->pdata, (gssize)texts->len);
}

/* The bytes of a file for the store. */
static GBytes *pack(const PsStoreInputs *inputs, const char *state, GBytes *bytes)
{
    g_autoptr(GBytes) packed = compressed(bytes);
    g_autoptr(GVariant) value = g_variant_ref_sink(
        g_variant_new("(@aay@aays@ay)", list_of(inputs->files), list_of(inputs->folders), state,
                      g_variant_new_from_bytes(G_VARIANT_TYPE_BYTESTRING, packed, TRUE)));
    const gsize length = g_variant_get_size(value);
    guint8 *text = g_malloc(DIGEST + length);
    g_variant_store(value, text + DIGEST);
    digest_of(text + DIGEST, length, text);
    return g_bytes_new_take(text, DIGEST + length);
}

/* ---- finding ------------------------------------------------------------------------------- */

static void add_paths(GPtrArray *to, GVariant *list)
{
    g_autofree const char **texts = g_variant_get_bytestring_array(list, NULL);
    for (guint i = 0; texts[i]; i++)
        g_ptr_array_add(to, g_strdup(texts[i]));
}

/* The result, if the inputs are unchanged; they are added to `inputs`. */
static GBytes *unpack(const PsStore *store, GVariant *value, PsStoreInputs *inputs)
{
    g_autoptr(GVariant) files = NULL, folders = NULL, packed = NULL;
    g_autoptr(PsStoreInputs) its = ps_store_inputs_new();
    const char *state;
    g_variant_get(value, "(@aay@aay&s@ay)", &files, &folders, &state, &packed);
    add_paths(its->files, files);
    add_paths(its->folders, folders);
    g_autofree char *now = ps_store_inputs_state(store->states, its);
    if (strcmp(now, state) != 0)
        return NULL;
    GBytes *bytes = decompressed(packed);
    if (bytes && inputs)
        ps_store_inputs_add(inputs, its);
    return bytes;
}

GBytes *ps_store_find(PsStore *store, const char *key, PsStoreInputs *inputs)
{
    g_autofree char *part = part_of(store, key), *path = g_build_filename(part, key, NULL);
    g_autoptr(GVariant) value = read_file(path);
    GBytes *bytes = value ? unpack(store, value, inputs) : NULL;
    /* Marks the result as used now: the store removes the results that were not used for
     * longest. */
    if (bytes)
        utimensat(AT_FDCWD, path, NULL, 0);
    return bytes;
}

/* ---- keeping ------------------------------------------------------------------------------- */

typedef struct {
    char *path;
    guint64 size;
    struct timespec used;
} Kept;

static void kept_free(gpointer data)
{
    g_free(((Kept *)data)->path);
    g_free(data);
}

static int by_use(const void *a, const void *b)
{
    const struct timespec x = (*(Kept *const *)a)->used, y = (*(Kept *const *)b)->used;
    return x.tv_sec != y.tv_sec ? (x.tv_sec > y.tv_sec) - (x.tv_sec < y.tv_sec)
                                : (x.tv_nsec > y.tv_nsec) - (x.tv_nsec < y.tv_nsec);
}

/* TRUE for a temporary name, as GLib makes it, that a writer may still be using. */
static gboolean is_passing(const char *name, const GStatBuf *is)
{
    return strlen(name) > 2 * DIGEST && is->st_mtim.tv_sec > time(NULL) - MOST_WRITING;
}

/* All files of a part, with those that killed writers have left; *total is their size in bytes. */
static GPtrArray *list_part(const char *part, guint64 *total)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(kept_free);
    g_autoptr(GDir) dir = g_dir_open(part, 0, NULL);
    const char *name;
    *total = 0;
    while (dir && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(part, name, NULL);
        GStatBuf is;
        if (g_stat(path, &is) != 0 || is_passing(name, &is))
            continue;
        Kept *kept = g_new(Kept, 1);
        *kept = (Kept){g_steal_pointer(&path), (guint64)is.st_size, is.st_mtim};
        g_ptr_array_add(all, kept);
        *total += kept->size;
    }
    return all;
}

static void make_room(const char *part, guint64 most)
{
    guint64 total;
    g_autoptr(GPtrArray) all = list_part(part, &total);
    g_ptr_array_sort(all, by_use);
    for (guint i = 0; i < all->len && total > most; i++) {
        const Kept *kept = all->pdata[i];
        g_unlink(kept->path);
        total -= kept->size;
    }
}

/* Reports errno's text in place of GLib's, which names the temporary file. */
static gboolean fail(const PsStore *store, const char *why, GError **error)
{
    g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be written: %s", store->folder, why);
    return FALSE;
}

static gboolean write_file(const PsStore *store, const char *part, const char *path, GBytes *text,
                           GError **error)
{
    g_autoptr(GError) why = NULL;
    gsize size;
    const char *data = g_bytes_get_data(text, &size);
    if (g_mkdir_with_parents(part, 0700) != 0)
        return fail(store, g_strerror(errno), error);
    if (g_file_set_contents_full(path, data, (gssize)size, G_FILE_SET_CONTENTS_CONSISTENT, 0600,
                                 &why))
        return TRUE;
    /* "Failed to ... FILE: why" */
    const char *colon = strrchr(why->message, ':');
    return fail(store, colon ? colon + 2 : why->message, error);
}

gboolean ps_store_keep(PsStore *store, const char *key, const PsStoreInputs *inputs, GBytes *bytes,
                       GError **error)
{
    g_autoptr(PsStoreInputs) none = ps_store_inputs_new();
    g_autofree char *part = part_of(store, key), *path = g_build_filename(part, key, NULL);
    g_autofree char *state = ps_store_inputs_state(store->states, inputs ? inputs : none);
    /* Files are compared after their digests were taken, so that a change meanwhile is seen. */
    if (inputs && !ps_store_inputs_are_older(inputs))
        return TRUE;
    g_autoptr(GBytes) text = pack(inputs ? inputs : none, state, bytes);
    if (!write_file(store, part, path, text, error))
        return FALSE;
    make_room(part, store->most / 16);
    return TRUE;
}
