/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The source files of a graph, with what each of their lines took.
 *
 * Which file that is the graph says, and a graph may come from anywhere: so that a page to share
 * never shows what its author did not mean to, files are looked for beside the graph and in the
 * current folder alone, under a name that leads neither up nor into hidden folders, and symbolic
 * links lead nowhere else either. Of an absolute name the last part counts. Where code says that
 * its source is elsewhere, only a regular file whose name ends as a source's does is shown, and its
 * author is told.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/page/page.h"
#include "pipesim-private.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* No source is longer; of what is longer nothing is shown. */
#define MAX_BYTES (4 * 1024 * 1024)
#define MAX_LINES 200000

static void free_source(void *data)
{
    PageSource *source = data;
    g_free(source->name);
    g_free(source->path);
    g_strfreev(source->lines);
    g_free(source->why);
    g_free(source->ticks);
    g_free(source->busy);
    g_free(source->known);
    g_free(source);
}

/* ---- reading ------------------------------------------------------------------------------- */

static gboolean leads_astray(const char *name)
{
    g_auto(GStrv) parts = g_strsplit(name, "/", -1);
    for (guint i = 0; parts[i]; i++)
        if (parts[i][0] == '.' && strcmp(parts[i], ".") != 0)
            return TRUE;
    return FALSE;
}

/* The name under which a file is looked for (g_free); NULL where it is not. */
static char *harmless_name(const char *name)
{
    char *use = g_path_is_absolute(name) ? g_path_get_basename(name) : g_strdup(name);
    if (leads_astray(use))
        g_clear_pointer(&use, g_free);
    return use;
}

/* Whether the file that the path stands for, behind all links, is in the folder as well. */
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

/* The file's lines; NULL and *why where it cannot be shown. */
static char **read_lines(const char *path, const char *name, char **why)
{
    g_autoptr(GError) error = NULL;
    gsize length = 0;
    g_autofree char *text = ps_file_read(path, MAX_BYTES, &length, &error);
    if (!text || memchr(text, '\0', length)) {
        *why = text ? g_strdup_printf("%s is no text", name) : g_strdup(error->message);
        return NULL;
    }
    const gsize mark = g_str_has_prefix(text, "\xEF\xBB\xBF") ? 3 : 0; /* of the byte order */
    char **lines = g_strsplit(text + mark, "\n", MAX_LINES);
    for (guint i = 0; lines[i]; i++)
        if (g_str_has_suffix(lines[i], "\r"))
            lines[i][strlen(lines[i]) - 1] = '\0';
    const guint n = g_strv_length(lines);
    if (n && !*lines[n - 1])
        g_clear_pointer(&lines[n - 1], g_free);
    return lines;
}

static void read_text(PageSource *source, const char *path)
{
    source->lines = read_lines(path, source->name, &source->why);
    if (source->lines)
        source->path = g_strdup(path);
}

/* Reads the file of that path in the folder, or says why not. FALSE where there is none. */
static gboolean read_path(PageSource *source, const char *folder, const char *path)
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

/* The same where code says that the file is; a link must lead to a source, too. */
static gboolean read_stated(PageSource *source, const char *path)
{
    char *real = path ? realpath(path, NULL) : NULL;
    source->stated = real && is_source(path) && is_source(real);
    free(real);
    if (source->stated)
        read_text(source, path);
    return source->stated;
}

static void read_source(PageSource *source, const PsIdg *idg)
{
    g_autofree char *name = harmless_name(source->name);
    g_autofree char *folder = idg->path ? g_path_get_dirname(idg->path) : g_strdup(".");
    g_autofree char *beside = g_build_filename(folder, name, NULL);
    const char *stated =
        idg->stated_paths ? g_hash_table_lookup(idg->stated_paths, source->name) : NULL;
    if (!name)
        source->why = g_strdup_printf(
            "%s is not looked for: its name leads up or to what is hidden", source->name);
    else if (!read_path(source, folder, beside) && !read_stated(source, stated) &&
             !read_path(source, ".", name))
        source->why = g_strdup_printf("%s is neither beside the %s nor in the current folder%s%s%s",
                                      source->name, idg->stated_paths ? "code" : "graph",
                                      stated ? ", nor a source file where it says (" : "",
                                      stated ? stated : "", stated ? ")" : "");
}

