/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the source files of graphs. See source-file.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "answer/source-file.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

/* Bytes; longer files are no sources and are not read. */
#define MAX_BYTES (4 * 1024 * 1024)

static gboolean leads_astray(const char *name)
{
    g_auto(GStrv) parts = g_strsplit(name, "/", -1);
    for (guint i = 0; parts[i]; i++)
        if (parts[i][0] == '.' && strcmp(parts[i], ".") != 0)
            return TRUE;
    return FALSE;
}

/* The name under which a file is looked for (g_free); NULL: the name is unsafe. */
static char *harmless_name(const char *name)
{
    char *use = g_path_is_absolute(name) ? g_path_get_basename(name) : g_strdup(name);
    if (leads_astray(use))
        g_clear_pointer(&use, g_free);
    return use;
}

/* TRUE if the path, with all links resolved, leads to a file in the folder. */
static gboolean stays_in(const char *folder, const char *path)
{
    char *real_folder = realpath(folder, NULL), *real_path = realpath(path, NULL);
    const gsize n = real_folder ? strlen(real_folder) : 0;
    const gboolean root = n == 1;
    const gboolean stays = real_folder && real_path && strncmp(real_folder, real_path, n) == 0 &&
                           (root || real_path[n] == '/') && !leads_astray(real_path + n);
    free(real_folder);
    free(real_path);
    return stays;
}

static gboolean is_as_it_was(const PsSourceFile *source, const char *text, gsize length)
{
    g_autofree char *digest =
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text, length);
    return !source->digest || strcmp(digest, source->digest) == 0;
}

/* The file's lines; NULL and why, if it is not the graph's source. */
static char **read_lines(PsSourceFile *source, const char *path)
{
    g_autoptr(GError) error = NULL;
    gsize length = 0;
    g_autofree char *text = ps_file_read(path, MAX_BYTES, &length, &error);
    source->changed = text && !is_as_it_was(source, text, length);
    source->why =
        !text                        ? g_strdup(error->message)
        : memchr(text, '\0', length) ? g_strdup_printf("%s is no text", source->name)
        : source->changed
            ? g_strdup_printf("%s has changed since the graph was made of it", source->name)
            : NULL;
    if (source->why)
        return NULL;
    const gsize mark = g_str_has_prefix(text, "\xEF\xBB\xBF") ? 3 : 0; /* byte order mark */
    char **lines = g_strsplit(text + mark, "\n", PS_SOURCE_MAX_LINES);
    for (guint i = 0; lines[i]; i++)
        if (g_str_has_suffix(lines[i], "\r"))
            lines[i][strlen(lines[i]) - 1] = '\0';
    const guint n = g_strv_length(lines);
    if (n && !*lines[n - 1])
        g_clear_pointer(&lines[n - 1], g_free);
    return lines;
}

static void read_text(PsSourceFile *source, const char *path)
{
    source->lines = read_lines(source, path);
    if (source->lines)
        source->path = g_strdup(path);
}

/* Reads the file of that path in the folder, or says why not. FALSE: there is none. */
static gboolean read_path(PsSourceFile *source, const char *folder, const char *path)
{
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        return FALSE;
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
        source->why = g_strdup_printf("%s is no regular file", source->name);
    else if (!stays_in(folder, path))
        source->why = g_strdup_printf("%s is a link to what is elsewhere", source->name);
    else
        read_text(source, path);
    return TRUE;
}

static gboolean is_source(const char *path)
{
    static const char *const endings[] = {".cu",  ".cuh", ".cl", ".c",   ".cc",  ".cpp",
                                          ".cxx", ".h",   ".hh", ".hpp", ".hxx", ".inc",
                                          ".inl", ".py",  ".jl", ".rs"};
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++)
        if (g_str_has_suffix(path, endings[i]))
            return g_file_test(path, G_FILE_TEST_IS_REGULAR);
    return FALSE;
}

/* Reads the file at the path that the code states; a link must lead to a source, too. */
static gboolean read_stated(PsSourceFile *source, const char *path)
{
    char *real = path ? realpath(path, NULL) : NULL;
    source->stated = real && is_source(path) && is_source(real);
    free(real);
    if (source->stated)
        read_text(source, path);
    return source->stated;
}

PsSourceFile *ps_source_file_new(const PsIdg *idg, const char *name)
{
    PsSourceFile *source = g_new0(PsSourceFile, 1);
    g_autofree char *harmless = harmless_name(name);
    g_autofree char *folder = idg->path ? g_path_get_dirname(idg->path) : g_strdup(".");
    g_autofree char *beside = g_build_filename(folder, harmless, NULL);
    const char *stated = idg->stated_paths ? g_hash_table_lookup(idg->stated_paths, name) : NULL;
    source->name = g_strdup(name);
    source->digest = g_strcmp0(name, idg->file) == 0 ? idg->digest : NULL;
    if (!harmless)
        source->why =
            g_strdup_printf("%s is not looked for: its name leads up or to what is hidden", name);
    else if (!read_path(source, folder, beside) && !read_stated(source, stated) &&
             !read_path(source, ".", harmless))
        source->why = g_strdup_printf("%s is neither beside the %s nor in the current folder%s%s%s",
                                      name, idg->stated_paths ? "code" : "graph",
                                      stated ? ", nor a source file where it says (" : "",
                                      stated ? stated : "", stated ? ")" : "");
    return source;
}

void ps_source_file_free(PsSourceFile *source)
{
    if (!source)
        return;
    g_free(source->name);
    g_free(source->path);
    g_strfreev(source->lines);
    g_free(source->why);
    g_free(source);
}
