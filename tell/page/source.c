/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The annotated source: each line with its share of the critical path, and the time for which it
 * kept pipelines busy. Of long files only lines near the graph's are shown.
 */
#include "tell/page/page.h"

#include "tell/format.h"
#include "tell/html.h"
#include "tell/page/markup.h"

#include <string.h>

/* Files of at most that many lines are shown whole. */
#define SHORT_FILE 120

/* Lines shown around each line of the graph, in longer files. */
#define CONTEXT 4

static double share_of(const PsPage *page, const PsPageSource *source, guint line)
{
    const gint64 all = page->report->answer->result.ticks;
    return all ? (double)source->ticks[line] / (double)all : 0;
}

static void put_share(gboolean known, double share, GString *out)
{
    if (known)
        ps_markup_take(out, "td class='n'", ps_format_share(share));
    else
        g_string_append(out, "<td></td>");
}

/* The larger a line's share of the path, the deeper its colour. */
static void put_line(const PsPage *page, const PsPageSource *source, guint line, GString *out)
{
    const double share = share_of(page, source, line);
    if (share > 0)
        g_string_append_printf(out, "<tr style='background:rgba(var(--heat),%.3f)'>",
                               0.05 + 0.3 * share);
    else
        g_string_append(out, "<tr>");
    g_string_append_printf(out, "<th scope='row' class='n quiet'>%u</th>", line);
    put_share(source->known[line], share, out);
    put_share(source->known[line], source->busy[line], out);
    g_string_append(out, "<td><code>");
    if (source->file->lines && line <= g_strv_length(source->file->lines))
        ps_html_text(out, source->file->lines[line - 1]);
    g_string_append(out, "</code></td></tr>\n");
}

/* Marks the lines to show: those of the graph and around them, or all. */
static gboolean *find_shown(const PsPageSource *source)
{
    gboolean *shown = g_new0(gboolean, source->n + 1);
    const gboolean whole = source->file->lines && source->n <= SHORT_FILE;
    const guint around = source->file->lines ? CONTEXT : 0;
    for (guint line = 1; line <= source->n; line++) {
        shown[line] |= whole;
        if (!source->known[line])
            continue;
        for (guint i = line > around ? line - around : 1; i <= MIN(line + around, source->n); i++)
            shown[i] = TRUE;
    }
    return shown;
}

static void put_source(const PsPage *page, const PsPageSource *source, GString *out)
{
    g_autofree gboolean *shown = find_shown(source);
    gboolean gap = FALSE, begun = FALSE;
    ps_html_element(out, "h3", source->name);
    if (source->file->path)
        ps_markup_take(out, "p class='note quiet'",
                       g_strdup_printf("The file %s.", source->file->path));
    else
        ps_markup_take(
            out, "p class='note quiet'",
            g_strdup_printf("%s: only the numbers of its lines are shown.", source->file->why));
    g_string_append(out, "<div class='scroll'><table class='source'>\n");
    ps_markup_head(out, "line|path|busy|<text");
    g_string_append(out, "<tbody>\n");
    for (guint line = 1; line <= source->n; line++) {
        gap |= !shown[line];
        if (!shown[line])
            continue;
        if (gap && begun)
            g_string_append(out, "<tr class='gap'><td colspan='4'>&#8942;</td></tr>\n");
        put_line(page, source, line, out);
        gap = FALSE;
        begun = TRUE;
    }
    g_string_append(out, "</tbody></table></div>\n");
}

void ps_page_put_sources(const PsPage *page, GString *out)
{
    const char *lacking = ps_page_sources_lacking(page);
    ps_markup_fold(out, "Source");
    if (lacking) {
        ps_markup_take(out, "p class='note quiet'", g_strdup_printf("None is shown: %s.", lacking));
        ps_markup_unfold(out);
        return;
    }
    g_string_append(out, "<p class='quiet'>path: share of the critical "
                         "path; busy: how long the line kept pipelines busy, which is above 100 % "
                         "where it kept several.</p>\n");
    for (guint i = 0; i < page->sources->len; i++)
        put_source(page, page->sources->pdata[i], out);
    ps_markup_unfold(out);
}
