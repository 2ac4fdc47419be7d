/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the source that has the names of a kernel's parameters. */
#include "ptx/instruction.h"
#include "ptx/source-names.h"

#include "base/file.h"

#include <glib/gstdio.h>

#include <string.h>

/* A larger file is no source: bytes. */
#define MOST_SOURCE (64 * 1024 * 1024)

/* The names of the parameters in that file; NULL where it is not there, or does not tell them. */
static char **names_in(const char *path, const PsPtxFunction *kernel)
{
    gsize length = 0;
    g_autofree char *plain = ps_ptx_plain_name(kernel->name);
    g_autofree char *read = g_file_test(path, G_FILE_TEST_IS_REGULAR)
                                ? ps_file_read(path, MOST_SOURCE, &length, NULL)
                                : NULL;
    if (!read)
        return NULL;
    g_autofree char *text =
        g_utf8_make_valid(read, (gssize)length); /* valid UTF-8, since names are printed */
    length = strlen(text);
    return g_str_has_suffix(path, ".py")
               ? ps_ptx_python_names(kernel, text, length)
               : ps_ptx_source_names(plain, kernel->params->len, text, length);
}

/* Why the file is not what was compiled, or may not be, which *changed says (g_free); NULL: it is,
 * or nobody knows. */
static char *describe_change(const char *path, const PsPtxStamp *stamp, gboolean *changed)
{
    GStatBuf now;
    if (!stamp || g_stat(path, &now) != 0)
        return NULL;
    *changed = stamp->size > 0 && (guint64)now.st_size != stamp->size;
    if (*changed)
        return g_strdup_printf("%s was changed since it was compiled: it had %" G_GUINT64_FORMAT
                               " bytes, and has %" G_GUINT64_FORMAT,
                               path, stamp->size, (guint64)now.st_size);
    return stamp->time > 0 && (guint64)now.st_mtime > stamp->time
               ? g_strdup_printf("%s was written again since it was compiled", path)
               : NULL;
}

/* The names in a file that the module names, unless it is not the one that was compiled. */
static char **names_unchanged(const char *path, const PsPtxStamp *stamp,
                              const PsPtxFunction *kernel, char **doubt)
{
    gboolean changed = FALSE;
    char **names = names_in(path, kernel);
    if (!names)
        return NULL;
    g_free(*doubt);
    *doubt = describe_change(path, stamp, &changed);
    if (changed)
        g_clear_pointer(&names, g_strfreev);
    return names;
}

/* The names from a source that the PTX names: beside the PTX, or at its own path. */
static char **names_by_file(const PsPtxModule *module, const char *file,
                            const PsPtxFunction *kernel, char **doubt)
{
    const PsPtxStamp *stamp = g_hash_table_lookup(module->stamps, file);
    g_autofree char *folder = g_path_get_dirname(module->path), *base = g_path_get_basename(file);
    g_autofree char *beside = g_build_filename(folder, base, NULL);
    char **names = names_unchanged(beside, stamp, kernel, doubt);
    return names ? names : names_unchanged(file, stamp, kernel, doubt);
}

char **ps_ptx_find_names(const PsPtxModule *module, const PsPtxFunction *kernel, const char *source,
                         char **doubt)
{
    g_autofree char *why = NULL;
    GHashTableIter iter;
    gpointer file;
    char **names = source ? names_in(source, kernel) : NULL;
    g_hash_table_iter_init(&iter, module->files);
    while (!names && g_hash_table_iter_next(&iter, NULL, &file))
        names = names_by_file(module, file, kernel, &why);
    if (doubt)
        *doubt = g_steal_pointer(&why);
    return names ? names : ps_ptx_python_names(kernel, NULL, 0);
}
