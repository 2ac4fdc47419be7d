/* SPDX-License-Identifier: BSD-3-Clause */
/* Views whose columns are rows, each with its symbol, its equation, its value, and what it is. */
#include "tell/view-down.h"

#include "tell/view-values.h"

/* Takes ownership of the value. */
static void add_line(GPtrArray *cells, const char *symbol, const char *equation, char *value,
                     const char *what)
{
    g_ptr_array_add(cells, g_strdup(symbol));
    g_ptr_array_add(cells, g_strdup(equation));
    g_ptr_array_add(cells, value);
    g_ptr_array_add(cells, g_strdup(what));
}

static gboolean is_shown(const PsViewColumn *column, const PsFact *fact)
{
    return fact->known && !(column->flags & PS_VIEW_OPTIONAL && ps_fact_number(fact) == 0);
}

static void add_entries(GPtrArray *cells, const PsViewRow *row, const PsViewColumn *column)
{
    const PsViewColumn as_number = {.type = PS_CELL_NUMBER};
    const PsFact *group = ps_view_fact(row, column, 0);
    guint at = ps_view_first(row, group);
    for (; group && at < group->end; at = ps_told_at(row->facts, at)->end) {
        const PsFact *entry = ps_told_at(row->facts, at);
        const char *what = ps_view_called(column, entry->key);
        if (what && is_shown(column, entry))
            add_line(cells, entry->key, "", ps_view_value(row, &as_number, entry, NULL), what);
    }
}

static void add_column(GPtrArray *cells, const PsViewRow *row, const PsViewColumn *column)
{
    const PsFact *fact = ps_view_fact(row, column, 0);
    g_auto(GStrv) parts = g_strsplit(column->head, "|", 3);
    if (fact && is_shown(column, fact))
        add_line(cells, parts[0], parts[1], ps_view_value(row, column, fact, NULL), parts[2]);
}

PsViewTable ps_view_down(const PsView *view, const PsTold *facts)
{
    PsViewTable table = {.cells = g_ptr_array_new_with_free_func(g_free),
                         .align = g_strdup("llrl"),
                         .set = view->set | PS_VIEW_HEADLESS};
    PsViewRow row = {.view = view, .facts = facts};
    add_line(table.cells, "", "", g_strdup(""), "");
    while (ps_view_next(&row))
        for (guint i = 0; i < view->n_columns; i++) {
            const PsViewColumn *column = &view->columns[i];
            if (column->type == PS_CELL_ENTRIES)
                add_entries(table.cells, &row, column);
            else
                add_column(table.cells, &row, column);
        }
    table.n_rows = table.n_items = table.cells->len / 4 - 1;
    return table;
}
