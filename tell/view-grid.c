/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables by a view. See view-cells.h. */
#include "tell/view-cells.h"

#include "tell/format.h"
#include "tell/view-down.h"
#include "tell/view-values.h"

#include <string.h>

/* What is shown of one tree or of two. */
typedef struct {
    const PsView *view;
    const PsTold *facts, *what_if;
    gboolean wide;     /* there is room for all columns */
    GArray *rows;      /* PsViewRow: shown rows, in order */
    GArray *rest;      /* PsViewRow: the others */
    guint rest_at;     /* the row before which the others would stand */
    GArray *others;    /* the what-if's rows; NULL: no what-if */
    PsTimeScale scale; /* unit of all common columns */
} Shown;

/* ---- rows ---------------------------------------------------------------------------------- */

static double measure_of(const PsViewRow *row)
{
    const PsViewColumn by = {.facts = {row->rows->by, PS_VIEW_NO_FACT}, .within = PS_VIEW_NO_FACT};
    return ps_fact_number(ps_view_fact(row, &by, 0));
}

static int by_measure(const void *a, const void *b, void *data)
{
    const double x = measure_of(a), y = measure_of(b);
    (void)data;
    return (x < y) - (x > y);
}

static void take_rest(Shown *shown, GArray *list)
{
    const PsViewRows *rows = g_array_index(list, PsViewRow, 0).rows;
    const gboolean all = !rows || !rows->most || list->len <= rows->most + (rows->others ? 1 : 0);
    const guint n = all ? list->len : rows->most;
    if (!all && rows->by != PS_VIEW_NO_FACT)
        g_array_sort_with_data(list, by_measure, NULL);
    g_array_append_vals(shown->rows, list->data, n);
    if (all)
        return;
    shown->rest_at = shown->rows->len;
    g_array_append_vals(shown->rest, &g_array_index(list, PsViewRow, n), list->len - n);
}

/* TRUE if a number of the row is known and not zero. */
static gboolean has_number(const PsViewRow *row)
{
    for (guint i = row->at; i < row->end; i++) {
        const PsFact *fact = ps_told_at(row->facts, i);
        if (fact->known && ps_fact_is_number(fact) && ps_fact_number(fact) != 0)
            return TRUE;
    }
    return FALSE;
}

/* The rows of a view, without those that have no number and are left out for that. */
static GArray *all_rows(const PsView *view, const PsTold *facts)
{
    GArray *rows = ps_view_rows(view, facts);
    for (guint i = rows->len; i > 0; i--) {
        const PsViewRow *row = &g_array_index(rows, PsViewRow, i - 1);
        if (row->rows && row->rows->if_any && !has_number(row))
            g_array_remove_index(rows, i - 1);
    }
    return rows;
}

/* Shows rows list by list, each up to its limit. */
static void show_rows(Shown *shown)
{
    g_autoptr(GArray) all = all_rows(shown->view, shown->facts);
    for (guint i = 0; i < all->len;) {
        g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(PsViewRow));
        const guint group = g_array_index(all, PsViewRow, i).group;
        for (; i < all->len && g_array_index(all, PsViewRow, i).group == group; i++)
            g_array_append_val(list, g_array_index(all, PsViewRow, i));
        take_rest(shown, list);
    }
}

