/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Peaks: the best rate that a launch sustained, the median over its repeats, so that a lucky one
 * does not count. A description's peaks are at its base clock, and all but that of device memory
 * follow the clock of the compute units: measured rates are brought there by the clock during the
 * run, where that is known.
 */
#include "latency-bench/describe/describe.h"

#include "roofline/roofline.h"
#include "roofline/terms.h"

#include <math.h>
#include <string.h>

static void rates_free(void *rates)
{
    g_array_unref(rates);
}

/* Streams of reads serve as a benchmark of the bandwidth. */
static gboolean is_of_peak(const PsRawRow *row, PsPeakKind kind)
{
    if (row->problem || !row->class_name)
        return FALSE;
    return row->kind == PS_BENCH_PEAK ? strcmp(row->class_name, ps_peak_kind_name(kind)) == 0
           : row->kind == PS_BENCH_STREAM
               ? kind == PS_B_MEM && strcmp(row->class_name, "memory") == 0
               : FALSE;
}

/* A key of the launch (g_free). */
static char *key_of(const PsRawRow *row)
{
    const PsBenchLaunch *launch = &row->launch;
    const gint64 figures[] = {launch->groups, launch->group_size, launch->local_memory,
                              launch->warps,  launch->length,     launch->memory,
                              launch->step};
    GString *key = g_string_new(row->kernel);
    for (guint i = 0; i < G_N_ELEMENTS(figures); i++)
        g_string_append_printf(key, " %" G_GINT64_FORMAT, figures[i]);
    return g_string_free(key, FALSE);
}

/* Operations or bytes per second at the base clock; NaN: the sample does not tell. Cycles need no
 * conversion. */
static double rate_of(const PsRawRow *row, const PsGpu *gpu, PsPeakKind kind)
{
    const PsBenchLaunch *launch = &row->launch;
    const double work = row->operations * (double)launch->length * (double)launch->groups *
                        (double)launch->group_size;
    const double base = ps_rational_to_double(gpu->clock);
    const double scale = kind != PS_B_MEM && row->sample.mhz > 0 ? base / row->sample.mhz : 1;
    if (row->sample.seconds > 0)
        return work / row->sample.seconds * scale;
    return row->sample.cycles > 0 ? work / (row->sample.cycles / (base * 1e6)) : NAN;
}

/* Repeats of a launch may be apart in a resumed file. */
static void add_rate(GHashTable *launches, const PsRawRow *row, double rate)
{
    char *key = key_of(row);
    GArray *rates = g_hash_table_lookup(launches, key);
    if (!rates) {
        rates = g_array_new(FALSE, FALSE, sizeof(double));
        g_hash_table_insert(launches, key, rates);
    } else {
        g_free(key);
    }
    g_array_append_val(rates, rate);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(GArray *values)
{
    g_array_sort(values, by_size);
    const guint middle = values->len / 2;
    const double upper = g_array_index(values, double, middle);
    return values->len % 2 ? upper : (upper + g_array_index(values, double, middle - 1)) / 2;
}

/* The best median; 0: there is none. */
static double best_rate(const PsDescribe *describe, PsPeakKind kind)
{
    double best = 0;
    g_autoptr(GHashTable) launches =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, rates_free);
    for (guint i = 0; i < describe->raw->rows->len; i++) {
        const PsRawRow *row = describe->raw->rows->pdata[i];
        if (!is_of_peak(row, kind))
            continue;
        const double rate = rate_of(row, describe->gpu, kind);
        if (rate > 0 && isfinite(rate))
            add_rate(launches, row, rate);
    }
    GHashTableIter iter;
    void *rates;
    g_hash_table_iter_init(&iter, launches);
    while (g_hash_table_iter_next(&iter, NULL, &rates))
        best = MAX(best, median(rates));
    return best;
}

void ps_describe_peaks(PsDescribe *describe)
{
    gboolean any = FALSE;
    for (PsPeakKind kind = 0; kind < PS_N_PEAKS; kind++) {
        const double rate = best_rate(describe, kind) / 1e9;
        const PsEstimate estimate = {rate, NAN, NAN};
        const PsRational value = ps_describe_decimal(&estimate);
        if (!value.num)
            continue;
        PsPeak *peak = g_new0(PsPeak, 1);
        *peak = (PsPeak){.name = g_strdup(ps_peak_kind_name(kind)),
                         .value = value,
                         .datasheet = PS_RATIONAL_INT(0),
                         .source = g_strdup("peak-rates")};
        g_ptr_array_add(describe->gpu->peaks, peak);
        any = TRUE;
    }
    if (any)
        ps_describe_source(
            describe, "peak-rates", PS_SOURCE_MEASURED,
            g_strdup("The best rate that a launch sustained (median of its repeats), "
                     "brought to the base clock by the clock during the run; "
                     "bandwidth of device memory as it was."));
}
