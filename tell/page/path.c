/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical path and where warps are: stacked bars, whose legends are the tables below them. */
#include "tell/page/page.h"

#include "answer/explain.h"
#include "draw/draw.h"
#include "tell/format.h"
#include "tell/html.h"
#include "tell/page/markup.h"
#include "tell/table.h"
#include "tell/words.h"

#include <math.h>

/* Colours of a bar; further items share the last. */
#define COLOURS 8

/* The row's share: its second column in per cent. */
static double share_of(const PsTable *table, guint row)
{
    return g_ascii_strtod(ps_table_cell(table, row, 1), NULL) / 100;
}

/* The text of a bar for screen readers: its largest parts. */
static char *describe(const PsTable *table, guint first)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < MIN(ps_table_n_items(table), COLOURS); i++)
        g_string_append_printf(text, "%s%s %s", i ? ", " : "", ps_table_cell(table, first + i, 0),
                               ps_table_cell(table, first + i, 1));
    return g_string_free(text, FALSE);
}

/* The items of a table, whose first row has that number, as a bar. */
static void put_bar(const char *title, const PsTable *table, guint first, GString *out)
{
    g_autofree char *text = describe(table, first);
    g_string_append(out, "<div class='bar' role='img' aria-label='");
    ps_html_text(out, title);
    g_string_append(out, ": ");
    ps_html_text(out, text);
    g_string_append(out, "'>");
    for (guint i = 0; i < ps_table_n_items(table); i++) {
        const double share = share_of(table, first + i);
        if (share <= 0)
            continue;
        g_string_append_printf(out, "<span class='c%u' style='width:%.1f%%' title='",
                               MIN(i, COLOURS - 1), 100 * share);
        ps_html_text(out, ps_table_cell(table, first + i, 0));
        g_string_append_printf(out, ", %s'></span>", ps_table_cell(table, first + i, 1));
    }
    g_string_append(out, "</div>\n");
}

/* ---- the critical path --------------------------------------------------------------------- */

static void put_shares(const PsPage *page, const char *title, PsViewId view, GString *out)
{
    g_autoptr(PsTable) table = ps_table_of_view(view, page->facts, NULL, TRUE);
    ps_html_element(out, "h3", title);
    put_bar(title, table, 1, out);
    ps_table_put_html(table, "parts path", COLOURS, out);
}

/* A sentence, if there is one. Frees it. */
static void put_note(char *note, GString *out)
{
    if (note)
        ps_markup_take(out, "p class='quiet'", note);
}

void ps_page_put_path(const PsPage *page, GString *out)
{
    const PsAnswer *answer = page->report->answer;
    const PsExplain *explain = answer->explain;
    if (!answer->result.ticks)
        return;
    ps_markup_fold(out, "What the time went to: the critical path");
    if (!explain->path) {
        ps_html_element(out, "p", explain->problem);
    } else {
        g_string_append(out, "<p class='quiet'>From the last completion back to the start, each "
                             "stretch of time is charged to what it was spent on.</p>\n");
        put_shares(page, "By class", PS_VIEW_PATH_CLASSES_PAGE, out);
        put_note(ps_sentence_places(answer), out);
        put_shares(page, "By pipeline", PS_VIEW_PATH_PIPELINES_PAGE, out);
        if (ps_answer_has_lines(answer))
            put_shares(page, "By source line", PS_VIEW_PATH_LINES_PAGE, out);
        put_note(ps_sentence_path_lines(answer), out);
    }
    ps_markup_unfold(out);
}

/* ---- warps --------------------------------------------------------------------------------- */

