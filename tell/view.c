/* SPDX-License-Identifier: BSD-3-Clause */
/* See view.h. A tree is an array in the order of telling, so a search walks along it. */
#include "tell/view.h"

/* The number of the first such fact between `at` and `end`, at any depth; `end`: there is none. */
static guint find_within(const PsTold *facts, guint at, guint end, guint16 number)
{
    while (at < end && ps_told_at(facts, at)->fact != number)
        at++;
    return at;
}

static const PsViewRows *rows_of(const PsView *view, const PsFact *fact)
{
    for (guint i = 0; i < view->n_rows; i++)
        if (view->rows[i].fact == fact->fact && fact->known)
            return &view->rows[i];
    return NULL;
}

static gboolean is_list(const PsFact *fact)
{
    return fact->type == PS_FACT_IS_LIST || fact->type == PS_FACT_IS_OBJECTS ||
           fact->type == PS_FACT_IS_ENTRIES;
}

static gboolean take_item(PsViewRow *row, guint item)
{
    row->at = item + 1;
    row->end = ps_told_at(row->facts, item)->end;
    return TRUE;
}

/* Opens the first row of the next group of rows, from `at` on. */
static gboolean open_rows(PsViewRow *row, guint at)
{
    for (const guint length = ps_told_length(row->facts); at < length; at++) {
        const PsFact *fact = ps_told_at(row->facts, at);
        const PsViewRows *rows = rows_of(row->view, fact);
        if (!rows || (is_list(fact) && fact->end == at + 1))
            continue;
        row->group = at;
        row->rows = rows;
        row->list_end = fact->end;
        return take_item(row, is_list(fact) ? at + 1 : at);
    }
    return FALSE;
}

gboolean ps_view_next(PsViewRow *row)
{
    const gboolean first = !row->begun;
    row->begun = TRUE;
    if (row->view->n_rows == 0) {
        row->end = ps_told_length(row->facts);
        return first;
    }
    if (!first && row->end < row->list_end)
        return take_item(row, row->end);
    return open_rows(row, first ? 0 : row->list_end);
}

/* TRUE if columns of the view name the group that contains their facts. */
static gboolean is_apart(const PsView *view, const PsFact *fact)
{
    for (guint i = 0; i < view->n_columns && fact->type >= PS_FACT_IS_OBJECT; i++)
        if (view->columns[i].within == fact->fact && fact->fact != PS_VIEW_NO_FACT)
            return TRUE;
    return FALSE;
}

/* Like find_within, but without groups that other columns name. */
static guint find_beside(const PsViewRow *row, guint at, guint end, guint16 number)
{
    while (at < end && ps_told_at(row->facts, at)->fact != number)
        at = is_apart(row->view, ps_told_at(row->facts, at)) ? ps_told_at(row->facts, at)->end
                                                             : at + 1;
    return at;
}

const PsFact *ps_view_fact(const PsViewRow *row, const PsViewColumn *column, guint i)
{
    const guint16 number = column->facts[i];
    guint at = row->at, end = row->end;
    if (number == PS_VIEW_NO_FACT)
        return NULL;
    if (column->within != PS_VIEW_NO_FACT) {
        at = find_within(row->facts, at, end, column->within);
        end = at < end ? ps_told_at(row->facts, at)->end : end;
        at = find_within(row->facts, at, end, number);
    } else {
        at = find_beside(row, at, end, number);
    }
    if (at < end)
        return ps_told_at(row->facts, at);
    for (at = row->group; column->flags & PS_VIEW_OUTER && at > 0; at--)
        if (ps_told_at(row->facts, at - 1)->fact == number)
            return ps_told_at(row->facts, at - 1);
    return NULL;
}

guint ps_view_first(const PsViewRow *row, const PsFact *group)
{
    guint at = 0;
    while (group && ps_told_at(row->facts, at) != group)
        at++;
    return group ? at + 1 : 0;
}

gboolean ps_view_is_inside(const PsViewRow *row, const PsViewColumn *column)
{
    const guint length = ps_told_length(row->facts);
    const guint at = find_within(row->facts, 0, length, column->facts[0]);
    return at < row->at && row->at < ps_told_at(row->facts, at)->end;
}

const char *ps_view_entry(const PsViewRow *row)
{
    return ps_view_is_item(row) ? ps_told_at(row->facts, row->at - 1)->key : NULL;
}

const char *ps_view_word(const PsViewRow *row)
{
    return row->rows ? row->rows->word : NULL;
}

guint ps_view_place(const PsViewRow *row)
{
    guint n = ps_view_is_item(row) ? 1 : 0;
    for (guint at = row->group + 1; n && at + 1 < row->at; at = ps_told_at(row->facts, at)->end)
        n++;
    return n;
}

gboolean ps_view_is_item(const PsViewRow *row)
{
    return row->at > 0 && ps_told_at(row->facts, row->at - 1)->fact == PS_VIEW_NO_FACT;
}

const char *ps_view_key(const PsViewRow *row)
{
    for (guint i = 0; i < row->view->n_columns; i++) {
        const PsViewColumn *column = &row->view->columns[i];
        for (guint k = 0; column->flags & PS_VIEW_KEY && k < G_N_ELEMENTS(column->facts); k++) {
            const PsFact *fact = ps_view_fact(row, column, k);
            if (fact && fact->known)
                return fact->value.text;
        }
    }
    return NULL;
}

GArray *ps_view_rows(const PsView *view, const PsTold *facts)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(PsViewRow));
    PsViewRow row = {.view = view, .facts = facts};
    while (ps_view_next(&row))
        g_array_append_val(rows, row);
    return rows;
}

gboolean ps_view_has(const PsTold *facts, const PsViewColumn *column)
{
    return column->when == PS_VIEW_NO_FACT || ps_told_find(facts, column->when);
}

gboolean ps_view_is_emptied(const PsViewRow *row, const PsViewColumn *column)
{
    const PsViewColumn flag = {.facts = {column->unless, PS_VIEW_NO_FACT},
                               .within = column->within};
    const PsFact *fact = ps_view_fact(row, &flag, 0);
    const gboolean set = fact && fact->value.flag;
    return column->unless != PS_VIEW_NO_FACT && set == !(column->flags & PS_VIEW_ONLY);
}
