/* SPDX-License-Identifier: BSD-3-Clause */
/* See find.h. */
#include "gpu/find.h"

#include "base/file.h"
#include "base/nearest.h"
#include "gpu/called.h"
#include "gpu/folders.h"
#include "gpu/rows.h"

#include <string.h>

static gboolean is_file(const char *path)
{
    return g_file_test(path, G_FILE_TEST_IS_REGULAR);
}

/* The file of that name in the folders (g_free); NULL: there is none. */
static char *file_of(const char *name, const char *const *folders)
{
    for (; *name && *folders; folders++) {
        g_autofree char *path = g_build_filename(*folders, name, NULL),
                        *whole = g_strconcat(path, ".xml", NULL);
        if (is_file(path))
            return g_steal_pointer(&path);
        if (is_file(whole))
            return g_steal_pointer(&whole);
    }
    return NULL;
}

static void refuse(const char *name, const GPtrArray *paths, GError **error)
{
    g_autoptr(GPtrArray) stems = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < paths->len; i++)
        g_ptr_array_add(stems, ps_gpu_stem(paths->pdata[i]));
    g_autofree char *near = ps_did_you_mean(name, stems);
    g_set_error(error, PS_ERROR, PS_ERROR_READ, "there is no GPU description \"%s\"%s", name, near);
}

/* The path of the description (g_free); NULL and *error. */
static char *path_of(const char *name, const char *const *folders, const GPtrArray *families,
                     GError **error)
{
    GError *why = NULL;
    if (strchr(name, '/'))
        return g_strdup(name); /* whose reader says what is wrong with it */
    g_autofree char *file = file_of(name, folders), *stem = ps_gpu_stem(name);
    if (file)
        return g_steal_pointer(&file);
    g_autoptr(GPtrArray) paths = ps_gpu_files(folders);
    char *path = ps_gpu_called(stem, paths, (const char *const *)families->pdata, &why);
    if (why)
        g_propagate_error(error, why);
    else if (!path)
        refuse(name, paths, error);
    return path;
}

PsGpu *ps_gpu_find(const char *name, const char *const *folders, GError **error)
{
    const char *modes = ps_gpu_modes_of(name);
    gsize length = 0;
    g_autoptr(GPtrArray) families = ps_gpu_families(folders);
    g_autofree char *plain = modes ? g_strndup(name, (gsize)(modes - name)) : g_strdup(name);
    g_autofree char *path = path_of(plain, folders, families, error);
    g_autofree char *text = path ? ps_file_read(path, PS_FILE_MAX_BYTES, &length, error) : NULL;
    g_autoptr(PsGpu) gpu =
        text ? ps_gpu_parse_with(text, length, path, (const char *const *)families->pdata, error)
             : NULL;
    return gpu && ps_gpu_take_modes(gpu, name, error) ? g_steal_pointer(&gpu) : NULL;
}
