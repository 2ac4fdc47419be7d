/* SPDX-License-Identifier: BSD-3-Clause */
/* What advice would give, in words. See advice-words.h. */
#include "cli/report/advice-words.h"

#include "cli/report/describe.h"
#include "cli/report/format.h"

char *would_give(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *then = format_interval(advice->seconds, advice->half_width);
    g_autofree char *now = describe_seconds(answer);
    g_autofree char *share = format_share(advice->gain);
    return g_strdup_printf("would give %s instead of %s (%s less)", then, now, share);
}
