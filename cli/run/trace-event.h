/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Trace events, one by one, as members of a JSON array that goes to a file as it grows.
 *
 * A cycle of the run is a microsecond of the trace: Perfetto keeps whole nanoseconds, and a cycle
 * of a GPU is less than one. Times are eighths of a cycle, which are exact in decimals and in
 * doubles alike, so that no program that reads them makes slices overlap by its rounding. They are
 * below 2^50 microseconds, for 64 bits of nanoseconds: of longer runs they count from the window's
 * begin, in units of more cycles if need be.
 */
#ifndef PIPESIM_CLI_RUN_TRACE_EVENT_H
#define PIPESIM_CLI_RUN_TRACE_EVENT_H

#include "cli/system/output.h"
#include "pipesim-private.h"

/* The key of a fact of the trace, by the end of its id: TRACE_KEY(ARGS_WARP). */
#define TRACE_KEY(fact) ps_fact_column(PS_FACT_TRACE_##fact.n)

typedef struct {
    const PsAnswer *answer;
    gint64 origin; /* ticks: time 0 of the trace */
    guint shift;   /* a microsecond is 2 to that power cycles */
    Output *output;
    GString *text; /* what is not written yet */
    guint64 n;     /* events so far */
    GError *error; /* the first; nothing is written after it */
} TraceFile;

/* What all events have. Times are ticks. */
typedef struct {
    char phase; /* 'X', 'C', 's', 'f', 'M' */
    const char *name, *category;
    guint process, thread;
    gint64 from, to; /* to: of 'X' alone */
    guint64 flow;    /* of 's' and 'f' */
} TraceEvent;

/* Chooses origin and shift for times of that window. */
void trace_event_scale(TraceFile *file, gint64 from, gint64 to);

/* Whether that takes any time, as the file's times are written. */
gboolean trace_event_lasts(const TraceFile *file, gint64 from, gint64 to);

/* Begins an event; its args, which are open, may be added to the writer, until trace_event_end. */
PsJson trace_event_begin(TraceFile *file, const TraceEvent *event);
void trace_event_end(TraceFile *file, PsJson *json);

/* A name for a process or, with thread TRUE, one of its threads. */
void trace_event_name(TraceFile *file, guint process, guint thread, gboolean is_thread,
                      const char *name);

/* Writes what was not yet; FALSE where something could not be. */
gboolean trace_file_flush(TraceFile *file);

#endif
