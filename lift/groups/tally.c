/* SPDX-License-Identifier: BSD-3-Clause */
/* See tally.h. */
#include "lift/groups/tally.h"

#include <string.h>

PsTally *ps_tally_new(guint n_points)
{
    PsTally *tally = g_new0(PsTally, 1);
    tally->n_points = n_points;
    tally->steps = g_new0(guint64, (gsize)n_points + 1);
    tally->all = g_new0(guint64, (gsize)n_points + 1);
    return tally;
}

void ps_tally_free(PsTally *tally)
{
    if (!tally)
        return;
    g_free(tally->steps);
    g_free(tally->all);
    g_free(tally);
}

void ps_tally_begin(PsTally *tally)
{
    memset(tally->steps, 0, ((gsize)tally->n_points + 1) * sizeof *tally->steps);
}

void ps_tally_keep(PsTally *tally)
{
    guint64 lanes = 0;
    for (guint p = 0; p < tally->n_points; p++) {
        lanes += tally->steps[p];
        tally->all[p] += lanes;
    }
}
