/* SPDX-License-Identifier: BSD-3-Clause */
/* See join.h. */
#include "tell/join.h"

#include <math.h>
#include <string.h>

/* The view, and the receiver of its pairs. */
typedef struct {
    const PsView *view;
    const PsTold *trees[2];
    PsEachJoined each;
    void *data;
} Join;

/* ---- rows ---------------------------------------------------------------------------------- */

/* The first known fact of the column, or else the first that was told; NULL: none was. */
static const PsFact *fact_of(const PsViewRow *row, const PsViewColumn *column)
{
    const PsFact *first = ps_view_fact(row, column, 0);
    const PsFact *second = first && first->known ? NULL : ps_view_fact(row, column, 1);
    return second && (second->known || !first) ? second : first;
}

/* Takes the first row with that key out of the remaining ones. */
static PsViewRow take_row(const Join *join, guint side, GArray *left, const char *key)
{
    for (guint i = 0; i < left->len; i++) {
        const PsViewRow row = g_array_index(left, PsViewRow, i);
        if (g_strcmp0(ps_view_key(&row), key) == 0) {
            g_array_remove_index(left, i);
            return row;
        }
    }
    return (PsViewRow){.view = join->view, .facts = join->trees[side]};
}

/* ---- columns ------------------------------------------------------------------------------- */

static const PsFact *entry_called(const PsViewRow *row, const PsFact *group, const char *key)
{
    for (guint i = ps_view_first(row, group); group && i < group->end;
         i = ps_told_at(row->facts, i)->end)
        if (strcmp(ps_told_at(row->facts, i)->key, key) == 0)
            return ps_told_at(row->facts, i);
    return NULL;
}

/* Joins the entries of one side that are not told yet: all of A's, and those that only B has. */
static void join_entries(const Join *join, PsJoined *joined, const PsFact *const groups[2],
                         guint side)
{
    const PsViewRow *row = &joined->rows[side], *other = &joined->rows[!side];
    for (guint i = ps_view_first(row, groups[side]); groups[side] && i < groups[side]->end;
         i = ps_told_at(row->facts, i)->end) {
        const PsFact *entry = ps_told_at(row->facts, i);
        joined->key = entry->key;
        joined->facts[side] = entry;
        joined->facts[!side] = entry_called(other, groups[!side], entry->key);
        if (side == 0 || !joined->facts[0])
            join->each(joined, join->data);
    }
}

static void join_column(const Join *join, PsJoined *joined)
{
    const PsFact *facts[2];
    for (guint side = 0; side < 2; side++)
        facts[side] = fact_of(&joined->rows[side], joined->column);
    if (joined->column->type == PS_CELL_ENTRIES) {
        PsJoined entry = *joined;
        join_entries(join, &entry, facts, 0);
        join_entries(join, &entry, facts, 1);
        return;
    }
    joined->facts[0] = facts[0];
    joined->facts[1] = facts[1];
    if (facts[0] || facts[1])
        join->each(joined, join->data);
}

static void join_rows(const Join *join, PsJoined *joined)
{
    for (guint i = 0; i < join->view->n_columns; i++) {
        joined->column = &join->view->columns[i];
        if (!(joined->column->flags & (PS_VIEW_KEY | PS_VIEW_LABEL)))
            join_column(join, joined);
    }
}

void ps_join(PsViewId view, const PsTold *a, const PsTold *b, PsEachJoined each, void *data)
{
    const Join join = {&ps_views[view], {a, b}, each, data};
    g_autoptr(GArray) first = ps_view_rows(join.view, a), left = ps_view_rows(join.view, b);
    for (guint i = 0; i < first->len; i++) {
        const PsViewRow *row = &g_array_index(first, PsViewRow, i);
        PsJoined joined = {.key = ps_view_key(row)};
        joined.rows[0] = *row;
        joined.rows[1] = take_row(&join, 1, left, joined.key);
        join_rows(&join, &joined);
    }
    for (guint i = 0; i < left->len; i++) {
        const PsViewRow *row = &g_array_index(left, PsViewRow, i);
        PsJoined joined = {.key = ps_view_key(row)};
        joined.rows[0] = (PsViewRow){.view = join.view, .facts = a};
        joined.rows[1] = *row;
        join_rows(&join, &joined);
    }
}

/* ---- what is said of a pair ---------------------------------------------------------------- */

const char *ps_joined_name(const PsJoined *joined)
{
    const PsViewColumn *column = joined->column;
    return joined->key    ? joined->key
           : column->head ? column->head
                          : ps_fact_column(column->facts[0]);
}

double ps_joined_difference(const PsJoined *joined)
{
    return ps_fact_number(joined->facts[1]) - ps_fact_number(joined->facts[0]);
}

double ps_joined_ratio(const PsJoined *joined)
{
    const double a = ps_fact_number(joined->facts[0]), b = ps_fact_number(joined->facts[1]);
    return a > 0 && b > 0 ? b / a : NAN;
}

static void tell_pair(const PsJoined *joined, void *data)
{
    PsTold *facts = data;
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_CALLED_NAME, ps_joined_name(joined));
    ps_tell_any(facts, PS_FACT_JOINED_A, joined->facts[0]);
    ps_tell_any(facts, PS_FACT_JOINED_B, joined->facts[1]);
    ps_tell(facts, PS_FACT_JOINED_DIFFERENCE, ps_joined_difference(joined));
    ps_tell_close(facts);
}

void ps_tell_joined(PsTold *facts, PsViewId view, const PsTold *a, const PsTold *b)
{
    ps_join(view, a, b, tell_pair, facts);
}
