/* SPDX-License-Identifier: BSD-3-Clause */
/* The cells of a table for people, by a view. See view.h. */
#include "tell/view-cells.h"
#include "tell/view.h"

#include "base/cell.h"
#include "tell/format.h"
#include "tell/join.h"

#include <math.h>
#include <string.h>

/* ---- values -------------------------------------------------------------------------------- */

static char *format_number(const PsFact *fact)
{
    return fact->type == PS_FACT_IS_COUNT   ? ps_format_count(fact->value.count)
           : fact->type == PS_FACT_IS_WHOLE ? ps_format_count((gint64)fact->value.number)
                                            : ps_format_number(ps_fact_number(fact));
}

/* What a GPU calls itself has so much room, so that its row fits 100 columns. */
#define CHIP_WIDTH 22

/* "Instinct MI250 (...)": what stands in brackets goes first. */
static char *format_chip(const char *name)
{
    const char *bracket = strstr(name, " (");
    if (g_utf8_strlen(name, -1) <= CHIP_WIDTH || !bracket)
        return ps_format_cut(name, CHIP_WIDTH);
    g_autofree char *before = g_strndup(name, (gsize)(bracket - name));
    g_autofree char *chip = g_strconcat(before, " (...)", NULL);
    return ps_format_cut(chip, CHIP_WIDTH);
}

/* The share that a count has in the sum of its group's. */
static char *format_part(const PsViewRow *row, const PsFact *fact)
{
    guint first = row->at;
    while (ps_told_at(row->facts, first) != fact)
        first++;
    while (ps_told_at(row->facts, first - 1)->type == PS_FACT_IS_COUNT)
        first--;
    double sum = 0;
    for (guint i = first; i < row->end; i++)
        if (ps_told_at(row->facts, i)->type == PS_FACT_IS_COUNT)
            sum += ps_fact_number(ps_told_at(row->facts, i));
        else
            break;
    return fact->value.count ? g_strdup_printf("%.0f %%", 100 * ps_fact_number(fact) / sum)
                             : g_strdup("-");
}

static char *format_of(const PsFact *fact, const PsFact *other)
{
    g_autofree char *first = format_number(fact);
    return g_strdup_printf("%s of %" G_GINT64_FORMAT, first, other ? other->value.count : 0);
}

/* Writes a fact that is known; other is the second one, or NULL. */
static char *format_value(const PsViewRow *row, const PsViewColumn *column, const PsFact *fact,
                          const PsFact *other)
{
    if (ps_fact_is_text(fact) && column->type == PS_CELL_CHIP)
        return format_chip(fact->value.text);
    if (ps_fact_is_text(fact))
        return ps_text_clean(fact->value.text);
    switch (column->type) {
    case PS_CELL_THOUSANDS:
        return ps_format_number(ps_fact_number(fact) / 1000);
    case PS_CELL_ROUNDED:
        return ps_format_count((gint64)(ps_fact_number(fact) + 0.5));
    case PS_CELL_CYCLES:
        return ps_format_rounded_cycles(fact->value.exact);
    case PS_CELL_OF:
        return format_of(fact, other);
    case PS_CELL_INTERVAL:
        return ps_format_interval(ps_fact_number(fact), other ? ps_fact_number(other) : 0);
    case PS_CELL_SHARE:
        return ps_format_share(ps_fact_number(fact));
    case PS_CELL_PART:
        return format_part(row, fact);
    default:
        return format_number(fact);
    }
}

/* ---- cells --------------------------------------------------------------------------------- */

static gboolean is_item(const PsViewRow *row)
{
    return row->at > 0 && ps_told_at(row->facts, row->at - 1)->fact == PS_VIEW_NO_FACT;
}

static char *cell_text(const PsViewRow *row, const PsViewColumn *column)
{
    const PsFact *fact = ps_view_fact(row, column, 0), *other = ps_view_fact(row, column, 1);
    if (column->flags & PS_VIEW_ITEMS && !is_item(row))
        return g_strdup("");
    if (!fact && !other)
        return g_strdup(column->type == PS_CELL_WORD && row->word ? row->word : "");
    if (!fact || (!fact->known && other && ps_fact_is_text(fact))) {
        fact = other;
        other = NULL;
    }
    return fact->known && !ps_view_is_emptied(row, column)
               ? format_value(row, column, fact, other && other->known ? other : NULL)
               : g_strdup("-");
}

/* Whether some row has more than a dash there. */
static gboolean is_filled(const PsView *view, const PsTold *facts, const PsViewColumn *column)
{
    PsViewRow row = {.view = view, .facts = facts};
    while (ps_view_next(&row)) {
        g_autofree char *text = cell_text(&row, column);
        if (*text && strcmp(text, "-") != 0)
            return TRUE;
    }
    return FALSE;
}

