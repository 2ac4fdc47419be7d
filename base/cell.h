/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes texts as cells of comma-separated values, which people open with spreadsheets. Names of
 * kernels and devices come from strangers, so a cell is never a formula.
 */
#ifndef PIPESIM_BASE_CELL_H
#define PIPESIM_BASE_CELL_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Appends the text as a cell, in quotes where it must be or quoted is set. Control characters come
 * as blanks. A text that a spreadsheet would take for a formula, since it begins with '=', '+', '-'
 * or '@' and is no number, stands behind an apostrophe, which ps_csv_split takes off again; so that
 * all texts are read back, one that begins with apostrophes before such a character gets another.
 */
void ps_cell_put(GString *row, const char *text, gboolean quoted);

/* TRUE for a text that ps_cell_put has put behind an apostrophe. */
gboolean ps_cell_is_guarded(const char *text);

#pragma GCC visibility pop
G_END_DECLS
#endif
