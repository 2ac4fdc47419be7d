/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views for people: tables, and sentences behind their labels.
 */
#ifndef PIPESIM_TELL_VIEW_CELLS_H
#define PIPESIM_TELL_VIEW_CELLS_H

#include "tell/facts.h"
#include "tell/view-ids.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A table for people. */
typedef struct {
    GPtrArray *cells; /* texts: heads first, row by row */
    char *align;      /* of each column, 'l' or 'r' */
    guint n_rows;     /* without the heads */
    guint n_items;    /* rows of lists, with the sums of others; further rows are totals */
    guint left_out;   /* rows that it neither shows nor sums up */
    const char *more; /* what is said of these behind their number; static */
    guint set;        /* how text sets it, PS_VIEW_TIGHT ... (view.h) */
} PsViewTable;

/* The table of a view. A fact that is not known is a dash, and one that was not told is empty.
 * what_if are the facts of a second answer, for the columns `other` and `becomes`; or NULL. wide:
 * there is room for columns that are otherwise left out. */
PsViewTable ps_view_table(PsViewId view, const PsTold *facts, const PsTold *what_if, gboolean wide);
void ps_view_table_clear(PsViewTable *table);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PsViewTable, ps_view_table_clear)

/* The heads of a view without rows, and what it shows of facts as one row (texts;
 * g_ptr_array_unref): for tables that are written as their rows come. */
GPtrArray *ps_view_heads(PsViewId view);
GPtrArray *ps_view_line(PsViewId view, const PsTold *facts);

/* The heading above the view's table; NULL: none. Static. */
const char *ps_view_title(PsViewId view);

/* The sentences of a view, each behind its label: label, text, label, text (g_free each;
 * g_ptr_array_unref). A second fact of a column joins the first behind a semicolon. what_if are the
 * facts of a second answer, whose sentences are shown if the view says so and they differ; or
 * NULL. */
GPtrArray *ps_view_sentences(PsViewId view, const PsTold *facts, const PsTold *what_if);

/* What the view shows of two trees (join.h), four cells for each pair: its label, A's and B's, and
 * B's as a multiple of A's (texts; g_ptr_array_unref). */
GPtrArray *ps_view_joined_cells(PsViewId view, const PsTold *a, const PsTold *b);

#pragma GCC visibility pop
G_END_DECLS

#endif
