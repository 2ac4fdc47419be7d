/* SPDX-License-Identifier: BSD-3-Clause */
/* See window-text.h. */
#include "tell/window-text.h"

#include "base/error.h"
#include "tell/format.h"

char *ps_window_cycles(const PsAnswer *answer, gint64 ticks)
{
    return ps_format_cycles(ps_machine_cycles(answer->machine, ticks));
}

gboolean ps_window_place(const PsWindow *window, const PsAnswer *answer, gint64 *from, gint64 *to,
                         GError **error)
{
    if (ps_window_ticks(window, answer, from, to))
        return TRUE;
    g_autofree char *begin = ps_format_cycles(window->from);
    g_autofree char *end = ps_window_cycles(answer, answer->result.ticks);
    if (answer->result.ticks == 0)
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "the run has no cycle to show");
    else
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "the window begins at cycle %s, and the run ends at %s", begin, end);
    return FALSE;
}
