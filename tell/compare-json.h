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
 * in the program, with or without the option `explain`. A side's file is that of its graph, or of
 * the code behind the graph. options_a and options_b: other options of one side alone, as the
 * program writes them ("--active 8"), NULL behind the last; NULL: none. The document tells a side's
 * GPU and what-if by itself. NULL and *error of ps_question_ask, which begins with its side ("B:
 * "); PS_ERROR_USAGE for the options `budget`, `sensitivity` and `advise`. */
char *ps_compare_json(PsQuestion *a, PsQuestion *b, const char *const *options_a,
                      const char *const *options_b, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
