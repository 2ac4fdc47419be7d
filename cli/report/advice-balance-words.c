/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice in words: threads, warps and units that have less to do than others. See words.h. */
#include "cli/report/advice-words.h"

#include "cli/report/describe.h"
#include "cli/report/format.h"

#include <math.h>

/* "lines 14 to 18 run" */
static char *where_words(const PsAdvice *advice)
{
    if (advice->first_line == 0)
        return g_strdup("it runs");
    return advice->first_line == advice->last_line
               ? g_strdup_printf("line %u runs", advice->first_line)
               : g_strdup_printf("lines %u to %u run", advice->first_line, advice->last_line);
}

char *tell_sorted(const PsAnswer *answer, const PsAdvice *advice)
{
    const double lanes = (double)answer->gpu->warp_size;
    g_autofree char *idle = format_number(advice->share * lanes);
    g_autofree char *where = where_words(advice);
    g_autofree char *gives = would_give(answer, advice);
    return g_strdup_printf("%s of %g lanes idle in the mean where %s, since threads of a warp %s: "
                           "threads shared out so that those of a warp %s, with as much traffic "
                           "in all, %s",
                           idle, lanes, where,
                           advice->alike ? "run the loop more or less often"
                                         : "part there, and the others wait",
                           advice->alike ? "run it equally often" : "go one way", gives);
}

char *tell_shared_out(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *share = format_share(advice->share);
    g_autofree char *gives = would_give(answer, advice);
    return g_strdup_printf("warp %u comes last, and its group holds its place until then: the "
                           "group's warps run the loop %s as often in the mean; all of them that "
                           "often %s",
                           advice->warp, share, gives);
}

/* ---- occupancy ----------------------------------------------------------------------------- */

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

char *step_sentence(const PsAnswer *answer)
{
    const PsOccupancyStep *step = answer->occupancy_step;
    g_autoptr(GString) needs = g_string_new(NULL);
    list_need(needs, "registers", answer->kernel->registers, step->registers);
    list_need(needs, "local memory", answer->kernel->local_memory, step->local_memory);
    g_autofree char *more = describe_more(step->groups - answer->machine->launch.active_groups);
    g_autofree char *share = format_share(fabs(step->gain));
    return g_strdup_printf("%s (%s) would give %s%s %s", more, needs->str,
                           step->pays ? "" : "nothing: ", share,
                           step->gain < 0 ? "more time" : "less time");
}
