/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many questions that differ in some values, and their answers as `pipesim sweep` prints them.
 *
 * Since: 0.1.0
 */
#ifndef PIPESIM_SWEEP_QUESTION_H
#define PIPESIM_SWEEP_QUESTION_H

#include "answer/question.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The question with every combination of values that the lists say, the last list fastest, each
 * "NAME=LIST" as `pipesim sweep --vary` reads it, NULL behind the last: active, groups, group-size,
 * parameters of the graph, CLASS.issue and CLASS.completion. What decides how code is compiled or
 * launched (grid, block, an argument, a macro) is set with ps_kernel_code_set, and another graph is
 * asked about. format: "json", "csv", "text" or "markdown"; with ":N" behind it only so many are
 * told, the fastest first, and what cannot be among them is not simulated. threads: as of
 * ps_question_ask.
 *
 * Rows of answers (g_free). In text and JSON a point without an answer has no row. *told
 * (g_strfreev; may be NULL) becomes what the program says beside it, a sentence each: points that
 * have no answer, warnings, what was left out. With an option `what-if` a row has the answers with
 * and without it. A CSV cannot be gone on with: it lacks the columns `check` and `sweep`. NULL and
 * *error (PS_ERROR_USAGE) for lists or a format that cannot be, and for more than 10 million
 * points; (PS_ERROR_CANCELLED). An option `budget`, `sensitivity` or `advise` is refused. */
char *ps_question_sweep(PsQuestion *question, const char *const *lists, const char *format,
                        guint threads, char ***told, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