/* Puts resident warps over time as steps. The page has no script, so nothing shows on hovering. */
static void put_steps(const PsAnswer *answer, GString *out)
{
    const PsExplain *explain = answer->explain;
    const PsLaunch *launch = &answer->machine->launch;
    const double seconds = ps_answer_execution(answer);
    static const PsAxis time = {"time", PS_SCALE_LINEAR, "s"};
    static const PsAxis warps = {"warps", PS_SCALE_LINEAR, NULL};
    static const PsLook area = {.colour = "area", .width = 1};
    const double share = (double)explain->tail / (double)answer->result.ticks;
    g_autofree char *tail = ps_format_share(share);
    g_autofree char *groups = launch->active_groups == 1
                                  ? g_strdup("No group is")
                                  : g_strdup_printf("Fewer than %" G_GINT64_FORMAT " groups are",
                                                    (gint64)launch->active_groups);
    g_autofree char *text =
        share >= 0.0005 ? g_strdup_printf("%s there in the last %s of the time", groups, tail)
                        : g_strdup("All places are taken to the end");
    const guint n = explain->n_occupancy;
    g_autofree PsXY *steps = g_new0(PsXY, 2 * n + 2);
    for (guint i = 0; i < n; i++) {
        steps[2 * i + 1] = (PsXY){seconds * i / n, explain->occupancy[i]};
        steps[2 * i + 2] = (PsXY){seconds * (i + 1) / n, explain->occupancy[i]};
    }
    steps[2 * n + 1].x = seconds;
    g_autoptr(PsChart) chart =
        ps_chart_new("Warps on the first compute unit over time", &time, &warps);
    ps_chart_see(chart, NAN, (double)(launch->active_groups * launch->warps_per_group));
    ps_chart_series(chart, NULL, &area, steps, 2 * n + 2);
    g_string_append(out, "<figure>\n");
    ps_chart_svg(chart, "warps", text, out);
    ps_html_element(out, "figcaption", text);
    g_string_append(out, "</figure>\n");
}

void ps_page_put_occupancy(const PsPage *page, GString *out)
{
    const PsAnswer *answer = page->report->answer;
    if (!answer->result.ticks || !answer->explain->n_occupancy)
        return;
    g_string_append(out, "<section>\n<h2>Warps over time</h2>\n");
    put_steps(answer, out);
    g_string_append(out, "</section>\n");
}

/* Puts the largest parts of a bar in a line below it. */
static void put_keys(const PsTable *table, GString *out)
{
    enum { MOST = 5 };
    g_string_append(out, "<ul class='keys'>\n");
    for (guint i = 0; i < MIN(ps_table_n_items(table), MOST) && share_of(table, i) >= 0.01; i++) {
        g_string_append_printf(out, "<li><span class='key c%u'></span>", i);
        ps_markup_take(
            out, "span",
            g_strdup_printf("%s: %s", ps_table_cell(table, i, 0), ps_table_cell(table, i, 1)));
        g_string_append(out, "</li>\n");
    }
    g_string_append(out, "</ul>\n");
}

void ps_page_put_waits(const PsPage *page, GString *out)
{
    const PsAnswer *answer = page->report->answer;
    if (!answer->result.ticks || !answer->explain->waits->len)
        return;
    g_autoptr(PsTable) table = ps_table_of_view(PS_VIEW_WAITS_PAGE, page->facts, NULL, TRUE);
    g_string_append(out, "<section>\n<h2>Where warps are</h2>\n<p class='quiet'>Shares of the time "
                         "of all places for warps.</p>\n");
    put_bar("Where warps are", table, 0, out);
    put_keys(table, out);
    g_string_append(out, "<details>\n<summary>All of them</summary>\n");
    ps_table_put_html(table, "parts", COLOURS, out);
    g_string_append(out, "</details>\n</section>\n");
}

/* ---- roles --------------------------------------------------------------------------------- */

void ps_page_put_roles(const PsPage *page, GString *out)
{
    const PsAnswer *answer = page->report->answer;
    const PsRoleTable *table = answer->explain->roles;
    if (!table)
        return;
    g_string_append(out, "<section>\n<h2>Roles of warps</h2>\n<p class='quiet'>Shares of each "
                         "role's time, and how full the stages between them are.</p>\n<ul>\n");
    for (guint r = 0; r < table->roles->len; r++)
        ps_markup_take(out, "li", ps_role_sentence(table, r));
    for (guint s = 0; s < table->stages->len; s++)
        ps_markup_take(out, "li", ps_stages_sentence(answer, s));
    g_string_append(out, "</ul>\n</section>\n");
}
