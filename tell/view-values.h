/* SPDX-License-Identifier: BSD-3-Clause */
/* One cell of a view for people. Internal. */
#ifndef PIPESIM_TELL_VIEW_VALUES_H
#define PIPESIM_TELL_VIEW_VALUES_H

#include "tell/view.h"

/* A fact that is known, as the column has it; other is the column's second one, or NULL (g_free).
 */
char *ps_view_value(const PsViewRow *row, const PsViewColumn *column, const PsFact *fact,
                    const PsFact *other);

/* What the column's words call a text; NULL: nothing. Static. */
const char *ps_view_called(const PsViewColumn *column, const char *text);

/* The cell of a row: the value, a dash for what is not known, and nothing for what is not told
 * (g_free). */
char *ps_view_cell(const PsViewRow *row, const PsViewColumn *column);

#endif
