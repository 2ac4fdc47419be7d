/* SPDX-License-Identifier: BSD-3-Clause */
/* See window.h. */
#include "answer/window.h"

/* Instructions that may be simulated to make a window whole: some seconds. */
#define MOST_WHOLE (G_GINT64_CONSTANT(1) << 25)

/* A time behind the end of any run means the end. */
static gint64 ticks_of(const PsAnswer *answer, PsRational cycles, gboolean up)
{
    PsRational ticks;
    if (!ps_rational_mul(cycles, PS_RATIONAL_INT(answer->machine->ticks_per_cycle), &ticks))
        return answer->result.ticks;
    return up ? ps_rational_ceil(ticks) : ps_rational_floor(ticks);
}

gboolean ps_window_ticks(const PsWindow *window, const PsAnswer *answer, gint64 *from, gint64 *to)
{
    *from = ticks_of(answer, window->from, FALSE);
    *to = window->to.num < 0 ? answer->result.ticks
                             : MIN(ticks_of(answer, window->to, TRUE), answer->result.ticks);
    return *from < *to;
}

/* A run without skips is whole. Other runs are tried: only a run shows how much a window costs. */
void ps_window_make_whole(const PsAnswer *answer, gint64 from, gint64 to, PsSimOptions *options)
{
    if (answer->result.skips == 0)
        return;
    PsSimOptions whole = {.whole_from = from,
                          .whole_to = to,
                          .precision = answer->precision,
                          .most_instructions = MOST_WHOLE};
    PsSimResult result;
    if (!ps_sim_run(answer->machine, &whole, &result, NULL))
        return;
    options->whole_from = from;
    options->whole_to = to;
}