static void shown_clear(Shown *shown)
{
    g_array_unref(shown->rows);
    g_array_unref(shown->rest);
    g_clear_pointer(&shown->others, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Shown, shown_clear)

/* The what-if's row of the same key; NULL: there is none. */
static const PsViewRow *other_row(const Shown *shown, const PsViewRow *row)
{
    const char *key = ps_view_key(row);
    for (guint i = 0; i < shown->others->len; i++) {
        const PsViewRow *other = &g_array_index(shown->others, PsViewRow, i);
        if (g_strcmp0(ps_view_key(other), key) == 0)
            return other;
    }
    return NULL;
}

/* ---- cells --------------------------------------------------------------------------------- */

/* The unit of common columns, by their largest time. */
static PsTimeScale find_scale(const Shown *shown)
{
    double most = 0;
    for (guint i = 0; i < shown->rows->len; i++)
        for (guint k = 0; k < shown->view->n_columns; k++) {
            const PsViewColumn *column = &shown->view->columns[k];
            const PsFact *fact =
                column->type == PS_CELL_COMMON && !(column->flags & PS_VIEW_SIGNED)
                    ? ps_view_fact(&g_array_index(shown->rows, PsViewRow, i), column, 0)
                    : NULL;
            if (fact && fact->known)
                most = MAX(most, ps_fact_number(fact));
        }
    return ps_time_scale(most);
}

/* The value of a known fact, or the sum of several. */
static char *value_of(const Shown *shown, const PsViewRow *row, const PsViewColumn *column,
                      const PsFact *fact)
{
    return column->type == PS_CELL_COMMON
               ? ps_format_on_scale(&shown->scale, ps_fact_number(fact),
                                    (column->flags & PS_VIEW_SIGNED) != 0)
               : ps_view_value(row, column, fact, NULL);
}

static char *cell_of(const Shown *shown, const PsViewRow *row, const PsViewColumn *column)
{
    const gboolean joined = column->flags & (PS_VIEW_OTHER | PS_VIEW_BECOMES) && shown->what_if;
    const PsViewRow *other = joined ? other_row(shown, row) : NULL;
    g_autofree char *second = other ? ps_view_cell(other, column) : NULL;
    if (column->flags & PS_VIEW_OTHER)
        return second ? g_steal_pointer(&second) : g_strdup("-");
    const PsFact *fact = column->type == PS_CELL_COMMON ? ps_view_fact(row, column, 0) : NULL;
    char *first =
        fact && fact->known ? value_of(shown, row, column, fact) : ps_view_cell(row, column);
    if (!second || strcmp(first, second) == 0)
        return first;
    char *both = g_strconcat(first, " -> ", second, NULL);
    g_free(first);
    return both;
}

/* The sum over rows that are not shown. */
static char *sum_cell(const Shown *shown, const PsViewColumn *column)
{
    const PsViewRow *first = &g_array_index(shown->rest, PsViewRow, 0);
    PsFact sum = *ps_view_fact(first, column, 0);
    for (guint i = 1; i < shown->rest->len; i++) {
        const PsFact *fact = ps_view_fact(&g_array_index(shown->rest, PsViewRow, i), column, 0);
        if (!fact->known)
            continue;
        if (!sum.known)
            sum = *fact;
        else if (fact->type != PS_FACT_IS_EXACT)
            sum.value.number += fact->value.number;
        else if (!ps_rational_add(sum.value.exact, fact->value.exact, &sum.value.exact))
            return g_strdup("-");
    }
    return sum.known ? value_of(shown, first, column, &sum) : g_strdup("-");
}

static void add_rest(const Shown *shown, const GPtrArray *columns, GPtrArray *cells)
{
    for (guint i = 0; i < columns->len; i++) {
        const PsViewColumn *column = columns->pdata[i];
        g_ptr_array_add(cells, i == 0 ? g_strdup_printf("%u others", shown->rest->len)
                               : column->flags & PS_VIEW_SUM ? sum_cell(shown, column)
                                                             : g_strdup(""));
    }
}

/* TRUE if some row has more than a dash there. */
static gboolean is_filled(const Shown *shown, const PsViewColumn *column)
{
    for (guint i = 0; i < shown->rows->len; i++) {
        const PsViewRow *row = &g_array_index(shown->rows, PsViewRow, i);
        g_autofree char *text = cell_of(shown, row, column);
        if (*text && strcmp(text, "-") != 0)
            return TRUE;
    }
    return FALSE;
}

/* TRUE if some list has several rows. */
static gboolean has_several(const Shown *shown)
{
    for (guint i = 0; i < shown->rows->len; i++)
        if (ps_view_place(&g_array_index(shown->rows, PsViewRow, i)) > 1)
            return TRUE;
    return FALSE;
}

static gboolean is_there(const Shown *shown, const PsViewColumn *column)
{
    return ps_view_has(shown->facts, column) && !(column->flags & PS_VIEW_HIDDEN) &&
           !(column->flags & PS_VIEW_OTHER && !shown->what_if) &&
           !(column->flags & PS_VIEW_ALONE && shown->what_if) &&
           !(column->flags & PS_VIEW_WIDE && !shown->wide) &&
           !(column->flags & PS_VIEW_SEVERAL && !has_several(shown)) &&
           !(column->flags & PS_VIEW_OPTIONAL && !is_filled(shown, column));
}

/* The columns that are shown, and their heads. */
static GPtrArray *columns_of(const Shown *shown, GPtrArray *cells, GString *align)
{
    GPtrArray *columns = g_ptr_array_new();
    for (guint i = 0; i < shown->view->n_columns; i++) {
        const PsViewColumn *column = &shown->view->columns[i];
        if (!is_there(shown, column))
            continue;
        g_ptr_array_add(columns, (gpointer)column);
        const char *head = column->head ? column->head : ps_fact_column(column->facts[0]);
        g_ptr_array_add(cells, column->type == PS_CELL_COMMON && !(column->flags & PS_VIEW_SIGNED)
                                   ? g_strdup_printf("%s (%s)", head, shown->scale.unit)
                                   : g_strdup(head));
        g_string_append_c(align, column->flags & PS_VIEW_LEFT ? 'l' : 'r');
    }
    return columns;
}

static guint count_items(const Shown *shown)
{
    guint n = 0;
    for (guint i = 0; i < shown->rows->len; i++)
        n += ps_view_is_item(&g_array_index(shown->rows, PsViewRow, i));
    return n;
}

PsViewTable ps_view_table(PsViewId view, const PsTold *facts, const PsTold *what_if, gboolean wide)
{
    if (ps_views[view].set & PS_VIEW_DOWN)
        return ps_view_down(&ps_views[view], facts);
    g_auto(Shown) shown = {.view = &ps_views[view],
                           .facts = facts,
                           .what_if = what_if,
                           .wide = wide,
                           .rows = g_array_new(FALSE, FALSE, sizeof(PsViewRow)),
                           .rest = g_array_new(FALSE, FALSE, sizeof(PsViewRow)),
                           .others = what_if ? ps_view_rows(&ps_views[view], what_if) : NULL};
    GString *align = g_string_new(NULL);
    PsViewTable table = {.cells = g_ptr_array_new_with_free_func(g_free)};
    show_rows(&shown);
    shown.scale = find_scale(&shown);
    const gboolean sums = shown.rest->len && g_array_index(shown.rest, PsViewRow, 0).rows->others;
    g_autoptr(GPtrArray) columns = columns_of(&shown, table.cells, align);
    for (guint i = 0; i <= shown.rows->len; i++) {
        if (sums && i == shown.rest_at)
            add_rest(&shown, columns, table.cells);
        for (guint k = 0; i < shown.rows->len && k < columns->len; k++)
            g_ptr_array_add(table.cells, cell_of(&shown, &g_array_index(shown.rows, PsViewRow, i),
                                                 columns->pdata[k]));
    }
    table.align = g_string_free(align, FALSE);
    table.n_rows = shown.rows->len + (sums ? 1 : 0);
    table.n_items = count_items(&shown) + (sums ? 1 : 0);
    table.left_out = sums ? 0 : shown.rest->len;
    table.more = shown.view->more;
    table.set = shown.view->set;
    return table;
}

const char *ps_view_title(PsViewId view)
{
    return ps_views[view].title;
}

void ps_view_table_clear(PsViewTable *table)
{
    g_clear_pointer(&table->cells, g_ptr_array_unref);
    g_clear_pointer(&table->align, g_free);
}
