/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns the counters that warps wrote into the cycles of a launch. A CU's counter says nothing
 * about another CU's, and the device chooses which groups a CU gets: so warps are sorted by CU, and
 * only CUs with the intended groups count.
 */
#include "latency-bench/device/driver.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
    guint32 cu;
    guint64 start, end;
} Warp;

/* The warps of one CU. Times are from the start of the first in the list. */
typedef struct {
    gint64 warps;
    gint64 first_start, last_start, first_end, last_end;
} Held;

static int by_cu(const void *a, const void *b)
{
    const Warp *first = a, *second = b;
    return (first->cu > second->cu) - (first->cu < second->cu);
}

static int by_value(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static Warp *sort_warps(const PsWarpTimes *of)
{
    Warp *warps = g_new(Warp, of->n);
    for (gsize w = 0; w < of->n; w++)
        warps[w] = (Warp){of->cus[w], of->times[2 * w], of->times[2 * w + 1]};
    qsort(warps, of->n, sizeof *warps, by_cu);
    return warps;
}

/* From a to b, also where the counter overflowed between them. */
static gint64 elapsed(guint64 a, guint64 b)
{
    return (gint64)(b - a);
}

/* The warps that begin at `at`, up to the next CU. */
static Held hold(const Warp *warps, gsize at, gsize n)
{
    guint64 origin = warps[at].start;
    gint64 end = elapsed(origin, warps[at].end);
    Held held = {.first_end = end, .last_end = end};
    for (gsize w = at; w < n && warps[w].cu == warps[at].cu; w++) {
        gint64 starts = elapsed(origin, warps[w].start), ends = elapsed(origin, warps[w].end);
        held.first_start = MIN(held.first_start, starts);
        held.last_start = MAX(held.last_start, starts);
        held.first_end = MIN(held.first_end, ends);
        held.last_end = MAX(held.last_end, ends);
        held.warps++;
    }
    return held;
}

static double median(double *values, gsize n)
{
    if (n == 0)
        return NAN;
    qsort(values, n, sizeof *values, by_value);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

static gboolean check_counters(const PsWarpTimes *of, GError **error)
{
    for (gsize w = 0; w < of->n; w++)
        if (elapsed(of->times[2 * w], of->times[2 * w + 1]) <= 0) {
            ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0},
                        "the device's cycle counter does not advance: warp %" G_GSIZE_FORMAT
                        " began at %" G_GUINT64_FORMAT " and ended at %" G_GUINT64_FORMAT,
                        w, of->times[2 * w], of->times[2 * w + 1]);
            return FALSE;
        }
    return TRUE;
}

gboolean ps_warp_times(const PsWarpTimes *of, double *cycles, double *span, GError **error)
{
    *cycles = *span = NAN;
    if (!check_counters(of, error))
        return FALSE;
    g_autofree Warp *warps = sort_warps(of);
    g_autofree double *spans = g_new(double, of->n);
    gsize n_spans = 0;
    for (gsize at = 0; at < of->n;) {
        Held held = hold(warps, at, of->n);
        double took = (double)(held.last_end - held.first_start);
        *span = fmax(*span, took);
        if (held.warps == of->warps && held.last_start < held.first_end)
            spans[n_spans++] = took;
        at += (gsize)held.warps;
    }
    *cycles = median(spans, n_spans);
    return TRUE;
}

void ps_warp_times_uneven(const PsWarpTimes *of, GError **error)
{
    g_autofree Warp *warps = sort_warps(of);
    gint64 least = G_MAXINT64, most = 0;
    for (gsize at = 0; at < of->n;) {
        gint64 held = hold(warps, at, of->n).warps;
        least = MIN(least, held);
        most = MAX(most, held);
        at += (gsize)held;
    }
    if (least <= of->warps && of->warps <= most && least == most)
        ps_error_at(error, PS_ERROR_RESOURCES, (PsPlace){0},
                    "the groups did not run at the same time: no compute unit held its %" //
                    G_GINT64_FORMAT " warps at once",
                    of->warps);
    else
        ps_error_at(error, PS_ERROR_RESOURCES, (PsPlace){0},
                    "the groups did not spread evenly: no compute unit held exactly %" //
                    G_GINT64_FORMAT " warps at once, they got %" G_GINT64_FORMAT
                    " to %" G_GINT64_FORMAT,
                    of->warps, least, most);
}
