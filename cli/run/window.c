/* SPDX-License-Identifier: BSD-3-Clause */
/* See window.h. */
#include "cli/run/window.h"

#include "cli/fail.h"
#include "cli/report/format.h"

#include <string.h>

/* Instructions that may be simulated for a window to be whole: some seconds. */
#define MOST_WHOLE (G_GINT64_CONSTANT(1) << 25)

static gboolean parse_end(const char *text, gint64 otherwise, PsRational *cycles)
{
    *cycles = PS_RATIONAL_INT(otherwise);
    return !*text || (ps_rational_parse(text, cycles) && cycles->num >= 0);
}

gboolean window_parse(const char *option, const char *text, Window *window, GError **error)
{
    *window = (Window){.given = text && *text, .to = PS_RATIONAL_INT(-1)};
    window->from = PS_RATIONAL_INT(0);
    if (!text || !*text)
        return TRUE;
    const char *dots = strstr(text, "..");
    g_autofree char *first = dots ? g_strndup(text, (gsize)(dots - text)) : NULL;
    if (!first || !parse_end(first, 0, &window->from) || !parse_end(dots + 2, -1, &window->to))
        return usage_error(error,
                           "%s: '%s' is no window; write FROM..TO in cycles, such as 0..1000",
                           option, text);
    const int order = window->to.num >= 0 ? ps_rational_cmp(window->from, window->to) : -1;
    if (order >= 0)
        return usage_error(error, "%s: the window %s %s; write FROM..TO in cycles, such as 0..1000",
                           option, text,
                           order > 0 ? "ends before it begins" : "ends where it begins");
    return TRUE;
}

/* What is beyond any run is its end. */
static gint64 ticks_of(const PsAnswer *answer, PsRational cycles, gboolean up)
{
    PsRational ticks;
    if (!ps_rational_mul(cycles, PS_RATIONAL_INT(answer->machine->ticks_per_cycle), &ticks))
        return answer->result.ticks;
    return up ? ps_rational_ceil(ticks) : ps_rational_floor(ticks);
}

char *window_cycles(const PsAnswer *answer, gint64 ticks)
{
    return format_cycles(ps_machine_cycles(answer->machine, ticks));
}

gboolean window_ticks(const Window *window, const char *option, const PsAnswer *answer,
                      gint64 *from, gint64 *to, GError **error)
{
    *from = ticks_of(answer, window->from, FALSE);
    *to = window->to.num < 0 ? answer->result.ticks
                             : MIN(ticks_of(answer, window->to, TRUE), answer->result.ticks);
    if (*from < *to)
        return TRUE;
    if (answer->result.ticks == 0) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "%s: the run has no cycle to show", option);
        return FALSE;
    }
    g_autofree char *begin = format_cycles(window->from);
    g_autofree char *end = window_cycles(answer, answer->result.ticks);
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "%s: the window begins at cycle %s, and the run ends at %s", option, begin, end);
    return FALSE;
}

/* A run that skips nothing is whole. One that does is tried out, since how much a window takes only
 * shows in a run. */
void window_make_whole(const PsAnswer *answer, gint64 from, gint64 to, PsSimOptions *options)
{
    if (answer->result.skips == 0)
        return;
    PsSimOptions whole = {.whole_from = from, .whole_to = to, .most_instructions = MOST_WHOLE};
    PsSimResult result;
    if (!ps_sim_run(answer->machine, &whole, &result, NULL))
        return;
    options->whole_from = from;
    options->whole_to = to;
}
