/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits on how much worse a kernel may become. See gate.h. */
#include "gate/gate.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

void ps_gate_limits_init(PsGateLimit limits[PS_GATE_N_FIGURES])
{
    memset(limits, 0, PS_GATE_N_FIGURES * sizeof *limits);
    limits[PS_GATE_STACK].limited = TRUE;
    limits[PS_GATE_LOCAL].limited = TRUE;
    limits[PS_GATE_OCCUPANCY].limited = TRUE;
}

/* Reads "3%", "4" or "none". */
static gboolean read_growth(const char *text, PsGateLimit *limit)
{
    char *end = NULL;
    *limit = (PsGateLimit){FALSE, FALSE, 0};
    if (strcmp(text, "none") == 0)
        return TRUE;
    limit->limited = TRUE;
    limit->most = g_ascii_isdigit(*text) ? g_ascii_strtod(text, &end) : NAN;
    limit->in_per_cent = end && *end == '%';
    return end && !end[limit->in_per_cent ? 1 : 0] && isfinite(limit->most) && limit->most >= 0;
}

gboolean ps_gate_limit_set(PsGateLimit limits[PS_GATE_N_FIGURES], const char *text, GError **error)
{
    const char *equals = strchr(text, '=');
    PsGateLimit limit;
    for (guint i = 0; equals && i < PS_GATE_TIME; i++) {
        const char *name = ps_gate_figure_name(i);
        if (strncmp(text, name, (gsize)(equals - text)) != 0 || name[equals - text])
            continue;
        if (read_growth(equals + 1, &limit)) {
            limits[i] = limit;
            return TRUE;
        }
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                    "\"%s\": a limit is a number from 0 on (%s=4), a share (%s=3%%), or none", text,
                    name, name);
        return FALSE;
    }
    g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                "\"%s\" is no limit; FIGURE=GROWTH is one, and FIGURE is registers, stack, local, "
                "shared, instructions, occupancy or conflicts",
                text);
    return FALSE;
}
