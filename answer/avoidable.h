/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Costs that another program would avoid: the result without bank conflicts, with coalesced
 * accesses, or without a what-if; and latencies that it may wait for less. See sensitivity.h.
 */
#ifndef PIPESIM_ANSWER_AVOIDABLE_H
#define PIPESIM_ANSWER_AVOIDABLE_H

#include "answer/sensitivity.h"

/* ---- which classes cost more than they would have to (costly-class.c) ---------------------- */

/* The class that an access would have if it were coalesced, NULL if it is, or if that costs nothing
 * (g_free); the sectors that a request touches, and those that it needs. */
char *ps_costly_coalesced(const PsAnswer *answer, guint class_index, gint64 *sectors,
                          gint64 *least);

/* BANK_CONFLICT or UNCOALESCED for a class that costs more than it needs to on that GPU; else
 * NOTHING. */
PsCause ps_avoidable_cause(const PsAnswer *answer, guint class_index);

/* Whether a kernel's author can do something about waiting for results of that class: data may be
 * nearer or asked for earlier, barriers and divisions fewer. The latency of an addition is the
 * GPU's alone. */
gboolean ps_latency_is_avoidable(const char *class_name);

/* The most that waiting less can gain: no run ends before the pipelines have issued all of it. */
double ps_latency_most_gain(const PsAnswer *answer);

/* TRUE if also half of that completion latency may gain enough to be told: the critical path has
 * twice that gain of it, or there is no path. A larger gain would be chance. */
gboolean ps_latency_may_help(const PsAnswer *answer, guint class_index);

/* ---- what they would cost (avoidable.c) ---------------------------------------------------- */

/* Adds a variant for each cost that may be avoided. Returns these, PsAvoidable, in the order of
 * variants. */
GPtrArray *ps_avoidables_plan(const PsQuestion *question, const PsAnswer *answer,
                              GPtrArray *variants);

/* Takes the results of the first variants, and sorts. */
void ps_avoidables_conclude(GPtrArray *avoidables, const GPtrArray *variants);

#endif
