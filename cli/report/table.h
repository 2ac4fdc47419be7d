/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables of aligned text that fit 80 columns. The first column holds names and is aligned to the
 * left; a name that is too long for its column stands on a line of its own.
 */
#ifndef PIPESIM_CLI_REPORT_TABLE_H
#define PIPESIM_CLI_REPORT_TABLE_H

#include "pipesim-private.h"

#define TEXT_WIDTH PS_TEXT_WIDTH

typedef struct Table Table;

/* align has one letter for each column, 'l' or 'r'. */
Table *table_new(const char *align);
void table_free(Table *table);

/* Names that are too long are shortened in their middle, if enough is left to tell them apart, and
 * columns stand one blank apart instead of two where that gives them room. */
void table_tighten(Table *table);

/* Names never get a line of their own, however long: each row is one line. */
void table_keep_rows(Table *table);

/* The table has two columns: text shows no heads, and breaks the second column's texts into lines.
 */
void table_wrap_last(Table *table);

/* Its first row is no heads. */
void table_omit_head(Table *table);

/* The table that a view shows of facts, with its heads; what_if: those of a second answer, or NULL;
 * wide: as of ps_view_table. */
Table *table_of_view(PsViewId view, const PsTold *facts, const PsTold *what_if, gboolean wide);

/* Rows of a view's lists; those behind them are totals. */
guint table_n_items(const Table *table);

/* What is said of rows of a view that its table neither shows nor sums up: "and 3 more ..."; NULL:
 * there are none. Borrowed. */
const char *table_more(const Table *table);

/* Whether the table has more than heads. */
gboolean table_has_rows(const Table *table);

/* Adds what a view shows of two trees of facts: rows of label, A, B, B / A. */
void table_add_joined(Table *table, PsViewId view, const PsTold *a, const PsTold *b);

/* Rows with that of the heads, and a cell of them (borrowed). */
guint table_n_rows(const Table *table);
const char *table_cell(const Table *table, guint row, guint column);

/* Adds the next cell, row by row; takes text, which g_free frees. */
void table_add(Table *table, char *text);

/* The lines of the table, each indented by that many spaces, at the end of out. */
void table_print(const Table *table, guint indent, GString *out);

/* The table as GitHub's Markdown has them, at the end of out. */
void table_put_markdown(const Table *table, GString *out);

/* The table as the page to share has them, at the end of out: well-formed HTML of that class. The
 * first n_keys of its items have a key of a colour each, the last of these all others. */
void table_put_html(const Table *table, const char *class_name, guint n_keys, GString *out);

/* A text that Markdown shows letter by letter, on one line. */
void put_markdown_text(GString *out, const char *text);

/* The heading of a part of a page: after an empty line, and bold where the page has colours. */
void put_heading(GString *out, const char *text, gboolean colour);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Table, table_free)

#endif
