/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files share that put advice into words. Internal to this folder. */
#ifndef PIPESIM_ADVICE_WORDS_H
#define PIPESIM_ADVICE_WORDS_H

#include "advice/advice.h"
#include "tell/words.h"

/* Makes the sentence of advice that is told: again, when it knows more. */
void ps_advice_phrase(const PsAnswer *answer, PsAdvice *advice);

/* "would give 5.05 ms instead of 35.1 ms (85.6 % less)". g_free. */
char *ps_would_give(const PsAnswer *answer, const PsAdvice *advice);

/* Sentences of changes (PsChange), g_free. */
char *ps_sorted_sentence(const PsAnswer *answer, const PsAdvice *advice);
char *ps_shared_out_sentence(const PsAnswer *answer, const PsAdvice *advice);
char *ps_tensor_sentence(const PsAnswer *answer, const PsAdvice *advice);

/* What is to be done about an operation that could be a cheaper one, a subject for "would give". */
char *ps_strength_words(const PsAdvice *advice);

/* A sentence of loads of straight code; gives: what raising them would give. */
char *ps_raised_sentence(const PsAdvice *advice, const char *gives);
/* What is to be done about an access to memory, a subject for "would give". */
char *ps_access_words(const PsAnswer *answer, const PsAdvice *advice);
/* The same of a loop; gives: what that would give. */
char *ps_loop_sentence(const PsAnswer *answer, const PsAdvice *advice, const char *gives);

#endif
