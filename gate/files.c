/* SPDX-License-Identifier: BSD-3-Clause */
/* See files.h. */
#include "gate/files.h"

#include <string.h>

/* The depth of folders that are looked into. */
#define DEEPEST 32

static const char *const binary[] = {".cubin", ".fatbin", ".so", ".a", ".o", NULL};
static const char *const ptx[] = {".ptx", NULL};
static const char *const source[] = {".cu", NULL};

static gboolean ends(const char *name, const char *const *endings)
{
    for (guint i = 0; endings[i]; i++)
        if (g_str_has_suffix(name, endings[i]))
            return TRUE;
    return FALSE;
}

gboolean ps_gate_file_is_binary(const char *name)
{
    return ends(name, binary) || strstr(name, ".so.");
}

typedef struct {
    const char *folder;
    GPtrArray *found; /* their paths below it */
} Search;

static void search(const Search *in, const char *inside, guint depth)
{
    g_autofree char *folder = g_build_filename(in->folder, inside, NULL);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        g_autofree char *below = *inside ? g_build_filename(inside, name, NULL) : g_strdup(name);
        if (*name == '.')
            continue;
        if (!g_file_test(path, G_FILE_TEST_IS_DIR))
            g_ptr_array_add(in->found, g_steal_pointer(&below));
        else if (depth > 0 && !g_file_test(path, G_FILE_TEST_IS_SYMLINK))
            search(in, below, depth - 1);
    }
}

static gint by_path(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

GPtrArray *ps_gate_files(const char *folder)
{
    const char *const *const kinds[] = {binary, ptx, source};
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(g_free);
    GPtrArray *chosen = g_ptr_array_new_with_free_func(g_free);
    search(&(Search){folder, all}, "", DEEPEST);
    g_ptr_array_sort(all, by_path);
    for (guint kind = 0; kind < G_N_ELEMENTS(kinds) && !chosen->len; kind++)
        for (guint i = 0; i < all->len; i++)
            if (kind == 0 ? ps_gate_file_is_binary(all->pdata[i])
                          : ends(all->pdata[i], kinds[kind]))
                g_ptr_array_add(chosen, g_strdup(all->pdata[i]));
    return chosen;
}
