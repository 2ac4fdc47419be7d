/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What `#pragma unroll` gives where advice is to do several iterations of a loop at once: the
 * source is compiled with it, built and simulated.
 */
#ifndef PIPESIM_CLI_RUN_PRAGMA_H
#define PIPESIM_CLI_RUN_PRAGMA_H

#include "cli/build/graph.h"

/* Sets it, or why it is not known, of all of the answer's advice that is of that kind. The code is
 * that which the graph was built of; NULL: there is none. */
void pragma_try(const Options *options, const PsBuiltCode *code, const PsQuestion *question,
                PsAnswer *answer);

#endif
