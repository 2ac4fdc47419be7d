/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings of an answer that follow from its options besides the time. */
#ifndef PIPESIM_ADVICE_NOTES_H
#define PIPESIM_ADVICE_NOTES_H

#include "answer/answer.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Warns of changes that were not tried for lack of time, or of advice's budget; says nothing if all
 * were tried. The answer has its sensitivities. */
void ps_answer_note_untried(PsAnswer *answer, gboolean has_budget);

/* Warns where the source was changed since the graph was made, since a reader looks for the
 * answer's lines in the source as it is now. */
void ps_answer_note_changed_source(PsAnswer *answer);

#pragma GCC visibility pop
G_END_DECLS
#endif
