/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts as CSV: a row for each item of a list, a column for each fact that is asked for. */
#ifndef PIPESIM_TELL_FACTS_CSV_H
#define PIPESIM_TELL_FACTS_CSV_H

#include "tell/facts.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The items of the list `group`, below the heads of their columns (ps_fact_column). A column is the
 * number of a fact of such an item, at any depth; what is not known, or not told, is an empty cell.
 * Groups have no column. */
void ps_csv_told(GString *out, const PsTold *facts, PsGroupFact group, const guint16 *columns,
                 gsize n_columns);

#pragma GCC visibility pop
G_END_DECLS
#endif
