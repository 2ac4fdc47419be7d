/* SPDX-License-Identifier: BSD-3-Clause */
/* See paper.h. */
#include "cli/report/paper.h"

#include "cli/system/terminal.h"

#include <string.h>

/* ---- Markdown ------------------------------------------------------------------------------ */

/* An empty line before what begins, unless it goes on a list. */
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

static void put_heading_line(const Paper *paper, const char *marks, const char *text)
{
    begin_block(paper->out, FALSE);
    g_string_append(paper->out, marks);
    put_markdown_text(paper->out, text);
    g_string_append(paper->out, "\n\n");
}

/* One blank for several. */
static void collapse_blanks(char *text)
{
    char *to = text;
    for (const char *c = text; *c; c++)
        if (*c != ' ' || c[1] != ' ')
            *to++ = *c;
    *to = '\0';
}

/* The word of a line, "Limited by" of "Limited by    ", is bold; blanks and dashes are none. */
static void put_sentence(const Paper *paper, const char *first, const char *text)
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
        put_markdown_text(paper->out, word);
        g_string_append(paper->out, "**: ");
    }
    put_markdown_text(paper->out, text);
    g_string_append(paper->out, item ? "\n" : "\n\n");
}

/* ---- both ---------------------------------------------------------------------------------- */

Paper paper_for(const Options *options, GString *out)
{
    return (Paper){.out = out,
                   .colour =
                       options->format == FORMAT_TEXT && terminal_wants_colour(options->output),
                   .markdown = options->format == FORMAT_MARKDOWN};
}

void paper_title(const Paper *paper, const char *name, const char *rest)
{
    g_autofree char *title = g_strconcat(name, rest, NULL);
    if (paper->markdown)
        put_heading_line(paper, "# ", title);
    else
        g_string_append_printf(paper->out, "%s%s%s%s\n", paper->colour ? "\033[1m" : "", name,
                               paper->colour ? "\033[0m" : "", rest);
}

void paper_heading(const Paper *paper, const char *text)
{
    if (paper->markdown)
        put_heading_line(paper, "## ", text);
    else
        put_heading(paper->out, text, paper->colour);
}

void paper_preface(const Paper *paper, const char *text)
{
    if (paper->markdown)
        put_sentence(paper, "", text);
    else
        put_heading(paper->out, text, paper->colour);
}

void paper_wrapped_title(const Paper *paper, const char *text)
{
    if (paper->markdown)
        put_heading_line(paper, "# ", text);
    else
        ps_wrap_text(paper->out, "", text);
}

void paper_part(const Paper *paper, const char *text)
{
    if (paper->markdown)
        put_heading_line(paper, "## ", text);
    else
        g_string_append_printf(paper->out, "%s\n", text);
}

void paper_gap(const Paper *paper)
{
    if (!paper->markdown)
        g_string_append_c(paper->out, '\n');
}

void paper_text(const Paper *paper, const char *first, const char *text)
{
    if (paper->markdown)
        put_sentence(paper, first, text);
    else
        ps_wrap_text(paper->out, first, text);
}

void paper_line(const Paper *paper, const char *text)
{
    if (paper->markdown)
        put_sentence(paper, "", text);
    else
        g_string_append_printf(paper->out, "%s\n", text);
}

void paper_drawing(const Paper *paper, const char *lines)
{
    if (paper->markdown)
        begin_block(paper->out, FALSE);
    g_string_append_printf(paper->out, paper->markdown ? "```\n%s```\n\n" : "%s",
                           paper->markdown ? lines + strspn(lines, "\n") : lines);
}

void paper_table(const Paper *paper, const Table *table, guint indent)
{
    if (!paper->markdown) {
        table_print(table, indent, paper->out);
        return;
    }
    begin_block(paper->out, FALSE);
    table_put_markdown(table, paper->out);
    g_string_append_c(paper->out, '\n');
}

gboolean paper_view(const Paper *paper, PsViewId view, const PsTold *facts, const PsTold *what_if,
                    const char *which)
{
    const char *title = ps_view_title(view);
    g_autoptr(Table) table = table_of_view(view, facts, what_if, FALSE);
    g_autofree char *heading =
        title && which ? g_strdup_printf("%s (%s)", title, which) : g_strdup(title);
    g_autofree char *more = g_strdup_printf("  %s", table_more(table));
    if (!table_has_rows(table))
        return FALSE;
    if (heading)
        paper_heading(paper, heading);
    paper_table(paper, table, 2);
    if (table_more(table))
        paper_line(paper, more);
    return TRUE;
}
