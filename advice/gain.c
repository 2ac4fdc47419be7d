/* SPDX-License-Identifier: BSD-3-Clause */
/* What advice would give, in words. See words.h. */
#include "advice/words.h"

#include "tell/describe.h"
#include "tell/format.h"

char *ps_would_give(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *then = ps_format_interval(advice->seconds, advice->half_width);
    g_autofree char *now = ps_sentence_seconds(answer);
    g_autofree char *share = ps_format_share(advice->gain);
    return g_strdup_printf("would give %s instead of %s (%s less)", then, now, share);
}
