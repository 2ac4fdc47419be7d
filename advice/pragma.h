/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of `#pragma unroll` by the compiler, in an advice. */
#ifndef PIPESIM_ADVICE_PRAGMA_H
#define PIPESIM_ADVICE_PRAGMA_H

#include "advice/advice.h"

/* More iterations in one fill the cache of instructions, and compilers refuse them. */
#define PS_PRAGMA_MOST 64

/* TRUE if `#pragma unroll` before a loop carries the advice out: it is about several iterations of
 * a loop at once, in a graph that was made of code. *file and *line become those of the loop's
 * branch (borrowed; NULL and 0 if not known). *times becomes the pragma's number. It counts
 * iterations of the source, and an iteration of the code may be several of them. */
gboolean ps_advice_is_pragma(const PsAnswer *answer, const PsAdvice *advice, const char **file,
                             guint *line, guint *times);

/* Sets the pragma's result, in the sentence too: the time of the graph of that code, which counts
 * as the same if it takes exactly as long; NULL: it is the same. The question is the answer's.
 * Returns whether the compiler makes the same code of it. */
gboolean ps_advice_set_pragma(PsAdvice *advice, const PsAnswer *answer, const PsQuestion *question,
                              const PsIdg *idg, guint times);

/* Sets the reason why the result is not known, a clause. */
void ps_advice_set_no_pragma(PsAdvice *advice, const PsAnswer *answer, const char *why);

#endif
