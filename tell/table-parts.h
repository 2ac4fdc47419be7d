/* SPDX-License-Identifier: BSD-3-Clause */
/* The content of a table, for the files that set it as text, Markdown and HTML. */
#ifndef PIPESIM_TELL_TABLE_PARTS_H
#define PIPESIM_TELL_TABLE_PARTS_H

#include "tell/table.h"

struct PsTable {
    char *align;
    char *more; /* the sentence about rows of a view that are left out; NULL: none is */
    guint columns, n_items;
    gboolean is_tight, keeps_rows, has_no_head, wraps_last;
    GPtrArray *cells;
};

#endif
