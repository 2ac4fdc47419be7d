/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two answers beside each other, and why one takes longer.
 *
 * Since: 0.1.0
 */
#ifndef PIPESIM_TELL_COMPARE_JSON_H
#define PIPESIM_TELL_COMPARE_JSON_H

#include "answer/question.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Asks both questions at once, each in a thread of its own, and returns the JSON document that
 * `pipesim compare --format json` prints of A and B (g_free). Both are explained, as precisely as
 * the program does, whether or not the option `explain` is set. A side's file is that of its graph,
 * or of the code that this was made of. options_a and options_b: what else was set for one of them
 * alone, as the program's option ("--active 8"), NULL behind the last; NULL: nothing. The document
 * tells a side's GPU and what-if by itself. NULL and *error of ps_question_ask, which begins with
 * the side it is of ("B: "); PS_ERROR_USAGE for the options `budget`, `sensitivity` and `advise`.
 */
char *ps_compare_json(PsQuestion *a, PsQuestion *b, const char *const *options_a,
                      const char *const *options_b, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
