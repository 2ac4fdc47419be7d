/* SPDX-License-Identifier: BSD-3-Clause */
/* See table.h. */
#include "tell/table-parts.h"
#include "tell/view.h"

#include <string.h>

PsTable *ps_table_new(const char *align)
{
    PsTable *table = g_new0(PsTable, 1);
    table->align = g_strdup(align);
    table->columns = (guint)strlen(align);
    table->cells = g_ptr_array_new_with_free_func(g_free);
    return table;
}

void ps_table_free(PsTable *table)
{
    g_free(table->align);
    g_free(table->more);
    g_ptr_array_unref(table->cells);
    g_free(table);
}

void ps_table_tighten(PsTable *table)
{
    table->is_tight = TRUE;
}

void ps_table_keep_rows(PsTable *table)
{
    table->keeps_rows = TRUE;
}

void ps_table_wrap_last(PsTable *table)
{
    table->wraps_last = TRUE;
}

void ps_table_omit_head(PsTable *table)
{
    table->has_no_head = TRUE;
}

void ps_table_add(PsTable *table, char *text)
{
    g_ptr_array_add(table->cells, text);
}

/* TRUE if no column has a head. */
static gboolean is_headless(const PsTable *table)
{
    for (guint i = 0; i < table->columns; i++)
        if (*(const char *)table->cells->pdata[i])
            return FALSE;
    return TRUE;
}

PsTable *ps_table_of_view(PsViewId view, const PsTold *facts, const PsTold *what_if, gboolean wide)
{
    g_auto(PsViewTable) of = ps_view_table(view, facts, what_if, wide);
    PsTable *table = ps_table_new(of.align);
    g_ptr_array_unref(table->cells);
    table->cells = g_steal_pointer(&of.cells);
    table->n_items = of.n_items;
    table->is_tight = (of.set & PS_VIEW_TIGHT) != 0;
    table->has_no_head = (of.set & PS_VIEW_HEADLESS) != 0 || is_headless(table);
    table->keeps_rows = (of.set & PS_VIEW_KEEPS_ROWS) != 0;
    table->more = of.left_out ? g_strdup_printf("and %u more %s", of.left_out, of.more) : NULL;
    if (table->has_no_head)
        g_ptr_array_remove_range(table->cells, 0, table->columns);
    return table;
}

guint ps_table_n_items(const PsTable *table)
{
    return table->n_items;
}

const char *ps_table_more(const PsTable *table)
{
    return table->more;
}

void ps_table_add_joined(PsTable *table, PsViewId view, const PsTold *a, const PsTold *b)
{
    g_ptr_array_extend_and_steal(table->cells, ps_view_joined_cells(view, a, b));
}

guint ps_table_n_rows(const PsTable *table)
{
    return table->cells->len / table->columns;
}

gboolean ps_table_has_rows(const PsTable *table)
{
    return ps_table_n_rows(table) > (table->has_no_head ? 0 : 1);
}

const char *ps_table_cell(const PsTable *table, guint row, guint column)
{
    return table->cells->pdata[row * table->columns + column];
}
