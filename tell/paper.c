/* SPDX-License-Identifier: BSD-3-Clause */
/* See paper.h. */
#include "tell/paper-form.h"

static const PaperForm *form_of(const PsPaper *paper)
{
    static const PaperForm *const forms[] = {&ps_form_text, &ps_form_markdown, &ps_form_html};
    return forms[paper->form];
}

void ps_paper_title(const PsPaper *paper, const char *name, const char *rest)
{
    form_of(paper)->title(paper, name, rest);
}

void ps_paper_wrapped_title(const PsPaper *paper, const char *text)
{
    form_of(paper)->title(paper, text, NULL);
}

void ps_paper_heading(const PsPaper *paper, const char *text)
{
    form_of(paper)->heading(paper, text);
}

void ps_paper_preface(const PsPaper *paper, const char *text)
{
    form_of(paper)->preface(paper, text);
}

void ps_paper_part(const PsPaper *paper, const char *text)
{
    form_of(paper)->part(paper, text);
}

void ps_paper_gap(const PsPaper *paper)
{
    if (form_of(paper)->gap)
        form_of(paper)->gap(paper);
}

void ps_paper_text(const PsPaper *paper, const char *first, const char *text)
{
    form_of(paper)->sentence(paper, first, text);
}

void ps_paper_line(const PsPaper *paper, const char *text)
{
    form_of(paper)->line(paper, text);
}

void ps_paper_drawing(const PsPaper *paper, const char *lines)
{
    form_of(paper)->drawing(paper, lines);
}

void ps_paper_table(const PsPaper *paper, const PsTable *table, guint indent)
{
    form_of(paper)->table(paper, table, indent);
}

gboolean ps_paper_view(const PsPaper *paper, PsViewId view, const PsTold *facts,
                       const PsTold *what_if, const char *which)
{
    const char *title = ps_view_title(view);
    g_autoptr(PsTable) table = ps_table_of_view(view, facts, what_if, FALSE);
    g_autofree char *heading =
        title && which ? g_strdup_printf("%s (%s)", title, which) : g_strdup(title);
    g_autofree char *more = g_strdup_printf("  %s", ps_table_more(table));
    if (!ps_table_has_rows(table))
        return FALSE;
    if (heading)
        ps_paper_heading(paper, heading);
    ps_paper_table(paper, table, 2);
    if (ps_table_more(table))
        ps_paper_line(paper, more);
    return TRUE;
}
