/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables of aligned text that fit 80 columns. The first column holds names and is aligned to the
 * left; a name that is too long for its column stands on a line of its own.
 */
#ifndef PIPESIM_TELL_TABLE_H
#define PIPESIM_TELL_TABLE_H

#include "tell/view-cells.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct PsTable PsTable;

/* align has one letter for each column, 'l' or 'r'. */
PsTable *ps_table_new(const char *align);
void ps_table_free(PsTable *table);

/* Names that are too long are shortened in their middle, if enough is left to tell them apart, and
 * columns stand one blank apart instead of two where that gives them room. */
void ps_table_tighten(PsTable *table);

/* Names never get a line of their own, however long: each row is one line. */
void ps_table_keep_rows(PsTable *table);

/* The table has two columns: text shows no heads, and breaks the second column's texts into lines.
 */
void ps_table_wrap_last(PsTable *table);

/* Makes the first row one of cells, not of heads. */
void ps_table_omit_head(PsTable *table);

/* The table that a view shows of facts, with its heads; what_if: those of a second answer, or NULL;
 * wide: as of ps_view_table. */
PsTable *ps_table_of_view(PsViewId view, const PsTold *facts, const PsTold *what_if, gboolean wide);

/* Rows of a view's lists; those behind them are totals. */
guint ps_table_n_items(const PsTable *table);

/* The sentence about rows of a view that the table neither shows nor sums up: "and 3 more ...";
 * NULL: there are none. Borrowed. */
const char *ps_table_more(const PsTable *table);

/* Whether the table has rows besides its heads. */
gboolean ps_table_has_rows(const PsTable *table);

/* Adds what a view shows of two trees of facts: rows of label, A, B, B / A. */
void ps_table_add_joined(PsTable *table, PsViewId view, const PsTold *a, const PsTold *b);

/* The number of rows, with that of the heads, and a cell (borrowed). */
guint ps_table_n_rows(const PsTable *table);
const char *ps_table_cell(const PsTable *table, guint row, guint column);

/* Adds the next cell, row by row; takes text, which g_free frees. */
void ps_table_add(PsTable *table, char *text);

/* The lines of the table, each indented by that many spaces, at the end of out. */
void ps_table_print(const PsTable *table, guint indent, GString *out);

/* The table as GitHub's Markdown has them, at the end of out. */
void ps_table_put_markdown(const PsTable *table, GString *out);

/* The table as the page to share has them, at the end of out: well-formed HTML of that class. The
 * first n_keys of its items have a key of a colour each, the last of these all others. */
void ps_table_put_html(const PsTable *table, const char *class_name, guint n_keys, GString *out);

/* A text that Markdown shows letter by letter, on one line. */
void ps_markdown_text(GString *out, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsTable, ps_table_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
