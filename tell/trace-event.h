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
#ifndef PIPESIM_TELL_TRACE_EVENT_H
#define PIPESIM_TELL_TRACE_EVENT_H

#include "answer/answer.h"
#include "tell/facts.h"
#include "tell/json.h"
#include "tell/trace.h"

G_BEGIN_DECLS

/* The key of a fact of the trace, by the end of its id: TRACE_KEY(ARGS_WARP). */
#define TRACE_KEY(fact) ps_fact_column(PS_FACT_TRACE_##fact.n)

typedef struct {
    const PsAnswer *answer;
    gint64 origin; /* ticks: time 0 of the trace */
    guint shift;   /* a microsecond is 2 to that power cycles */
    PsTraceWriter write;
    gpointer data;
    GString *text; /* what is not written yet */
    guint64 n;     /* events so far */
    GError *error; /* the first; nothing is written after it */
} PsTraceFile;

/* The common members of all events. Times are ticks. */
typedef struct {
    char phase; /* 'X', 'C', 's', 'f', 'M' */
    const char *name, *category;
    guint process, thread;
    gint64 from, to; /* to: of 'X' alone */
    guint64 flow;    /* of 's' and 'f' */
} PsTraceEvent;

/* Chooses origin and shift for times of that window. */
void ps_trace_event_scale(PsTraceFile *file, gint64 from, gint64 to);

/* Whether that takes any time, as the file's times are written. */
gboolean ps_trace_event_lasts(const PsTraceFile *file, gint64 from, gint64 to);

/* Begins an event; its args, which are open, may be added to the writer, until ps_trace_event_end.
 */
PsJson ps_trace_event_begin(PsTraceFile *file, const PsTraceEvent *event);
void ps_trace_event_end(PsTraceFile *file, PsJson *json);

/* A name for a process or, with thread TRUE, one of its threads. */
void ps_trace_event_name(PsTraceFile *file, guint process, guint thread, gboolean is_thread,
                         const char *name);

/* Writes all events that are not yet written; FALSE if something could not be written. */
gboolean ps_trace_file_flush(PsTraceFile *file);

G_END_DECLS
#endif
