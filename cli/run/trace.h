/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --trace: what happens on the first CU as trace events, a JSON array that Perfetto and
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
#ifndef PIPESIM_CLI_RUN_TRACE_H
#define PIPESIM_CLI_RUN_TRACE_H

#include "cli/run/window.h"
#include "pipesim-private.h"

typedef struct {
    const char *path;
    PsWindow window;
    gboolean no_fast_forward;
} TraceOptions;

/* Simulates again, and writes as it goes. Warns where the trace had to end before its window does.
 * FALSE and *error where the window is not in the run, or the file cannot be written: then nothing
 * is left of it. */
gboolean trace_write(const PsAnswer *answer, const TraceOptions *options, GError **error);

#endif
