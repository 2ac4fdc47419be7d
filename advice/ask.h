/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Answers questions: how long a kernel takes on a GPU, beside the roofline; if the question's
 * options ask for it, also why, and what would help.
 *
 * Since: 0.1.0
 */
#ifndef PIPESIM_ADVICE_ASK_H
#define PIPESIM_ADVICE_ASK_H

#include "answer/question.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Simulates. If `explain`, `sensitivity` and `advise` are set (ps_question_set), also finds where
 * the time goes, how it would change with other inputs, and what would help. threads: the number of
 * simulations at once; 0: one for each processor. The caller frees the answer (ps_answer_free);
 * everything that the question borrows must outlive it. NULL and *error: PS_ERROR_USAGE and
 * PS_ERROR_VALUE if question, graph and GPU do not go together, PS_ERROR_LIMIT, PS_ERROR_TIME if
 * the budget is over before anything is known, PS_ERROR_CANCELLED. Several threads may ask at the
 * same time, each its own question. */
PsAnswer *ps_question_ask(PsQuestion *question, guint threads, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
