/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many questions that differ in some values, and their answers as the JSON document that `pipesim
 * sweep --format json` prints.
 *
 * Since: 0.1.0
 */
#ifndef PIPESIM_TELL_SWEEP_JSON_H
#define PIPESIM_TELL_SWEEP_JSON_H

#include "answer/question.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The question with every combination of values that the lists say, the last list fastest, each
 * "NAME=LIST" as `pipesim sweep --vary` reads it, NULL behind the last: active, groups, group-size,
 * parameters of the graph, CLASS.issue and CLASS.completion. What decides how code is compiled or
 * launched (grid, block, an argument, a macro) is set with ps_kernel_code_set, and another graph is
 * asked about. threads: as of ps_question_ask.
 *
 * An array of answers and the end of its line (g_free). It lacks the points that have no answer:
 * *failed (g_strfreev; may be NULL) becomes one sentence for each of them. NULL and *error
 * (PS_ERROR_USAGE) for lists that cannot be, (PS_ERROR_LIMIT) for more than 10 million points,
 * (PS_ERROR_CANCELLED). An option `budget`, `sensitivity` or `advise` is refused. */
char *ps_question_sweep_json(PsQuestion *question, const char *const *lists, guint threads,
                             char ***failed, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
