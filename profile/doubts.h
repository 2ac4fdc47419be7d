/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Says what a person should know of measurements: sentences (char *) are added to doubts, each with
 * its remedy where that is known.
 */
#ifndef PIPESIM_PROFILE_DOUBTS_H
#define PIPESIM_PROFILE_DOUBTS_H

#include "profile/traced.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* FALSE and *error (PS_ERROR_VALUE), which says why, where no launch of the program has a time. */
gboolean ps_traced_check(const PsTraced *times, const char *program, GError **error);

/* Doubts of the run for times: launches that may be missing or have none. */
void ps_traced_doubt_times(const PsTraced *times, GPtrArray *doubts);

/* Doubts of the run for counters: those that could not be read. cure ends the sentence: "; with
 * --counters ncu Nsight Compute reads them", or "". */
void ps_traced_doubt_counters(const PsTraced *counts, const char *cure, GPtrArray *doubts);

/* Doubts of both runs, as ps_traced_join has joined them: they did not launch the same. */
void ps_traced_doubt_join(guint given, guint left, const PsTraced *counts, GPtrArray *doubts);

#pragma GCC visibility pop
G_END_DECLS
#endif
