/* SPDX-License-Identifier: BSD-3-Clause */
/* Text of 80 columns. See paper.h, and table.h. */
#include "tell/format.h"
#include "tell/paper-form.h"
#include "tell/table-parts.h"
#include "tell/wrap.h"

#include <string.h>

#define GAP 2

/* Columns that a narrow table leaves to names; longer names get a line of their own. */
#define MIN_NAME 20

/* ---- tables -------------------------------------------------------------------------------- */

static guint *column_widths(const PsTable *table)
{
    guint *width = g_new0(guint, table->columns);
    for (guint i = 0; i < table->cells->len; i++) {
        const guint column = i % table->columns;
        width[column] = MAX(width[column], ps_text_width(table->cells->pdata[i]));
    }
    return width;
}

/* The width of all columns except that of names. */
static guint others_width(const PsTable *table, const guint *width, guint gap)
{
    guint others = 0;
    for (guint i = 1; i < table->columns; i++)
        others += gap + width[i];
    return others;
}

static guint gap_of(const PsTable *table, const guint *width, guint indent)
{
    const guint all = indent + width[0] + others_width(table, width, GAP);
    return table->is_tight && all > PS_TEXT_WIDTH ? 1 : GAP;
}

/* Gives names the width that other columns leave. */
static void fit_names(guint *width, guint others)
{
    const guint room = others + 8 < PS_TEXT_WIDTH ? PS_TEXT_WIDTH - others : 8;
    width[0] = MIN(width[0], room);
}

/* TRUE if different names would become equal when cut to that width. */
static gboolean would_clash(const PsTable *table, guint width)
{
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < table->cells->len; i += table->columns) {
        const char *name = table->cells->pdata[i];
        char *shown = ps_format_kernel_name(name, width);
        const char *known = g_hash_table_lookup(names, shown);
        if (known && strcmp(known, name) != 0) {
            g_free(shown);
            return TRUE;
        }
        g_hash_table_insert(names, shown, table->cells->pdata[i]);
    }
    return FALSE;
}

/* Cuts names to the remaining width, or gives them lines of their own. */
static void shorten_names(const PsTable *table, guint room, guint indent)
{
    const gboolean fit = room >= MIN_NAME && !would_clash(table, room);
    for (guint i = 0; i < table->cells->len; i += table->columns) {
        char *name = table->cells->pdata[i];
        table->cells->pdata[i] = ps_format_kernel_name(name, fit ? room : PS_TEXT_WIDTH - indent);
        g_free(name);
    }
}

/* The places of columns. */
typedef struct {
    guint *width;
    guint gap, indent;
} Layout;

static void print_row(const PsTable *table, guint row, const Layout *layout, GString *out)
{
    const guint *width = layout->width;
    ps_text_pad(out, layout->indent);
    for (guint i = 0; i < table->columns; i++) {
        const char *cell = table->cells->pdata[row * table->columns + i];
        const guint own = ps_text_width(cell);
        const guint space = own < width[i] ? width[i] - own : 0;
        if (i)
            ps_text_pad(out, layout->gap);
        if (table->align[i] == 'r')
            ps_text_pad(out, space);
        g_string_append(out, cell);
        if (own > width[i] && table->columns > 1) {
            g_string_append_c(out, '\n');
            ps_text_pad(out, layout->indent + width[i]);
        } else if (table->align[i] == 'l') {
            ps_text_pad(out, space);
        }
    }
    while (out->len && out->str[out->len - 1] == ' ')
        g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '\n');
}

/* Prints names, and beside each a text in several lines. */
static void print_wrapped(const PsTable *table, const guint *width, guint indent, GString *out)
{
    for (guint row = 1; row < ps_table_n_rows(table); row++) {
        g_autofree char *first =
            g_strdup_printf("%*s%-*s  ", (int)indent, "", (int)MIN(width[0], PS_TEXT_WIDTH / 2),
                            ps_table_cell(table, row, 0));
        ps_wrap_text(out, first, ps_table_cell(table, row, 1));
    }
}

void ps_table_print(const PsTable *table, guint indent, GString *out)
{
    g_autofree guint *width = column_widths(table);
    const Layout layout = {width, gap_of(table, width, indent), indent};
    if (table->wraps_last) {
        print_wrapped(table, width, indent, out);
        return;
    }
    if (!table->keeps_rows)
        fit_names(width, indent + others_width(table, width, layout.gap));
    if (table->is_tight)
        shorten_names(table, width[0], indent);
    for (guint row = 0; row < table->cells->len / table->columns; row++)
        print_row(table, row, &layout, out);
}

/* ---- pages --------------------------------------------------------------------------------- */

/* Bold, if the page has colours. */
static void put_bold(const PsPaper *paper, const char *before, const char *text)
{
    g_string_append_printf(paper->out, "%s%s%s%s", before, paper->colour ? "\033[1m" : "", text,
                           paper->colour ? "\033[0m" : "");
}

static void put_title(const PsPaper *paper, const char *name, const char *rest)
{
    if (!rest) {
        ps_wrap_text(paper->out, "", name);
        return;
    }
    put_bold(paper, "", name);
    g_string_append_printf(paper->out, "%s\n", rest);
}

static void put_heading(const PsPaper *paper, const char *text)
{
    put_bold(paper, "\n", text);
    g_string_append_c(paper->out, '\n');
}

static void put_line(const PsPaper *paper, const char *text)
{
    g_string_append_printf(paper->out, "%s\n", text);
}

static void put_gap(const PsPaper *paper)
{
    g_string_append_c(paper->out, '\n');
}

static void put_sentence(const PsPaper *paper, const char *first, const char *text)
{
    ps_wrap_text(paper->out, first, text);
}

static void put_drawing(const PsPaper *paper, const char *lines)
{
    g_string_append(paper->out, lines);
}

static void put_table(const PsPaper *paper, const PsTable *table, guint indent)
{
    ps_table_print(table, indent, paper->out);
}

const PaperForm ps_form_text = {.title = put_title,
                                .heading = put_heading,
                                .preface = put_heading,
                                .part = put_line,
                                .line = put_line,
                                .gap = put_gap,
                                .sentence = put_sentence,
                                .drawing = put_drawing,
                                .table = put_table};
