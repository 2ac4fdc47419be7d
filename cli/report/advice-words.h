/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files share that put advice into words. Internal to advice*-words.c. */
#ifndef PIPESIM_CLI_REPORT_ADVICE_WORDS_H
#define PIPESIM_CLI_REPORT_ADVICE_WORDS_H

#include "cli/report/words.h"

/* "would give 5.05 ms instead of 35.1 ms (85.6 % less)". g_free. */
char *would_give(const PsAnswer *answer, const PsAdvice *advice);

/* Sentences of changes (PsChange), g_free. */
char *tell_sorted(const PsAnswer *answer, const PsAdvice *advice);
char *tell_shared_out(const PsAnswer *answer, const PsAdvice *advice);
char *tell_tensor(const PsAnswer *answer, const PsAdvice *advice);

#endif
