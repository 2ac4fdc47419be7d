/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters of a trace: how full the stages of software pipelines are over time.
 */
#ifndef PIPESIM_TELL_TRACE_STAGES_H
#define PIPESIM_TELL_TRACE_STAGES_H

#include "sim/listen/stages.h"
#include "tell/trace-event.h"

/* Changes of stages that are gathered while a run is simulated. */
typedef struct PsTraceStages PsTraceStages;

/* Changes of the stages within a window, in ticks, and their state at its begin. The answer is
 * borrowed, and outlives it. */
PsTraceStages *ps_trace_stages_new(const PsAnswer *answer, gint64 from, gint64 to);
void ps_trace_stages_free(PsTraceStages *stages);

/* Sets the listener that follows the stages; FALSE: the kernel has none. */
gboolean ps_trace_stages_listener(const PsTraceStages *stages, PsListener *listener);

/* From now on the window ends at that time, if that is sooner. */
void ps_trace_stages_cut(PsTraceStages *stages, gint64 to);

/* Writes a counter for each ring, on a track, when the run is over. */
void ps_trace_stages_put(const PsTraceStages *stages, PsTraceFile *file, guint track);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsTraceStages, ps_trace_stages_free)

#endif
