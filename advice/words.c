/* SPDX-License-Identifier: BSD-3-Clause */
/* Words that several kinds of advice share. See kind.h. */
#include "advice/kind.h"

#include "idg/words.h"
#include "tell/describe.h"
#include "tell/format.h"

char *ps_would_give(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *then = ps_format_interval(advice->seconds, advice->half_width);
    g_autofree char *now = ps_sentence_seconds(answer);
    g_autofree char *share = ps_format_share(advice->gain);
    return g_strdup_printf("would give %s instead of %s (%s less)", then, now, share);
}

char *ps_advice_class_words(const PsAnswer *answer, const PsAdvice *advice)
{
    return ps_idg_class_words(answer->idg, advice->class_name);
}

char *ps_at_line_words(guint line)
{
    return line ? g_strdup_printf(" at line %u", line) : g_strdup("");
}

char *ps_room_words(const PsAnswer *answer)
{
    const gint64 groups = answer->machine->launch.groups, cus = answer->gpu->compute_units;
    g_autofree char *units = ps_format_noun(cus, "CU");
    g_autofree char *now = ps_format_noun(groups, "group");
    if (groups < cus)
        return g_strdup_printf("%s %s %" G_GINT64_FORMAT " of %s without work", now,
                               groups == 1 ? "leaves" : "leave", cus - groups, units);
    g_autofree char *most = ps_format_noun(groups / cus + 1, "group");
    return g_strdup_printf("of %s %" G_GINT64_FORMAT " %s %s and the others %" G_GINT64_FORMAT,
                           units, groups % cus, groups % cus == 1 ? "runs" : "run", most,
                           groups / cus);
}
