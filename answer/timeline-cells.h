/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * States of the warps of the first CU, as a table: a row for each warp, a column for some cycles. A
 * cell shows the state that took most of its time, so memory grows with the table, not with the
 * number of events.
 */
#ifndef PIPESIM_ANSWER_TIMELINE_CELLS_H
#define PIPESIM_ANSWER_TIMELINE_CELLS_H

#include "answer/window.h"
#include "sim/listen/stages.h"
#include "sim/listen/waits.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* What a cell can show: the kinds of waits (PsWaitKind), and these. */
enum { PS_CELL_BUSY_DATA = PS_WAIT_N_KINDS, PS_CELL_SKIPPED, PS_N_CELLS };

/* A timeline, summed up into cells. */
typedef struct PsTimelineCells PsTimelineCells;

/* The table that is wanted; all is borrowed. */
typedef struct {
    gint64 from, to;    /* ticks of the run (ps_window_ticks) */
    gboolean usual;     /* TRUE: nobody chose a window; about 1000 cycles, beginning at `from`, are
                           shown */
    const guint *warps; /* of the CU, each once: the rows */
    guint n_warps;
    guint columns; /* at most so many */
    gboolean no_fast_forward;
} PsTimelineAsk;

/* Simulates the answer's run again. NULL and *error on failure. */
PsTimelineCells *ps_timeline_cells_new(const PsAnswer *answer, const PsTimelineAsk *ask,
                                       GError **error);
void ps_timeline_cells_free(PsTimelineCells *cells);

/* The table's frame: the window, 1, 2, 5, 10 ... cycles for each column, and the number of columns.
 * The first column would begin at origin, a multiple of step, if it were whole; a window within a
 * cycle is one column. In ticks. */
typedef struct {
    gint64 from, to, origin, step;
    guint columns;
} PsTimelineScale;

/* The scale of these cells. */
PsTimelineScale ps_timeline_cells_scale(const PsTimelineCells *cells);

/* The begin of a column within the window. */
gint64 ps_timeline_cells_begin(const PsTimelineCells *cells, guint column);

/* The number of rows for stages of software pipelines; and for one stage, from 0, the mean number
 * of fillings that are under way or full in a column; NaN if it is skipped. */
guint ps_timeline_cells_n_rings(const PsTimelineCells *cells);
PsStageMeans ps_timeline_cells_stages(const PsTimelineCells *cells, guint ring, guint column);

/* The state that a cell shows: a PsWaitKind, or one of those above. */
guint ps_timeline_cells_seen(const PsTimelineCells *cells, guint row, guint column);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsTimelineCells, ps_timeline_cells_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
