/* SPDX-License-Identifier: BSD-3-Clause */
/* What-ifs of levels of memory, and how a present figure is recognised: see binding.h, and
 * docs/reference/model.md, What-ifs. */
#include "sim/engine/binding.h"

#include "gpu/rows.h"

#include <string.h>

/* The figure as people read it: in texts with so many digits, or in JSON. */
static char *shown(double now, gboolean in_json)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    const char *in_text = now >= 999.95 ? "%.0f" : "%.4g";
    return g_strdup(g_ascii_formatd(text, sizeof text, in_json ? "%.10g" : in_text, now));
}

/* TRUE if the value is the present one as it is shown. Texts show few digits of a figure with more
 * than four behind the point, and what-ifs take nine behind it. */
gboolean ps_what_if_is_present(PsRational to, PsRational now)
{
    enum { SHOWN = 10000, TAKEN = 1000000000 };
    PsRational parts, told, off;
    if (ps_rational_cmp(to, now) == 0)
        return TRUE;
    if (ps_rational_mul(now, PS_RATIONAL_INT(SHOWN), &parts) && ps_rational_is_int(parts))
        return FALSE;
    for (guint i = 0; i < 2; i++) {
        g_autofree char *text = shown(ps_rational_to_double(now), i > 0);
        if (ps_rational_parse(text, &told) && ps_rational_cmp(to, told) == 0)
            return TRUE;
    }
    return ps_rational_sub(to, now, &off) && ABS(ps_rational_to_double(off)) < 1.0 / TAKEN;
}

static gboolean change_figure(PsRational *own, PsRational now, PsRational to, gboolean times)
{
    if (to.num > 0 && times)
        return ps_rational_mul(*own, to, own);
    if (to.num > 0)
        *own = ps_what_if_is_present(to, now) ? now : to;
    return TRUE;
}

/* Latencies are given in cycles, at whatever clock the description states them. */
static gboolean change_latency(PsMemoryLevel *level, const PsMemoryLevel *now, PsRational to,
                               PsRational clock)
{
    PsRational cycles;
    if (to.num <= 0)
        return TRUE;
    if (!ps_gpu_cycles(now->latency, now->at, clock, &cycles))
        return FALSE;
    const gboolean stays = ps_what_if_is_present(to, cycles);
    level->latency = stays ? now->latency : to;
    level->at = stays ? now->at : PS_RATIONAL_INT(0);
    return TRUE;
}

/* The last of equal what-ifs counts; factors apply behind all figures. */
gboolean ps_what_if_apply_to_level(PsMemoryLevel *level, const GPtrArray *what_if, PsRational clock)
{
    const PsMemoryLevel now = *level;
    for (gboolean times = FALSE; times <= TRUE; times++)
        for (guint i = 0; what_if && i < what_if->len; i++) {
            const PsWhatIf *one = what_if->pdata[i];
            if (one->times != times || strcmp(one->class_name, ps_level_name(level->level)) != 0)
                continue;
            if (!change_figure(&level->bandwidth, now.bandwidth, one->bandwidth, times) ||
                !change_figure(&level->port, now.port, one->port, times) ||
                !(times ? change_figure(&level->latency, now.latency, one->latency, TRUE)
                        : change_latency(level, &now, one->latency, clock)))
                return FALSE;
        }
    return TRUE;
}
