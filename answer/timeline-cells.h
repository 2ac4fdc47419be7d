/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the warps of the first CU do, as a table: a row for each warp, a column for so many cycles.
 * A cell shows what took most of its time, so that memory is that of the table, however much
 * happens.
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

/* What is to be shown; all is borrowed. */
typedef struct {
    gint64 from, to;    /* ticks of the run (ps_window_ticks) */
    gboolean usual;     /* no window was asked for: about 1000 cycles, from from on, will do */
    const guint *warps; /* of the CU, each once: the rows */
    guint n_warps;
    guint columns; /* at most so many */
    gboolean no_fast_forward;
} PsTimelineAsk;

/* Simulates the answer's run again. NULL and *error where that fails. */
PsTimelineCells *ps_timeline_cells_new(const PsAnswer *answer, const PsTimelineAsk *ask,
                                       GError **error);
void ps_timeline_cells_free(PsTimelineCells *cells);

/* How it came out: the window, 1, 2, 5, 10 ... cycles for each column, and how many there are. The
 * first column would begin at origin, a multiple of step, were it whole; a window within a cycle is
 * one column. Ticks. */
typedef struct {
    gint64 from, to, origin, step;
    guint columns;
} PsTimelineScale;

/* The scale of these cells. */
PsTimelineScale ps_timeline_cells_scale(const PsTimelineCells *cells);

/* Where a column begins within the window. */
gint64 ps_timeline_cells_begin(const PsTimelineCells *cells, guint column);

/* How many stages of software pipelines there are rows for; and one of them, from 0, whose fillings
 * are under way or full in a column, in the mean; NaN where it is skipped. */
guint ps_timeline_cells_n_rings(const PsTimelineCells *cells);
PsStageMeans ps_timeline_cells_stages(const PsTimelineCells *cells, guint ring, guint column);

/* What a cell shows: a PsWaitKind, or one of those above. */
guint ps_timeline_cells_seen(const PsTimelineCells *cells, guint row, guint column);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsTimelineCells, ps_timeline_cells_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
