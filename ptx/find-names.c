/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the source that has the names of a kernel's parameters. */
#include "ptx/instruction.h"
#include "ptx/source-names.h"

#include "base/file.h"

#include <glib/gstdio.h>

#include <string.h>

/* A larger file is no source: bytes. */
#define MOST_SOURCE (64 * 1024 * 1024)

/* The text of a source, as valid UTF-8 since names are printed (g_free); NULL: there is no such
 * file. */
static char *text_of(const char *path)
{
    gsize length = 0;
    g_autofree char *read = g_file_test(path, G_FILE_TEST_IS_REGULAR)
                                ? ps_file_read(path, MOST_SOURCE, &length, NULL)
                                : NULL;
    return read ? g_utf8_make_valid(read, (gssize)length) : NULL;
}

/* The names of the parameters in that text; NULL where it does not tell them. */
static char **names_in(const char *path, const char *text, const PsPtxFunction *kernel)
{
    g_autofree char *plain = ps_ptx_plain_name(kernel->name);
    return g_str_has_suffix(path, ".py") ? ps_ptx_python_names(kernel, text, strlen(text))
           : strstr(text, plain)
               ? ps_ptx_source_names(plain, kernel->params->len, text, strlen(text))
               : NULL;
}

/* Seconds within which files that are unpacked or checked out are written, in any order. */
#define UNPACKING 10

/* TRUE if the code's file is older than that source. */
static gboolean is_older(const PsPtxModule *module, const GStatBuf *source)
{
    GStatBuf code;
    return g_stat(module->path, &code) == 0 && source->st_mtime > code.st_mtime + UNPACKING;
}

/* The reason why the file differs from the compiled one, or may differ, as *changed says (g_free);
 * NULL: it does not, or that is not known. The compiler's note counts before the time in the file
 * system: a copy is as new as its copying. */
static char *describe_change(const PsPtxModule *module, const char *path, const PsPtxStamp *stamp,
                             gboolean *changed)
{
    GStatBuf now;
    if (g_stat(path, &now) != 0)
        return NULL;
    *changed = stamp && stamp->size > 0 && (guint64)now.st_size != stamp->size;
    if (*changed)
        return g_strdup_printf("%s was changed since it was compiled: it had %" G_GUINT64_FORMAT
                               " bytes, and has %" G_GUINT64_FORMAT,
                               path, stamp->size, (guint64)now.st_size);
    const gboolean later = stamp && stamp->time > 0 && (guint64)now.st_mtime > stamp->time;
    *changed = (later || !stamp || !stamp->time) && is_older(module, &now);
    if (*changed)
        return g_strdup_printf("%s was written after %s, which was compiled from it: compile that "
                               "again, or touch %s if the source is the same",
                               path, module->path, module->path);
    return later ? g_strdup_printf("%s was written again since it was compiled", path) : NULL;
}

/* The names in a file that the module names, unless it differs from the compiled one. */
static char **names_unchanged(const PsPtxModule *module, const char *path, const PsPtxStamp *stamp,
                              const PsPtxFunction *kernel, char **doubt)
{
    gboolean changed = FALSE;
    g_autofree char *text = text_of(path), *plain = ps_ptx_plain_name(kernel->name);
    if (!text)
        return NULL;
    g_autofree char *why = describe_change(module, path, stamp, &changed);
    char **names = changed ? NULL : names_in(path, text, kernel);
    if (!names && !(changed && strstr(text, plain)))
        return NULL;
    g_free(*doubt);
    *doubt = g_steal_pointer(&why);
    return names;
}

/* The names from a source that the PTX names: beside the PTX, or at its own path. */
static char **names_by_file(const PsPtxModule *module, const char *file,
                            const PsPtxFunction *kernel, char **doubt)
{
    const PsPtxStamp *stamp = g_hash_table_lookup(module->stamps, file);
    g_autofree char *folder = g_path_get_dirname(module->path), *base = g_path_get_basename(file);
    g_autofree char *beside = g_build_filename(folder, base, NULL);
    char **names = names_unchanged(module, beside, stamp, kernel, doubt);
    return names ? names : names_unchanged(module, file, stamp, kernel, doubt);
}

/* The names from all sources that the PTX names. Where two sources differ, as for kernels of one
 * name in two namespaces, it is not known which one is the kernel's: NULL, and *doubt says so. */
static char **names_by_files(const PsPtxModule *module, const PsPtxFunction *kernel, char **doubt)
{
    g_auto(GStrv) names = NULL;
    g_autofree char *first = NULL;
    GHashTableIter iter;
    gpointer file;
    g_hash_table_iter_init(&iter, module->files);
    while (g_hash_table_iter_next(&iter, NULL, &file)) {
        g_auto(GStrv) others = names_by_file(module, file, kernel, doubt);
        if (names && others &&
            !g_strv_equal((const char *const *)names, (const char *const *)others)) {
            const gboolean ordered = strcmp(first, file) < 0;
            g_free(*doubt);
            *doubt = g_strdup_printf("%s and %s declare it with different names",
                                     ordered ? first : (const char *)file,
                                     ordered ? (const char *)file : first);
            return NULL;
        }
        if (names || !others)
            continue;
        names = g_steal_pointer(&others);
        first = g_strdup(file);
    }
    return g_steal_pointer(&names);
}

char **ps_ptx_find_names(const PsPtxModule *module, const PsPtxFunction *kernel, const char *source,
                         char **doubt)
{
    g_autofree char *why = NULL, *text = source ? text_of(source) : NULL;
    char **names = text ? names_in(source, text, kernel) : NULL;
    if (!names)
        names = names_by_files(module, kernel, &why);
    if (doubt)
        *doubt = g_steal_pointer(&why);
    return names ? names : ps_ptx_python_names(kernel, NULL, 0);
}
