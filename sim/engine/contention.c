/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Refinement R4: latencies from a table over active warps, linear between its points, constant
 * outside. Points and results are rounded to 1/1024 cycle, so that the tick of a run stays coarse
 * whatever the numbers of warps.
 */
#include "sim/engine/binding.h"

#define PARTS 1024

/* Limit of what a file can state: it keeps products within 128 bits. */
#define MAX_DENOMINATOR 1000000000
#define MAX_WARPS 1000000000

__extension__ typedef __int128 Wide;

static gboolean within(PsRational value)
{
    return value.num > 0 && value.den <= MAX_DENOMINATOR &&
           ps_rational_cmp(value, PS_RATIONAL_INT(PS_MAX_LATENCY)) <= 0;
}

/* a * (1 - part / whole) + b * part / whole, rounded half up, at least one part of a cycle. */
static gboolean interpolate(PsRational a, PsRational b, gint64 part, gint64 whole,
                            PsRational *result)
{
    if (!within(a) || !within(b))
        return FALSE;
    const Wide num = (Wide)a.num * b.den * (whole - part) + (Wide)b.num * a.den * part;
    const Wide den = (Wide)a.den * b.den * whole;
    const Wide rest = num % den;
    const gint64 rounded = (gint64)(num / den * PARTS + (rest * 2 * PARTS + den) / (2 * den));
    return ps_rational_make(MAX(rounded, 1), PARTS, result);
}

gboolean ps_class_latency_at(const PsClass *class, gint64 warps, PsLatency *latency)
{
    *latency = class->latency;
    if (!class->at || class->at->len == 0)
        return TRUE;
    const PsLatencyAt *at = &g_array_index(class->at, PsLatencyAt, 0);
    guint next = 0;
    while (next < class->at->len && at[next].warps <= warps)
        next++;
    const PsLatencyAt *high = &at[MIN(next, class->at->len - 1)];
    const PsLatencyAt *low = next > 0 ? &at[next - 1] : high;
    const gint64 whole = low == high ? 1 : high->warps - low->warps;
    const gint64 part = low == high ? 0 : warps - low->warps;
    return whole > 0 && whole <= MAX_WARPS &&
           interpolate(low->latency.issue, high->latency.issue, part, whole, &latency->issue) &&
           interpolate(low->latency.completion, high->latency.completion, part, whole,
                       &latency->completion);
}

gboolean ps_has_tables(const PsGpu *gpu)
{
    for (guint i = 0; i < gpu->classes->len; i++)
        if (((const PsClass *)gpu->classes->pdata[i])->at != NULL)
            return TRUE;
    return FALSE;
}