/* ---- charging ------------------------------------------------------------------------------ */

static PageSource *source_called(GPtrArray *sources, const char *name)
{
    for (guint i = 0; i < sources->len; i++)
        if (strcmp(((PageSource *)sources->pdata[i])->name, name) == 0)
            return sources->pdata[i];
    PageSource *source = g_new0(PageSource, 1);
    source->name = g_strdup(name);
    g_ptr_array_add(sources, source);
    return source;
}

/* Makes room up to that line. */
static void reach(PageSource *source, guint line)
{
    if (line <= source->n)
        return;
    source->ticks = g_renew(gint64, source->ticks, line + 1);
    source->busy = g_renew(double, source->busy, line + 1);
    source->known = g_renew(gboolean, source->known, line + 1);
    for (guint i = source->n ? source->n + 1 : 0; i <= line; i++) {
        source->ticks[i] = 0;
        source->busy[i] = 0;
        source->known[i] = FALSE;
    }
    source->n = line;
}

static PageSource *source_of(const PsAnswer *answer, GPtrArray *sources, const PsIdgItem *item)
{
    const char *file = item->file ? item->file : answer->idg->file;
    if (!file || !*file || item->source_line < 1 || item->source_line > MAX_LINES)
        return NULL;
    PageSource *source = source_called(sources, file);
    reach(source, (guint)item->source_line);
    source->known[item->source_line] = TRUE;
    return source;
}

static void charge_path(const PsAnswer *answer, GPtrArray *sources)
{
    const GPtrArray *path = answer->explain->path;
    for (guint i = 0; path && i < path->len; i++) {
        const PsPathRow *row = path->pdata[i];
        if (row->node == G_MAXUINT)
            continue;
        const PsIdgItem *item = answer->kernel->programs[row->program].nodes[row->node].item;
        PageSource *source = source_of(answer, sources, item);
        if (source)
            source->ticks[item->source_line] += row->ticks;
    }
}

/* Rows of lines are called "FILE:LINE". */
static void charge_busy(const PsAnswer *answer, GPtrArray *sources)
{
    for (guint i = 0; i < answer->lines->len; i++) {
        const PsStatsRow *row = answer->lines->pdata[i];
        const char *colon = strrchr(row->name, ':');
        if (!colon)
            continue;
        g_autofree char *name = g_strndup(row->name, (gsize)(colon - row->name));
        const guint64 line = g_ascii_strtoull(colon + 1, NULL, 10);
        for (guint j = 0; j < sources->len; j++) {
            PageSource *source = sources->pdata[j];
            if (strcmp(source->name, name) == 0 && line <= source->n)
                source->busy[line] = ps_answer_share(answer, row);
        }
    }
}

GPtrArray *page_sources_new(const PsAnswer *answer, gboolean without_text)
{
    GPtrArray *sources = g_ptr_array_new_with_free_func(free_source);
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        for (guint i = 0; i < answer->kernel->programs[p].n_nodes; i++)
            source_of(answer, sources, answer->kernel->programs[p].nodes[i].item);
    charge_path(answer, sources);
    charge_busy(answer, sources);
    for (guint i = 0; i < sources->len; i++) {
        PageSource *source = sources->pdata[i];
        if (without_text)
            source->why = g_strdup_printf("%s is left out", source->name);
        else
            read_source(source, answer->idg);
        if (source->lines)
            reach(source, g_strv_length(source->lines));
    }
    return sources;
}

static gboolean states_lines(const PsKernel *kernel)
{
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint i = 0; i < kernel->programs[p].n_nodes; i++)
            if (kernel->programs[p].nodes[i].item->source_line > 0)
                return TRUE;
    return FALSE;
}

const char *page_sources_lacking(const Page *page)
{
    if (page->sources->len)
        return NULL;
    return states_lines(page->report->answer->kernel)
               ? "the graph states source lines, but no file that they are of"
               : "the graph states no source lines";
}
