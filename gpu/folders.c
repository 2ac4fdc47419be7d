/* SPDX-License-Identifier: BSD-3-Clause */
/* See folders.h. */
#include "gpu/folders.h"

#include "gpu/called.h"

#include <string.h>

GPtrArray *ps_gpu_families(const char *const *folders)
{
    GPtrArray *families = g_ptr_array_new_with_free_func(g_free);
    for (; *folders; folders++)
        g_ptr_array_add(families, g_build_filename(*folders, "families", NULL));
    g_ptr_array_add(families, NULL);
    return families;
}

static int by_stem(const void *a, const void *b)
{
    g_autofree char *first = ps_gpu_stem(*(const char *const *)a),
                    *second = ps_gpu_stem(*(const char *const *)b);
    return strcmp(first, second);
}

static void add_files(const char *folder, GHashTable *known, GPtrArray *paths)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (g_str_has_suffix(name, ".xml") && strlen(name) > strlen(".xml") &&
            g_file_test(path, G_FILE_TEST_IS_REGULAR) && g_hash_table_add(known, g_strdup(name)))
            g_ptr_array_add(paths, g_steal_pointer(&path));
    }
}

GPtrArray *ps_gpu_files(const char *const *folders)
{
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    for (; *folders; folders++)
        add_files(*folders, known, paths);
    g_ptr_array_sort(paths, by_stem);
    return paths;
}
