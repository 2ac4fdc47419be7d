/* SPDX-License-Identifier: BSD-3-Clause */
/* See table.h. */
#include "cli/report/table.h"

#include "cli/report/markup.h"
#include "pipesim-private.h"

#include <string.h>

#define GAP 2

/* A tight table shortens names to no less than that; longer ones get a line of their own instead.
 */
#define MIN_NAME 20

struct Table {
    char *align;
    char *more; /* what is said of the rows of a view that are left out; NULL: none is */
    guint columns, n_items;
    gboolean is_tight, keeps_rows, has_no_head, wraps_last;
    GPtrArray *cells;
};

Table *table_new(const char *align)
{
    Table *table = g_new0(Table, 1);
    table->align = g_strdup(align);
    table->columns = (guint)strlen(align);
    table->cells = g_ptr_array_new_with_free_func(g_free);
    return table;
}

void table_free(Table *table)
{
    g_free(table->align);
    g_free(table->more);
    g_ptr_array_unref(table->cells);
    g_free(table);
}

void table_tighten(Table *table)
{
    table->is_tight = TRUE;
}

void table_keep_rows(Table *table)
{
    table->keeps_rows = TRUE;
}

void table_wrap_last(Table *table)
{
    table->wraps_last = TRUE;
}

void table_omit_head(Table *table)
{
    table->has_no_head = TRUE;
}

void table_add(Table *table, char *text)
{
    g_ptr_array_add(table->cells, text);
}

Table *table_of_view(PsViewId view, const PsTold *facts, const PsTold *what_if, gboolean wide)
{
    g_auto(PsViewTable) of = ps_view_table(view, facts, what_if, wide);
    Table *table = table_new(of.align);
    g_ptr_array_unref(table->cells);
    table->cells = g_steal_pointer(&of.cells);
    table->n_items = of.n_items;
    table->is_tight = (of.set & PS_VIEW_TIGHT) != 0;
    table->has_no_head = (of.set & PS_VIEW_HEADLESS) != 0;
    table->keeps_rows = (of.set & PS_VIEW_KEEPS_ROWS) != 0;
    table->more = of.left_out ? g_strdup_printf("and %u more %s", of.left_out, of.more) : NULL;
    if (table->has_no_head)
        g_ptr_array_remove_range(table->cells, 0, table->columns);
    return table;
}

guint table_n_items(const Table *table)
{
    return table->n_items;
}

const char *table_more(const Table *table)
{
    return table->more;
}

void table_add_joined(Table *table, PsViewId view, const PsTold *a, const PsTold *b)
{
    g_ptr_array_extend_and_steal(table->cells, ps_view_joined_cells(view, a, b));
}

guint table_n_rows(const Table *table)
{
    return table->cells->len / table->columns;
}

gboolean table_has_rows(const Table *table)
{
    return table_n_rows(table) > (table->has_no_head ? 0 : 1);
}

const char *table_cell(const Table *table, guint row, guint column)
{
    return table->cells->pdata[row * table->columns + column];
}

static guint *column_widths(const Table *table)
{
    guint *width = g_new0(guint, table->columns);
    for (guint i = 0; i < table->cells->len; i++) {
        const guint column = i % table->columns;
        width[column] = MAX(width[column], ps_text_width(table->cells->pdata[i]));
    }
    return width;
}

/* What all columns but the names take. */
static guint others_width(const Table *table, const guint *width, guint gap)
{
    guint others = 0;
    for (guint i = 1; i < table->columns; i++)
        others += gap + width[i];
    return others;
}

static guint gap_of(const Table *table, const guint *width, guint indent)
{
    const guint all = indent + width[0] + others_width(table, width, GAP);
    return table->is_tight && all > TEXT_WIDTH ? 1 : GAP;
}

/* The names get what the other columns leave. */
static void fit_names(guint *width, guint others)
{
    const guint room = others + 8 < TEXT_WIDTH ? TEXT_WIDTH - others : 8;
    width[0] = MIN(width[0], room);
}

/* Whether names that differ would be the same when they are that short. */
static gboolean would_clash(const Table *table, guint width)
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

/* To what is left for them, or to a line of their own. */
static void shorten_names(const Table *table, guint room, guint indent)
{
    const gboolean fit = room >= MIN_NAME && !would_clash(table, room);
    for (guint i = 0; i < table->cells->len; i += table->columns) {
        char *name = table->cells->pdata[i];
        table->cells->pdata[i] = ps_format_kernel_name(name, fit ? room : TEXT_WIDTH - indent);
        g_free(name);
    }
}

