/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of advice: its place, its sentence, and how sure it is; the gain of more groups at
 * once. See words.h. */
#include "tell/words.h"

#include "idg/words.h"
#include "tell/format.h"
#include "tell/trust.h"

#include <math.h>

char *ps_placed_advice_sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *certainty = ps_certainty_describe(answer, advice);
    g_autofree char *place = ps_place_words(answer, advice->program, advice->node);
    return g_strconcat(place, *place ? ": " : "", advice->sentence, certainty, NULL);
}

static void list_need(GString *out, const char *name, gint64 now, gint64 then)
{
    if (then > 0)
        g_string_append_printf(out, "%s%s %" G_GINT64_FORMAT " -> %" G_GINT64_FORMAT,
                               out->len ? ", " : "", name, now, then);
}

static char *describe_more(gint64 more)
{
    return more == 1 ? g_strdup("one more group per CU")
                     : g_strdup_printf("%" G_GINT64_FORMAT " more groups per CU", more);
}

char *ps_step_sentence(const PsAnswer *answer)
{
    const PsOccupancyStep *step = answer->occupancy_step;
    g_autoptr(GString) needs = g_string_new(NULL);
    list_need(needs, "registers", answer->kernel->registers, step->registers);
    list_need(needs, ps_idg_local_memory(answer->idg), answer->kernel->local_memory,
              step->local_memory);
    g_autofree char *more = describe_more(step->groups - answer->machine->launch.active_groups);
    g_autofree char *share = ps_format_share(fabs(step->gain));
    return g_strdup_printf("%s (%s) would give %s%s %s", more, needs->str,
                           step->pays || step->gain < 0 ? "" : "only ", share,
                           step->gain < 0 ? "more time" : "less time");
}
