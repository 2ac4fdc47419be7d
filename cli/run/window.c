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
