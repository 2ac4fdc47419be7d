/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See cubins.h.
 */
#include "latency-bench/device/cubins.h"

#include "base/file.h"
#include "latency-bench/internal.h"

#include <errno.h>
#include <string.h>

#define FORMAT "pipesim cubins 1 "
#define TYPE "a(ssay)"

/* Bytes; more than all kernels of one architecture take. */
#define MAX_BYTES (256 * 1024 * 1024)

#define REMEDY "precompile it anew"

/* The SHA-256 of the text before the checksum and of everything behind its line (g_free). */
static char *checksum(const char *words, gsize length, const void *data, gsize bytes)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(sum, (const guchar *)words, (gssize)length);
    g_checksum_update(sum, data, (gssize)bytes);
    return g_strdup(g_checksum_get_string(sum));
}

/* ---- making -------------------------------------------------------------------------------- */

static GVariant *pack_kernel(const PsNvrtc *nvrtc, const PsBenchKernel *kernel,
                             const char *architecture, GError **error)
{
    g_autoptr(GBytes) cubin = ps_nvrtc_compile(nvrtc, kernel, architecture, NULL, error);
    if (!cubin)
        return NULL;
    g_autofree char *source = ps_bench_source(kernel, "CUDA");
    g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, source, -1);
    return g_variant_new("(ss@ay)", kernel->name, hash,
                         g_variant_new_from_bytes(G_VARIANT_TYPE_BYTESTRING, cubin, TRUE));
}

GBytes *ps_cubins_pack(const PsNvrtc *nvrtc, const GPtrArray *kernels, const char *architecture,
                       GError **error)
{
    g_auto(GVariantBuilder) builder = G_VARIANT_BUILDER_INIT(G_VARIANT_TYPE(TYPE));
    for (guint i = 0; i < kernels->len; i++) {
        const PsBenchKernel *kernel = kernels->pdata[i];
        int capability;
        if ((kernel->backends && !strstr(kernel->backends, "CUDA")) ||
            (ps_nvrtc_parse(architecture, &capability) && capability < kernel->since))
            continue;
        GVariant *packed = pack_kernel(nvrtc, kernel, architecture, error);
        if (!packed)
            return NULL;
        g_variant_builder_add_value(&builder, packed);
    }
    g_autoptr(GVariant) all = g_variant_ref_sink(g_variant_builder_end(&builder));
    const gsize bytes = g_variant_get_size(all);
    GString *file = g_string_new(NULL);
    g_string_printf(file, FORMAT "%s %d.%d", architecture, nvrtc->major, nvrtc->minor);
    g_autofree char *sum = checksum(file->str, file->len, g_variant_get_data(all), bytes);
    g_string_append_printf(file, " %s\n", sum);
    g_string_append_len(file, g_variant_get_data(all), (gssize)bytes);
    return g_string_free_to_bytes(file);
}

/* ---- which archive ------------------------------------------------------------------------- */

/* int: the capabilities of the archives in a folder, ascending. NULL and *error. */
static GArray *list_folder(const char *folder, GError **error)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const int why = errno;
    if (!dir) {
        ps_error_at(error, PS_ERROR_READ, (PsPlace){folder, 0},
                    "this folder of cubins cannot be read: %s", g_strerror(why));
        return NULL;
    }
    GArray *found = g_array_new(FALSE, FALSE, sizeof(int));
    const char *name;
    while ((name = g_dir_read_name(dir)) != NULL) {
        int capability;
        g_autofree char *stem = g_str_has_suffix(name, PS_CUBINS_ENDING)
                                    ? g_strndup(name, strlen(name) - strlen(PS_CUBINS_ENDING))
                                    : NULL;
        if (!stem || !ps_nvrtc_parse(stem, &capability))
            continue;
        guint at = 0;
        while (at < found->len && g_array_index(found, int, at) < capability)
            at++;
        g_array_insert_val(found, at, capability);
    }
    return found;
}

/* 0 and *error, which names the archives that there are. */
static int choose(const char *folder, int capability, GError **error)
{
    g_autoptr(GArray) found = list_folder(folder, error);
    g_autoptr(GString) list = g_string_new(NULL);
    int best = 0;
    if (!found)
        return 0;
    for (guint i = 0; i < found->len; i++) {
        const int one = g_array_index(found, int, i);
        if (one / 10 == capability / 10 && one <= capability)
            best = one;
        g_string_append_printf(list, "%ssm_%d", list->len ? ", " : "", one);
    }
    if (best)
        return best;
    if (list->len)
        ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0},
                    "the cubins in %s are for %s; this GPU is sm_%d", folder, list->str,
                    capability);
    else
        ps_error_at(error, PS_ERROR_READ, (PsPlace){0},
                    "there are no cubins in %s; precompile some for sm_%d", folder, capability);
    return 0;
}

