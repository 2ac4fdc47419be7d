/* SPDX-License-Identifier: BSD-3-Clause */
/* See census.h. */
#include "lift/groups/census.h"

#include <string.h>

/* A number for each number, without a pattern (SplitMix64's last step). */
static guint64 scatter(guint64 number)
{
    guint64 value = number + G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    value = (value ^ value >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return value ^ value >> 31;
}

PsCensus *ps_census_new(guint n_points, guint n_warps)
{
    PsCensus *census = g_new0(PsCensus, 1);
    census->before = g_new0(guint64, (gsize)n_points + 1);
    for (guint p = 0; p < n_points; p++)
        census->before[p + 1] = census->before[p] + scatter(p);
    census->n_warps = n_warps;
    census->warps = g_new0(guint64, n_warps);
    return census;
}

void ps_census_free(PsCensus *census)
{
    if (!census)
        return;
    g_free(census->before);
    g_free(census->warps);
    g_free(census);
}

void ps_census_begin(PsCensus *census)
{
    memset(census->warps, 0, census->n_warps * sizeof *census->warps);
}

guint64 ps_census_number(const PsCensus *census)
{
    guint64 number = 0;
    for (guint w = 0; w < census->n_warps; w++)
        number += scatter(census->warps[w]);
    return number;
}
