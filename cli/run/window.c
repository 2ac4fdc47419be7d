/* SPDX-License-Identifier: BSD-3-Clause */
/* See window.h. */
#include "cli/run/window.h"

#include "cli/fail.h"
#include "pipesim-private.h"

#include <string.h>

static gboolean parse_end(const char *text, gint64 otherwise, PsRational *cycles)
{
    *cycles = PS_RATIONAL_INT(otherwise);
    return !*text || (ps_rational_parse(text, cycles) && cycles->num >= 0);
}

gboolean window_parse(const char *option, const char *text, PsWindow *window, GError **error)
{
    *window = (PsWindow){.given = text && *text, .to = PS_RATIONAL_INT(-1)};
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

char *window_cycles(const PsAnswer *answer, gint64 ticks)
{
    return ps_format_cycles(ps_machine_cycles(answer->machine, ticks));
}

gboolean window_ticks(const PsWindow *window, const char *option, const PsAnswer *answer,
                      gint64 *from, gint64 *to, GError **error)
{
    if (ps_window_ticks(window, answer, from, to))
        return TRUE;
    g_autofree char *begin = ps_format_cycles(window->from);
    g_autofree char *end = window_cycles(answer, answer->result.ticks);
    if (answer->result.ticks == 0)
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "%s: the run has no cycle to show", option);
    else
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: the window begins at cycle %s, and the run ends at %s", option, begin,
                    end);
    return FALSE;
}
