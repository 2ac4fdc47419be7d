/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What levels of memory (rule R7), and what else serves it for the whole chip (R8), did in a run,
 * for reports. Rows are the answer's servers.
 */
#ifndef PIPESIM_ANSWER_LEVELS_H
#define PIPESIM_ANSWER_LEVELS_H

#include "answer/answer.h"

/* "L2 bandwidth", "device memory bandwidth", "atomics of the whole GPU", "spot x" (g_free). */
char *level_text(const PsServerRow *row);

/* The share of the run's time for which it is busy, on the mean over all simulated CUs. */
double level_load(const Answer *answer, const PsServerRow *row);

/* The row of that name; NULL where there is none. */
const PsServerRow *level_called(const Answer *answer, const char *name);

/* The one that is busiest; NULL where none is ever, or levels are off. */
const PsServerRow *level_busiest(const Answer *answer);

/* Bytes that the whole launch moves there; of what is no level 0. */
double level_bytes(const Answer *answer, const PsServerRow *row);

/* The share of a level's bytes that need no level behind it; NaN of the last one, of what is no
 * level, and where there are none. */
double level_hits(const Answer *answer, const PsServerRow *row);

/* The class that keeps it busy longest; G_MAXUINT where none does. */
guint level_busiest_class(const Answer *answer, const PsServerRow *row);

/* TRUE where the latencies of a class are those of the first of its nodes alone: others move other
 * shares of their bytes at the levels. */
gboolean level_class_differs(const PsMachine *machine, guint class_);

#endif
