/* SPDX-License-Identifier: BSD-3-Clause */
/* How busy pipelines are, by the GPU's numbers of them, and which class keeps them so. */
#ifndef PIPESIM_ANSWER_LOADS_H
#define PIPESIM_ANSWER_LOADS_H

#include "answer/answer.h"

/* The share of the run's time for which a pipeline of the GPU's is busy; 0 where nothing used it.
 */
double load_of_pipeline(const Answer *answer, guint pipeline);

/* Likewise what a class of the machine's takes of its pipeline. */
double load_of_class(const Answer *answer, guint class_);

/* The class that keeps the pipeline busy longest; G_MAXUINT where it has none. */
guint load_busiest_class(const Answer *answer, guint pipeline);

/* The share of the run's time that the starts of groups take on the fullest CU, which follow each
 * other no faster than groups are dispatched; 0 where nothing limits that. */
double load_of_dispatch(const Answer *answer);

/* The name of what is busiest, a pipeline, what serves memory (PsServer) or "dispatch", and its
 * share of the run's time; NULL and 0 where nothing ran. Borrowed. */
const char *load_busiest(const Answer *answer, double *load);

/* The pipeline of the GPU's that is busiest; G_MAXUINT where none is busy. */
guint load_busiest_pipeline(const Answer *answer);

#endif
