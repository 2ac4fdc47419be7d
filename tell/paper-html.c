/* SPDX-License-Identifier: BSD-3-Clause */
/* HTML for another author's page, without style or script. See paper.h, and table.h. */
#include "tell/html.h"
#include "tell/paper-form.h"
#include "tell/table-parts.h"

#include <string.h>

/* ---- tables -------------------------------------------------------------------------------- */

/* A row of the page. */
typedef struct {
    guint number;
    gboolean total;
    guint key; /* colour of its key; G_MAXUINT: none */
} HtmlRow;

/* Puts a row's name and cells. Each cell names its column, for pages too narrow for a table. */
static void put_html_row(const PsTable *table, HtmlRow row, GString *out)
{
    g_string_append(out, row.total ? "<tr class='all'>" : "<tr>");
    g_string_append(out, "<th scope='row'>");
    if (row.key != G_MAXUINT)
        g_string_append_printf(out, "<span class='key c%u'></span>", row.key);
    ps_html_text(out, ps_table_cell(table, row.number, 0));
    g_string_append(out, "</th>");
    for (guint i = 1; i < table->columns; i++) {
        g_string_append(out, table->align[i] == 'r' ? "<td class='n' data-of='" : "<td data-of='");
        ps_html_text(out, table->has_no_head ? "" : ps_table_cell(table, 0, i));
        g_string_append(out, "'>");
        ps_html_text(out, ps_table_cell(table, row.number, i));
        g_string_append(out, "</td>");
    }
    g_string_append(out, "</tr>\n");
}

static void put_html_heads(const PsTable *table, GString *out)
{
    g_string_append(out, "<thead><tr>");
    for (guint i = 0; i < table->columns; i++)
        ps_html_element(out,
                        i && table->align[i] == 'r' ? "th scope='col' class='n'" : "th scope='col'",
                        ps_table_cell(table, 0, i));
    g_string_append(out, "</tr></thead>\n");
}

void ps_table_put_html(const PsTable *table, const char *class_name, guint n_keys, GString *out)
{
    const guint heads = table->has_no_head ? 0 : 1;
    g_string_append_printf(out, "<div class='scroll'><table class='%s'>\n", class_name);
    if (heads)
        put_html_heads(table, out);
    g_string_append(out, "<tbody>\n");
    for (guint i = 0; i + heads < ps_table_n_rows(table); i++) {
        const gboolean total = i >= table->n_items;
        const HtmlRow row = {i + heads, total, n_keys && !total ? MIN(i, n_keys - 1) : G_MAXUINT};
        put_html_row(table, row, out);
    }
    g_string_append(out, "</tbody></table></div>\n");
}

/* ---- pages --------------------------------------------------------------------------------- */

static void put_line_of(const PsPaper *paper, const char *tag, const char *text)
{
    ps_html_element(paper->out, tag, text);
    g_string_append_c(paper->out, '\n');
}

/* Appends within the last table or list: what ended it is removed. */
static void put_within(GString *out, const char *tag, const char *item)
{
    g_autofree char *end = g_strdup_printf("</%s>\n", tag);
    if (g_str_has_suffix(out->str, end))
        g_string_truncate(out, out->len - strlen(end));
    else
        g_string_append_printf(out, "<%s>\n", tag);
    g_string_append_printf(out, "%s\n%s", item, end);
}

static void put_row(GString *out, const char *label, const char *text)
{
    g_autoptr(GString) row = g_string_new("<tr>");
    ps_html_element(row, "th", label);
    ps_html_element(row, "td", text);
    g_string_append(row, "</tr>");
    put_within(out, "table", row->str);
}

static void put_title(const PsPaper *paper, const char *name, const char *rest)
{
    g_autofree char *title = g_strconcat(name, rest, NULL);
    put_line_of(paper, "h3", title);
}

static void put_heading(const PsPaper *paper, const char *text)
{
    put_line_of(paper, "h4", text);
}

static void put_paragraph(const PsPaper *paper, const char *text)
{
    put_line_of(paper, "p", text);
}

static void put_sentence(const PsPaper *paper, const char *first, const char *text)
{
    g_autofree char *word = g_strdup(first + strspn(first, " -"));
    g_autoptr(GString) item = g_string_new(NULL);
    if (g_str_has_suffix(g_strchomp(word), ":"))
        word[strlen(word) - 1] = '\0';
    if (*word) {
        put_row(paper->out, word, text);
        return;
    }
    if (!strchr(first, '-')) {
        put_paragraph(paper, text);
        return;
    }
    ps_html_element(item, "li", text);
    put_within(paper->out, "ul", item->str);
}

static void put_drawing(const PsPaper *paper, const char *lines)
{
    put_line_of(paper, "pre", lines + strspn(lines, "\n"));
}

static void put_table(const PsPaper *paper, const PsTable *table, guint indent)
{
    (void)indent;
    ps_table_put_html(table, "figures", 0, paper->out);
}

const PaperForm ps_form_html = {.title = put_title,
                                .heading = put_heading,
                                .preface = put_paragraph,
                                .part = put_heading,
                                .line = put_paragraph,
                                .sentence = put_sentence,
                                .drawing = put_drawing,
                                .table = put_table};
