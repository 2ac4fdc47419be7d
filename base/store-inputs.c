/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that results of the store were made of. See store-inputs.h. */
#include "base/store-inputs.h"

#include <glib/gstdio.h>
#include <string.h>

/* The depth of folders in which names are looked for. */
#define DEEPEST 4

struct PsStoreStates {
    GMutex mutex;
    GHashTable *files; /* path -> digest of the file's content, "" if it cannot be read */
};

PsStoreInputs *ps_store_inputs_new(void)
{
    PsStoreInputs *inputs = g_new0(PsStoreInputs, 1);
    inputs->files = g_ptr_array_new_with_free_func(g_free);
    inputs->folders = g_ptr_array_new_with_free_func(g_free);
    inputs->since = g_get_real_time();
    return inputs;
}

void ps_store_inputs_free(PsStoreInputs *inputs)
{
    if (!inputs)
        return;
    g_ptr_array_unref(inputs->files);
    g_ptr_array_unref(inputs->folders);
    g_free(inputs);
}

static void add_all(GPtrArray *to, const GPtrArray *from)
{
    for (guint i = 0; i < from->len; i++)
        g_ptr_array_add(to, g_strdup(from->pdata[i]));
}

void ps_store_inputs_add(PsStoreInputs *inputs, const PsStoreInputs *other)
{
    add_all(inputs->files, other->files);
    add_all(inputs->folders, other->folders);
}

PsStoreStates *ps_store_states_new(void)
{
    PsStoreStates *states = g_new0(PsStoreStates, 1);
    g_mutex_init(&states->mutex);
    states->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return states;
}

void ps_store_states_free(PsStoreStates *states)
{
    g_hash_table_unref(states->files);
    g_mutex_clear(&states->mutex);
    g_free(states);
}

/* The digest of a plain file. Others are not read: a pipe would be emptied. */
static char *digest_of(const char *path)
{
    g_autofree char *data = NULL;
    gsize length = 0;
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR) ||
        !g_file_get_contents(path, &data, &length, NULL))
        return g_strdup("");
    return g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)data, length);
}

/* The file's digest, borrowed; it is computed once. */
static const char *state_of(PsStoreStates *states, const char *path)
{
    g_mutex_lock(&states->mutex);
    const char *known = g_hash_table_lookup(states->files, path);
    if (!known) {
        char *digest = digest_of(path);
        g_hash_table_insert(states->files, g_strdup(path), digest);
        known = digest;
    }
    g_mutex_unlock(&states->mutex);
    return known;
}

/* All parts of the paths: names of the files, and of folders by which #include may name them. */
static GHashTable *names_of(const GPtrArray *files)
{
    GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < files->len; i++) {
        g_auto(GStrv) parts = g_strsplit(files->pdata[i], "/", -1);
        for (char **part = parts; *part; part++)
            g_hash_table_add(names, g_strdup(*part));
    }
    return names;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds the names in a folder to the sum, in order, and those in its folders that have one of these
 * names. */
static void add_names(GChecksum *sum, const char *folder, GHashTable *names, guint depth)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(g_free);
    const char *name;
    while (dir && (name = g_dir_read_name(dir)) != NULL)
        if (g_hash_table_contains(names, name))
            g_ptr_array_add(found, g_strdup(name));
    g_ptr_array_sort(found, by_name);
    for (guint i = 0; i < found->len; i++) {
        g_autofree char *path = g_build_filename(folder, found->pdata[i], NULL);
        ps_store_key_add(sum, path);
        if (depth > 1)
            add_names(sum, path, names, depth - 1);
    }
}

char *ps_store_inputs_state(PsStoreStates *states, const PsStoreInputs *inputs)
{
    g_autoptr(GHashTable) names = names_of(inputs->files);
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    for (guint i = 0; i < inputs->files->len; i++)
        ps_store_key_add(sum, state_of(states, inputs->files->pdata[i]));
    for (guint i = 0; i < inputs->folders->len; i++)
        add_names(sum, inputs->folders->pdata[i], names, DEEPEST);
    return g_strdup(g_checksum_get_string(sum));
}

gboolean ps_store_inputs_are_older(const PsStoreInputs *inputs)
{
    for (guint i = 0; i < inputs->files->len; i++) {
        GStatBuf is;
        if (g_stat(inputs->files->pdata[i], &is) == 0 &&
            (gint64)is.st_ctim.tv_sec * G_USEC_PER_SEC + is.st_ctim.tv_nsec / 1000 >= inputs->since)
            return FALSE;
    }
    return TRUE;
}
