/* SPDX-License-Identifier: BSD-3-Clause */
/* See census.h. */
#include "lift/census.h"

struct PsCensus {
    guint64 *before; /* per point: the sum of all points' numbers before it */
    GArray *warps;   /* guint64: of each warp, the sum of what it executed */
};

/* The factor of points that no lane of a warp executes: odd, so that no number is lost by it. */
#define IDLE G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)

/* A number for each number, with no pattern in them (SplitMix64's last step). */
static guint64 scatter(guint64 number)
{
    guint64 value = number + G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    value = (value ^ value >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return value ^ value >> 31;
}

PsCensus *ps_census_new(guint n_points)
{
    PsCensus *census = g_new0(PsCensus, 1);
    census->before = g_new0(guint64, (gsize)n_points + 1);
    for (guint p = 0; p < n_points; p++)
        census->before[p + 1] = census->before[p] + scatter(p);
    census->warps = g_array_new(FALSE, TRUE, sizeof(guint64));
    return census;
}

void ps_census_free(PsCensus *census)
{
    if (!census)
        return;
    g_free(census->before);
    g_array_unref(census->warps);
    g_free(census);
}

void ps_census_begin(PsCensus *census)
{
    g_array_set_size(census->warps, 0);
}

void ps_census_add(PsCensus *census, const PsPtxEvent *event, guint n, const guint32 *masks)
{
    const guint64 *before = &census->before[event->point];
    if (census->warps->len <= event->warp)
        g_array_set_size(census->warps, event->warp + 1);
    guint64 *sum = &g_array_index(census->warps, guint64, event->warp);
    if (!masks && event->mask != 0) {
        *sum += before[n] - before[0];
        return;
    }
    for (guint i = 0; i < n; i++) {
        const guint32 mask = masks ? masks[i] : event->mask;
        *sum += (before[i + 1] - before[i]) * (mask != 0 ? 1 : IDLE);
    }
}

guint64 ps_census_number(const PsCensus *census)
{
    guint64 number = census->warps->len;
    for (guint w = 0; w < census->warps->len; w++)
        number += scatter(g_array_index(census->warps, guint64, w));
    return number;
}
