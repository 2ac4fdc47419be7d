/* SPDX-License-Identifier: BSD-3-Clause */
/* Markdown as code hosts show it. See paper.h, and table.h. */
#include "tell/paper-form.h"
#include "tell/table-parts.h"

#include <string.h>

/* ---- tables -------------------------------------------------------------------------------- */

/* Within a word underscores have no meaning in Markdown, however many there are. */
static gboolean is_within_word(const char *text, const char *c)
{
    const char *before = c, *behind = c;
    while (before > text && *before == '_')
        before--;
    while (*behind == '_')
        behind++;
    return g_ascii_isalnum(*before) && g_ascii_isalnum(*behind);
}

void ps_markdown_text(GString *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (strchr("\\`*<|[~#", *c) || (*c == '_' && !is_within_word(text, c)))
            g_string_append_c(out, '\\');
        g_string_append_c(out, *c == '\n' ? ' ' : *c);
    }
}

static void put_markdown_row(const PsTable *table, guint row, GString *out)
{
    for (guint i = 0; i < table->columns; i++) {
        g_string_append(out, "| ");
        ps_markdown_text(out, ps_table_cell(table, row, i));
        g_string_append_c(out, ' ');
    }
    g_string_append(out, "|\n");
}

void ps_table_put_markdown(const PsTable *table, GString *out)
{
    if (table->has_no_head) {
        for (guint i = 0; i < table->columns; i++)
            g_string_append(out, "| ");
        g_string_append(out, "|\n");
    } else {
        put_markdown_row(table, 0, out);
    }
    for (guint i = 0; i < table->columns; i++)
        g_string_append(out, table->align[i] == 'r' ? "|---:" : "|---");
    g_string_append(out, "|\n");
    for (guint row = table->has_no_head ? 0 : 1; row < ps_table_n_rows(table); row++)
        put_markdown_row(table, row, out);
}

/* ---- pages --------------------------------------------------------------------------------- */

/* Puts an empty line before a block, unless it continues a list. */
static void begin_block(GString *out, gboolean item)
{
    if (!out->len)
        return;
    const char *last = out->str + out->len - 1;
    while (last > out->str && last[-1] != '\n')
        last--;
    if (g_str_has_suffix(out->str, "\n\n") || (item && g_str_has_prefix(last, "- ")))
        return;
    g_string_append_c(out, '\n');
}

static void put_marked(const PsPaper *paper, const char *marks, const char *text)
{
    begin_block(paper->out, FALSE);
    g_string_append(paper->out, marks);
    ps_markdown_text(paper->out, text);
    g_string_append(paper->out, "\n\n");
}

/* Replaces several blanks by one. */
static void collapse_blanks(char *text)
{
    char *to = text;
    for (const char *c = text; *c; c++)
        if (*c != ' ' || c[1] != ' ')
            *to++ = *c;
    *to = '\0';
}

/* A line's label, "Limited by" of "Limited by    ", is bold; blanks and dashes are none. */
static void put_sentence(const PsPaper *paper, const char *first, const char *text)
{
    g_autofree char *word = g_strdup(first + strspn(first, " -"));
    g_strchomp(word);
    collapse_blanks(word);
    if (g_str_has_suffix(word, ":"))
        word[strlen(word) - 1] = '\0';
    const gboolean item = *word || strchr(first, '-');
    begin_block(paper->out, item);
    g_string_append(paper->out, item ? "- " : "");
    if (*word) {
        g_string_append(paper->out, "**");
        ps_markdown_text(paper->out, word);
        g_string_append(paper->out, "**: ");
    }
    ps_markdown_text(paper->out, text);
    g_string_append(paper->out, item ? "\n" : "\n\n");
}

static void put_title(const PsPaper *paper, const char *name, const char *rest)
{
    g_autofree char *title = g_strconcat(name, rest, NULL);
    put_marked(paper, "# ", title);
}

static void put_heading(const PsPaper *paper, const char *text)
{
    put_marked(paper, "## ", text);
}

static void put_paragraph(const PsPaper *paper, const char *text)
{
    put_sentence(paper, "", text);
}

static void put_drawing(const PsPaper *paper, const char *lines)
{
    begin_block(paper->out, FALSE);
    g_string_append_printf(paper->out, "```\n%s```\n\n", lines + strspn(lines, "\n"));
}

static void put_table(const PsPaper *paper, const PsTable *table, guint indent)
{
    (void)indent;
    begin_block(paper->out, FALSE);
    ps_table_put_markdown(table, paper->out);
    g_string_append_c(paper->out, '\n');
}

const PaperForm ps_form_markdown = {.title = put_title,
                                    .heading = put_heading,
                                    .preface = put_paragraph,
                                    .part = put_heading,
                                    .line = put_paragraph,
                                    .sentence = put_sentence,
                                    .drawing = put_drawing,
                                    .table = put_table};