/* The columns that are there, and their heads. */
static GPtrArray *columns_of(const PsView *view, const PsTold *facts, GPtrArray *cells,
                             GString *align)
{
    GPtrArray *columns = g_ptr_array_new();
    for (guint i = 0; i < view->n_columns; i++) {
        const PsViewColumn *column = &view->columns[i];
        if (!ps_view_has(facts, column) ||
            (column->flags & PS_VIEW_OPTIONAL && !is_filled(view, facts, column)))
            continue;
        g_ptr_array_add(columns, (gpointer)column);
        g_ptr_array_add(cells,
                        g_strdup(column->head ? column->head : ps_fact_column(column->facts[0])));
        g_string_append_c(align, column->flags & PS_VIEW_LEFT ? 'l' : 'r');
    }
    return columns;
}

GPtrArray *ps_view_cells(PsViewId view, const PsTold *facts, char **align)
{
    GPtrArray *cells = g_ptr_array_new_with_free_func(g_free);
    GString *aligned = g_string_new(NULL);
    PsViewRow row = {.view = &ps_views[view], .facts = facts};
    g_autoptr(GPtrArray) columns = columns_of(row.view, facts, cells, aligned);
    while (ps_view_next(&row))
        for (guint i = 0; i < columns->len; i++)
            g_ptr_array_add(cells, cell_text(&row, columns->pdata[i]));
    *align = g_string_free(aligned, FALSE);
    return cells;
}

/* ---- sentences ----------------------------------------------------------------------------- */

static const char *sentence_of(const PsTold *facts, guint16 number)
{
    return number == PS_VIEW_NO_FACT ? NULL : ps_told_text(facts, (PsTextFact){number});
}

/* Both facts of the column; NULL where there is none. */
static char *sentences_of(const PsTold *facts, const PsViewColumn *column)
{
    const char *first = sentence_of(facts, column->facts[0]);
    const char *second = sentence_of(facts, column->facts[1]);
    return first && second ? g_strdup_printf("%s; %s", first, second)
                           : g_strdup(first ? first : second);
}

static void add_sentence(GPtrArray *lines, const char *label, char *text)
{
    if (!text)
        return;
    g_ptr_array_add(lines, g_strdup(label));
    g_ptr_array_add(lines, text);
}

GPtrArray *ps_view_sentences(PsViewId id, const PsTold *facts, const PsTold *what_if)
{
    const PsView *view = &ps_views[id];
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < view->n_columns; i++) {
        const PsViewColumn *column = &view->columns[i];
        char *text = sentences_of(facts, column);
        g_autofree char *other =
            what_if && column->flags & PS_VIEW_BOTH ? sentences_of(what_if, column) : NULL;
        const gboolean differs = g_strcmp0(text, other) != 0;
        add_sentence(lines, column->head ? column->head : ps_fact_column(column->facts[0]), text);
        if (differs)
            add_sentence(lines, "... what if", g_steal_pointer(&other));
    }
    return lines;
}

/* ---- two trees ----------------------------------------------------------------------------- */

static char *joined_cell(const PsJoined *joined, guint side)
{
    const PsFact *fact = joined->facts[side];
    const PsFact *other = ps_view_fact(&joined->rows[side], joined->column, 1);
    if (!fact || !fact->known)
        return g_strdup("-");
    return format_value(&joined->rows[side], joined->column, fact,
                        other != fact && other && other->known ? other : NULL);
}

/* The head of the column, and behind it what the row is called (g_free). */
static char *joined_label(const PsJoined *joined)
{
    const PsViewRow *row = &joined->rows[joined->facts[0] ? 0 : 1];
    const char *head = joined->column->head, *name = joined->key;
    for (guint i = 0; i < row->view->n_columns; i++) {
        const PsViewColumn *column = &row->view->columns[i];
        const PsFact *first = ps_view_fact(row, column, 0), *second = ps_view_fact(row, column, 1);
        if (column->flags & PS_VIEW_LABEL && (first || second))
            name = (first ? first : second)->value.text;
    }
    head = head ? head : ps_fact_column(joined->column->facts[0]);
    char *label = g_strconcat(head, *head && name ? " " : "", name, NULL);
    label[0] = g_ascii_toupper(label[0]);
    return label;
}

/* Neither known nor more than zero. */
static gboolean is_nothing(const PsFact *fact)
{
    return !fact || !fact->known || ps_fact_number(fact) == 0;
}

static void add_pair(const PsJoined *joined, void *data)
{
    const PsViewColumn *column = joined->column;
    if (ps_view_is_emptied(&joined->rows[0], column) &&
        ps_view_is_emptied(&joined->rows[1], column))
        return;
    if (column->flags & PS_VIEW_OPTIONAL && is_nothing(joined->facts[0]) &&
        is_nothing(joined->facts[1]))
        return;
    const double ratio = ps_joined_ratio(joined);
    g_ptr_array_add(data, joined_label(joined));
    g_ptr_array_add(data, joined_cell(joined, 0));
    g_ptr_array_add(data, joined_cell(joined, 1));
    g_ptr_array_add(data, isnan(ratio) ? g_strdup("") : ps_format_number(ratio));
}

GPtrArray *ps_view_joined_cells(PsViewId view, const PsTold *a, const PsTold *b)
{
    GPtrArray *cells = g_ptr_array_new_with_free_func(g_free);
    ps_join(view, a, b, add_pair, cells);
    return cells;
}
