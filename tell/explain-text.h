/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How what is found out about an answer is told: its critical path, its waits, its sensitivities,
 * and advice, as far as the answer has them.
 */
#ifndef PIPESIM_TELL_EXPLAIN_TEXT_H
#define PIPESIM_TELL_EXPLAIN_TEXT_H

#include "answer/answer.h"
#include "tell/paper.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Sections of that page, of the answer's facts; shows are PsExplainShows; which is what the
 * headings say in brackets, such as "as it is", or NULL. */
void ps_explain_text(const PsAnswer *answer, const PsTold *facts, guint shows, const char *which,
                     const PsPaper *paper);

#pragma GCC visibility pop
G_END_DECLS
#endif
