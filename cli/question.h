/* SPDX-License-Identifier: BSD-3-Clause */
/* What the options ask: questions for the library. */
#ifndef PIPESIM_CLI_QUESTION_H
#define PIPESIM_CLI_QUESTION_H

#include "cli/options.h"

/* The options' question, whatever is varied, without graph, GPU and clock. All is borrowed. */
PsQuestion question_base(const Options *options);

/* The same about a graph on a GPU, with the what-if beside it. NULL and *error where the GPU has no
 * such clock, and for a latency that cannot be. */
PsVariedQuestion *question_of(const Options *options, const PsIdg *idg, const PsGpu *gpu,
                              GError **error);

#endif
