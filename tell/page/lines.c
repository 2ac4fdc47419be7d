/* SPDX-License-Identifier: BSD-3-Clause */
/* The source files of a graph, with the time of each line. */
#include "tell/page/page.h"

#include "answer/explain.h"
#include "answer/figures.h"
#include "idg/program.h"
#include "sim/listen/path.h"
#include "sim/listen/stats.h"

#include <math.h>
#include <string.h>

static void free_source(void *data)
{
    PsPageSource *source = data;
    ps_source_file_free(source->file);
    g_free(source->name);
    g_free(source->ticks);
    g_free(source->busy);
    g_free(source->known);
    g_free(source);
}

/* ---- charging ------------------------------------------------------------------------------ */

static PsPageSource *source_called(GPtrArray *sources, const char *name)
{
    for (guint i = 0; i < sources->len; i++)
        if (strcmp(((PsPageSource *)sources->pdata[i])->name, name) == 0)
            return sources->pdata[i];
    PsPageSource *source = g_new0(PsPageSource, 1);
    source->name = g_strdup(name);
    g_ptr_array_add(sources, source);
    return source;
}

/* Makes room up to that line. */
static void reach(PsPageSource *source, guint line)
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

static PsPageSource *source_of(const PsAnswer *answer, GPtrArray *sources, const PsIdgItem *item)
{
    const char *file = item->file ? item->file : answer->idg->file;
    if (!file || !*file || item->source_line < 1 || item->source_line > PS_SOURCE_MAX_LINES)
        return NULL;
    PsPageSource *source = source_called(sources, file);
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
        PsPageSource *source = source_of(answer, sources, item);
        if (source)
            source->ticks[item->source_line] += row->ticks;
    }
}

/* Rows of lines have names such as "FILE:LINE". */
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
            PsPageSource *source = sources->pdata[j];
            if (strcmp(source->name, name) == 0 && line <= source->n)
                source->busy[line] = ps_answer_share(answer, row);
        }
    }
}

static PsSourceFile *left_out(const char *name)
{
    PsSourceFile *file = g_new0(PsSourceFile, 1);
    file->name = g_strdup(name);
    file->why = g_strdup_printf("%s is left out", name);
    return file;
}

GPtrArray *ps_page_sources_new(const PsAnswer *answer, gboolean without_text)
{
    GPtrArray *sources = g_ptr_array_new_with_free_func(free_source);
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        for (guint i = 0; i < answer->kernel->programs[p].n_nodes; i++)
            source_of(answer, sources, answer->kernel->programs[p].nodes[i].item);
    charge_path(answer, sources);
    charge_busy(answer, sources);
    for (guint i = 0; i < sources->len; i++) {
        PsPageSource *source = sources->pdata[i];
        source->file =
            without_text ? left_out(source->name) : ps_source_file_new(answer->idg, source->name);
        if (source->file->lines)
            reach(source, g_strv_length(source->file->lines));
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

const char *ps_page_sources_lacking(const PsPage *page)
{
    if (page->sources->len)
        return NULL;
    return states_lines(page->report->answer->kernel)
               ? "the graph states source lines, but no file that they are of"
               : "the graph states no source lines";
}
