/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kept result may hold anything behind a digest that fits it: then there is none, or bytes, the
 * same each time. Bytes that are kept as a graph's may be anything: they are one, or none.
 */
#include "code/kept-graph.h"

#include "base/store.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

#define DIGEST 32
#define KEY "0"

/* A folder of this process's own, with a part for the key. */
static const char *the_folder(void)
{
    static char *folder;
    if (folder)
        return folder;
    folder = g_dir_make_tmp("fuzz-store-XXXXXX", NULL);
    g_assert_nonnull(folder);
    g_autofree char *part = g_build_filename(folder, KEY, NULL);
    g_assert_cmpint(g_mkdir_with_parents(part, 0700), ==, 0);
    return folder;
}

/* The input with the digest that the store looks for. */
static void write_sealed(const guint8 *data, gsize size)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_autofree guint8 *text = g_memdup2(data, size);
    g_autofree char *path = g_build_filename(the_folder(), KEY, KEY, NULL);
    gsize length = DIGEST;
    g_checksum_update(sum, text + DIGEST, (gssize)(size - DIGEST));
    g_checksum_get_digest(sum, text, &length);
    g_assert_true(g_file_set_contents_full(path, (const char *)text, (gssize)size,
                                           G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

static GBytes *find(PsStoreInputs *inputs)
{
    g_autoptr(PsStore) store = ps_store_new(the_folder(), G_MAXUINT64);
    return ps_store_find(store, KEY, inputs);
}

static void unpack(GBytes *bytes)
{
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(PsIdg) idg = ps_kept_graph_unpack(bytes, told);
    g_assert_true(idg || told->len == 0);
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    g_autoptr(GBytes) whole = g_bytes_new_static(data, size);
    unpack(whole);
    if (size <= DIGEST)
        return 0;
    write_sealed(data, size);
    g_autoptr(PsStoreInputs) inputs = ps_store_inputs_new();
    g_autoptr(GBytes) bytes = find(inputs), again = find(NULL);
    g_assert_true(!bytes == !again && (!bytes || g_bytes_equal(bytes, again)));
    if (bytes)
        unpack(bytes);
    return 0;
}
