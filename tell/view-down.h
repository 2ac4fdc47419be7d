/* SPDX-License-Identifier: BSD-3-Clause */
/* Views whose columns are rows. Internal. */
#ifndef PIPESIM_TELL_VIEW_DOWN_H
#define PIPESIM_TELL_VIEW_DOWN_H

#include "tell/view-cells.h"
#include "tell/view.h"

/* The table of four columns of a view that is set `down`. */
PsViewTable ps_view_down(const PsView *view, const PsTold *facts);

#endif
