/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views for people: the cells of a table, and sentences behind their labels.
 */
#ifndef PIPESIM_TELL_VIEW_CELLS_H
#define PIPESIM_TELL_VIEW_CELLS_H

#include "tell/facts.h"
#include "tell/view-ids.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The cells of a table for people, heads first, row by row (texts; g_ptr_array_unref), and the
 * columns' alignment, 'l' or 'r' each (g_free). What is told as not known is a dash, and what is
 * not told is empty. */
GPtrArray *ps_view_cells(PsViewId view, const PsTold *facts, char **align);

/* The sentences that a view shows, each behind its label: label, text, label, text (g_free each;
 * g_ptr_array_unref). A second fact of a column joins the first behind a semicolon. what_if are the
 * facts of a second answer, whose sentences are shown where the view says so and they differ; or
 * NULL. */
GPtrArray *ps_view_sentences(PsViewId view, const PsTold *facts, const PsTold *what_if);

/* What the view shows of two trees (join.h), four cells for each pair: its label, A's and B's, and
 * B's as a multiple of A's (texts; g_ptr_array_unref). */
GPtrArray *ps_view_joined_cells(PsViewId view, const PsTold *a, const PsTold *b);

#pragma GCC visibility pop
G_END_DECLS

#endif
