/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The gain of `#pragma unroll`, for advice to do several iterations of a loop at once: the source
 * is compiled with it, built and simulated.
 */
#ifndef PIPESIM_ADVICE_UNROLL_H
#define PIPESIM_ADVICE_UNROLL_H

#include "advice/advice.h"
#include "code/graph.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Sets the gain, or the reason why it is not known, of all such advice of the answer. The graph was
 * made of the file at that path, with that code; NULL: the code is not built again. */
void ps_answer_unroll(PsAnswer *answer, const PsQuestion *question, const char *path,
                      const PsBuiltCode *code);

#pragma GCC visibility pop
G_END_DECLS
#endif
