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

/* The answer is borrowed, and outlives it. */
PsTraceStages *ps_trace_stages_new(const PsAnswer *answer);
void ps_trace_stages_free(PsTraceStages *stages);

/* What the run is to tell, if the kernel has such stages; FALSE: it has none. */
gboolean ps_trace_stages_listener(const PsTraceStages *stages, PsListener *listener);

/* Writes a counter for each ring, on a track, from a time to another, when the run is over. */
void ps_trace_stages_put(const PsTraceStages *stages, PsTraceFile *file, guint track, gint64 from,
                         gint64 to);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsTraceStages, ps_trace_stages_free)

#endif
