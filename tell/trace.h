/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What happens on the first CU as trace events, a JSON array that Perfetto and
 * chrome://tracing open.
 *
 *     process 1   a track for each warp: slices of what it does (category issue, wait, queue,
 *                 barrier, hold, drain), and a counter of resident warps
 *     process 2   a track for each pipeline, for each scheduler that has one: slices of lambda for
 *                 what issues; a counter of what queues there, as means over small parts of the
 *                 window; arrows along the critical path
 *     process 3   what was skipped, as one slice for all its periods
 *
 * No two tracks have the same thread's number, of whatever process, because Perfetto may give the
 * name of one to the other; none has a process's number, which would be its main thread.
 * A microsecond is a cycle (trace-event.h), from the begin of the run, without the kernel's launch
 * (R5).
 */
#ifndef PIPESIM_TELL_TRACE_H
#define PIPESIM_TELL_TRACE_H

#include "answer/window.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* What is traced; without a window, as much of the run as a viewer takes well. */
typedef struct {
    PsWindow window;
    gboolean no_fast_forward;
} PsTraceAsk;

/* Takes a part of the text. FALSE and *error if it cannot: then no more comes. */
typedef gboolean (*PsTraceWriter)(gpointer data, const char *text, GError **error);

/* Simulates the answer's run again, and writes as it goes. *cut gets a sentence (g_free) if the
 * trace had to end before its window does, else NULL. FALSE and *error if the window is not in the
 * run, or the writer failed. */
gboolean ps_trace_write(const PsAnswer *answer, const PsTraceAsk *ask, PsTraceWriter write,
                        gpointer data, char **cut, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