/* ---- reading ------------------------------------------------------------------------------- */

static gboolean complain(const PsCubins *cubins, const char *what, GError **error)
{
    ps_error_at(error, PS_ERROR_SYNTAX, (PsPlace){cubins->path, 0}, "%s; " REMEDY, what);
    return FALSE;
}

/* Reads the file's line; its contents begin at *data. */
static gboolean read_line(PsCubins *cubins, const char *text, gsize length, gsize *data,
                          GError **error)
{
    const char *end = memchr(text, '\n', length);
    if (!end || !g_str_has_prefix(text, FORMAT))
        return complain(cubins, "this is no file of cubins that this version reads", error);
    *data = (gsize)(end - text) + 1;
    g_autofree char *line = g_strndup(text, (gsize)(end - text));
    char *last = strrchr(line, ' ');
    g_autofree char *sum = checksum(line, (gsize)(last - line), text + *data, length - *data);
    if (strcmp(last + 1, sum) != 0)
        return complain(cubins, "the file is damaged: its checksum is not the one it states",
                        error);
    *last = '\0';
    g_auto(GStrv) words = g_strsplit(line + strlen(FORMAT), " ", 2);
    if (!ps_nvrtc_parse(words[0], &cubins->capability) || !words[1])
        return complain(cubins, "the file names no architecture", error);
    cubins->version = g_strdup(words[1]);
    return TRUE;
}

static gboolean read_archive(PsCubins *cubins, GError **error)
{
    gsize length, data = 0;
    char *text = ps_file_read(cubins->path, MAX_BYTES, &length, error);
    if (!text)
        return FALSE;
    g_autoptr(GBytes) file = g_bytes_new_take(text, length);
    if (!read_line(cubins, text, length, &data, error))
        return FALSE;
    g_autoptr(GBytes) rest = g_bytes_new_from_bytes(file, data, length - data);
    g_autoptr(GVariant) all =
        g_variant_ref_sink(g_variant_new_from_bytes(G_VARIANT_TYPE(TYPE), rest, FALSE));
    for (gsize i = 0; i < g_variant_n_children(all); i++) {
        GVariant *kernel = g_variant_get_child_value(all, i);
        const char *source;
        g_variant_get_child(kernel, 1, "&s", &source);
        g_hash_table_replace(cubins->by_source, g_strdup(source), kernel);
    }
    return TRUE;
}

PsCubins *ps_cubins_open(const char *folder, int capability, GError **error)
{
    const int best = choose(folder, capability, error);
    if (!best)
        return NULL;
    g_autofree char *name = g_strdup_printf("sm_%d" PS_CUBINS_ENDING, best);
    g_autoptr(PsCubins) cubins = g_new0(PsCubins, 1);
    cubins->path = g_build_filename(folder, name, NULL);
    cubins->by_source =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_variant_unref);
    if (!read_archive(cubins, error))
        return NULL;
    if (cubins->capability == best)
        return g_steal_pointer(&cubins);
    g_autofree char *what = g_strdup_printf(
        "these cubins are for sm_%d, and not what the file's name says", cubins->capability);
    complain(cubins, what, error);
    return NULL;
}

void ps_cubins_free(PsCubins *cubins)
{
    if (!cubins)
        return;
    g_hash_table_unref(cubins->by_source);
    g_free(cubins->path);
    g_free(cubins->version);
    g_free(cubins);
}

static gboolean has_name(const PsCubins *cubins, const char *name)
{
    GHashTableIter iter;
    gpointer kernel;
    g_hash_table_iter_init(&iter, cubins->by_source);
    while (g_hash_table_iter_next(&iter, NULL, &kernel)) {
        const char *other;
        g_variant_get_child(kernel, 0, "&s", &other);
        if (strcmp(name, other) == 0)
            return TRUE;
    }
    return FALSE;
}

GBytes *ps_cubins_find(const PsCubins *cubins, const char *name, const char *source, GError **error)
{
    g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, source, -1);
    GVariant *kernel = g_hash_table_lookup(cubins->by_source, hash);
    if (!kernel) {
        ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0}, "%s: %s has %s; " REMEDY, name,
                    cubins->path,
                    has_name(cubins, name) ? "a cubin of another version of this kernel"
                                           : "no such kernel");
        return NULL;
    }
    g_autoptr(GVariant) cubin = g_variant_get_child_value(kernel, 2);
    /* A copy, since drivers read structures in it, which may lie anywhere in the file. */
    return g_bytes_new(g_variant_get_data(cubin), g_variant_get_size(cubin));
}