/* Where the columns stand. */
typedef struct {
    guint *width;
    guint gap, indent;
} Layout;

static void print_row(const Table *table, guint row, const Layout *layout, GString *out)
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

/* Names, and beside each a text in lines. */
static void print_wrapped(const Table *table, const guint *width, guint indent, GString *out)
{
    for (guint row = 1; row < table_n_rows(table); row++) {
        g_autofree char *first =
            g_strdup_printf("%*s%-*s  ", (int)indent, "", (int)MIN(width[0], TEXT_WIDTH / 2),
                            table_cell(table, row, 0));
        ps_wrap_text(out, first, table_cell(table, row, 1));
    }
}

void table_print(const Table *table, guint indent, GString *out)
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

/* ---- Markdown ------------------------------------------------------------------------------ */

/* Between letters a low line means nothing to Markdown, however many there are. */
static gboolean is_within_word(const char *text, const char *c)
{
    const char *before = c, *behind = c;
    while (before > text && *before == '_')
        before--;
    while (*behind == '_')
        behind++;
    return g_ascii_isalnum(*before) && g_ascii_isalnum(*behind);
}

void put_markdown_text(GString *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (strchr("\\`*<|[~#", *c) || (*c == '_' && !is_within_word(text, c)))
            g_string_append_c(out, '\\');
        g_string_append_c(out, *c == '\n' ? ' ' : *c);
    }
}

static void put_markdown_row(const Table *table, guint row, GString *out)
{
    for (guint i = 0; i < table->columns; i++) {
        g_string_append(out, "| ");
        put_markdown_text(out, table_cell(table, row, i));
        g_string_append_c(out, ' ');
    }
    g_string_append(out, "|\n");
}

void table_put_markdown(const Table *table, GString *out)
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
    for (guint row = table->has_no_head ? 0 : 1; row < table_n_rows(table); row++)
        put_markdown_row(table, row, out);
}

/* ---- HTML ---------------------------------------------------------------------------------- */

/* A row as the page has it. */
typedef struct {
    guint number;
    gboolean total;
    guint key; /* of which colour; G_MAXUINT: none */
} HtmlRow;

/* The row's name, and its cells: each says below which head it stands, for where the page is too
 * narrow for a table. */
static void put_html_row(const Table *table, HtmlRow row, GString *out)
{
    g_string_append(out, row.total ? "<tr class='all'>" : "<tr>");
    g_string_append(out, "<th scope='row'>");
    if (row.key != G_MAXUINT)
        g_string_append_printf(out, "<span class='key c%u'></span>", row.key);
    markup_text(out, table_cell(table, row.number, 0));
    g_string_append(out, "</th>");
    for (guint i = 1; i < table->columns; i++) {
        g_string_append(out, table->align[i] == 'r' ? "<td class='n' data-of='" : "<td data-of='");
        markup_text(out, table->has_no_head ? "" : table_cell(table, 0, i));
        g_string_append(out, "'>");
        markup_text(out, table_cell(table, row.number, i));
        g_string_append(out, "</td>");
    }
    g_string_append(out, "</tr>\n");
}

static void put_html_heads(const Table *table, GString *out)
{
    g_string_append(out, "<thead><tr>");
    for (guint i = 0; i < table->columns; i++)
        markup_element(out,
                       i && table->align[i] == 'r' ? "th scope='col' class='n'" : "th scope='col'",
                       table_cell(table, 0, i));
    g_string_append(out, "</tr></thead>\n");
}

void table_put_html(const Table *table, const char *class_name, guint n_keys, GString *out)
{
    const guint heads = table->has_no_head ? 0 : 1;
    g_string_append_printf(out, "<div class='scroll'><table class='%s'>\n", class_name);
    if (heads)
        put_html_heads(table, out);
    g_string_append(out, "<tbody>\n");
    for (guint i = 0; i + heads < table_n_rows(table); i++) {
        const gboolean total = i >= table->n_items;
        const HtmlRow row = {i + heads, total, n_keys && !total ? MIN(i, n_keys - 1) : G_MAXUINT};
        put_html_row(table, row, out);
    }
    g_string_append(out, "</tbody></table></div>\n");
}

/* ---- sentences ----------------------------------------------------------------------------- */

void put_heading(GString *out, const char *text, gboolean colour)
{
    g_string_append_printf(out, "\n%s%s%s\n", colour ? "\033[1m" : "", text,
                           colour ? "\033[0m" : "");
}
