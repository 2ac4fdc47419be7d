/* SPDX-License-Identifier: BSD-3-Clause */
/* Sentences, and two trees side by side. See view-cells.h. */
#include "tell/view-cells.h"

#include "tell/format.h"
#include "tell/join.h"
#include "tell/view-values.h"

#include <math.h>

/* ---- sentences ----------------------------------------------------------------------------- */

static const char *sentence_of(const PsTold *facts, guint16 number)
{
    return number == PS_VIEW_NO_FACT ? NULL : ps_told_text(facts, (PsTextFact){number});
}

/* Both facts of the column; NULL: there is none. */
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

/* ---- one row ------------------------------------------------------------------------------- */

GPtrArray *ps_view_heads(PsViewId id)
{
    GPtrArray *heads = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < ps_views[id].n_columns; i++)
        g_ptr_array_add(heads, g_strdup(ps_views[id].columns[i].head));
    return heads;
}

GPtrArray *ps_view_line(PsViewId id, const PsTold *facts)
{
    GPtrArray *cells = g_ptr_array_new_with_free_func(g_free);
    PsViewRow row = {.view = &ps_views[id], .facts = facts};
    ps_view_next(&row);
    for (guint i = 0; i < row.view->n_columns; i++)
        g_ptr_array_add(cells, ps_view_cell(&row, &row.view->columns[i]));
    return cells;
}

/* ---- two trees ----------------------------------------------------------------------------- */

static char *joined_cell(const PsJoined *joined, guint side)
{
    const PsFact *fact = joined->facts[side];
    const PsFact *other = ps_view_fact(&joined->rows[side], joined->column, 1);
    if (!fact || !fact->known)
        return g_strdup("-");
    return ps_view_value(&joined->rows[side], joined->column, fact,
                         other != fact && other && other->known ? other : NULL);
}

/* The head of the column, and then the row's name (g_free). */
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

/* TRUE if neither value is known and above zero. */
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
    const double ratio = column->flags & PS_VIEW_UNRATED ? NAN : ps_joined_ratio(joined);
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
