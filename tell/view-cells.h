/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views as cells of a table for people.
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

#pragma GCC visibility pop
G_END_DECLS

#endif
