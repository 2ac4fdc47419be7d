/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts as CSV (RFC 4180, with the line ends of this system), by a view: a row for each of its
 * rows, a column for each of its columns. What is not known, or not told, is an empty cell. */
#ifndef PIPESIM_TELL_FACTS_CSV_H
#define PIPESIM_TELL_FACTS_CSV_H

#include "tell/facts.h"
#include "tell/view-ids.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The heads of the columns that a row of these facts has, as a line. */
void ps_csv_heads(GString *out, PsViewId view, const PsTold *facts);

/* The rows, a line each. */
void ps_csv_rows(GString *out, PsViewId view, const PsTold *facts);

/* Both. */
void ps_csv_told(GString *out, PsViewId view, const PsTold *facts);

/* TRUE if a cell, quoted as it stands in a line, fits the i-th of these columns: it has the fact's
 * type, and the fact's value if these facts know it. *name is the column's head (borrowed from the
 * facts). */
gboolean ps_csv_fits(PsViewId view, const PsTold *facts, guint i, const char *cell,
                     const char **name);

#pragma GCC visibility pop
G_END_DECLS
#endif
