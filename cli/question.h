/* SPDX-License-Identifier: BSD-3-Clause */
/* What the options ask: questions for the library. */
#ifndef PIPESIM_CLI_QUESTION_H
#define PIPESIM_CLI_QUESTION_H

#include "cli/options.h"

/* The options' question about a graph on a GPU, whatever is varied. FALSE and *error where the GPU
 * has no such clock. All is borrowed. */
gboolean question_of(const Options *options, const PsIdg *idg, const PsGpu *gpu,
                     PsQuestion *question, GError **error);

/* The same with the first n of the varied values, and with the what-if. NULL and *error also for a
 * latency that cannot be. */
PsVariedQuestion *varied_question_of(const Options *options, const PsIdg *idg, const PsGpu *gpu,
                                     const PsRational *values, guint n, GError **error);

#endif
