/* SPDX-License-Identifier: BSD-3-Clause */
/* The facts of an answer. */
#ifndef PIPESIM_TELL_ANSWER_H
#define PIPESIM_TELL_ANSWER_H

#include "answer/answer.h"
#include "tell/facts.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* All facts of an answer but for the parts that are asked for apart (why, sensitivities, advice).
 * measured: seconds of the kernel that somebody measured, 0 where nobody did. The answer must live
 * as long as the facts. */
PsTold *ps_answer_told(const PsAnswer *answer, double measured);

#pragma GCC visibility pop
G_END_DECLS
#endif
