/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From runs to the points of a boat hull: cycles per link of a chain are the slope between two
 * lengths of the same launch, so that the time before and after the loop drops out.
 */
#include "latency-bench/internal.h"
#include "latency-bench/raw/private.h"

#include <math.h>
#include <string.h>

/* The runs of one kernel and launch with any length, in one repeat. */
typedef struct {
    const PsRawRow *shortest, *longest;
} Pair;

static gboolean is_point(const PsRawRow *row, const char *class_name)
{
    return !row->problem && row->unroll > 0 && strcmp(row->class_name, class_name) == 0 &&
           ps_bench_has_chains(row->kind);
}

/* The columns that the runs of a pair have in common (g_free). */
static char *key_of(const PsRawRow *row)
{
    const PsBenchLaunch *launch = &row->launch;
    const gint64 figures[] = {
        launch->groups, launch->group_size, launch->local_memory, launch->warps,
        launch->memory, launch->step,       launch->repeat,
    };
    GString *key = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(figures); i++)
        g_string_append_printf(key, "%" G_GINT64_FORMAT ",", figures[i]);
    g_string_append(key, row->kernel);
    return g_string_free(key, FALSE);
}

static void add_run(GHashTable *by_key, GPtrArray *pairs, const PsRawRow *row)
{
    char *key = key_of(row);
    Pair *pair = g_hash_table_lookup(by_key, key);
    if (!pair) {
        pair = g_new(Pair, 1);
        *pair = (Pair){row, row};
        g_ptr_array_add(pairs, pair);
        g_hash_table_insert(by_key, key, pair);
        return;
    }
    g_free(key);
    if (row->launch.length < pair->shortest->launch.length)
        pair->shortest = row;
    if (row->launch.length > pair->longest->launch.length)
        pair->longest = row;
}

/* Seconds in cycles of the clock during the run, or of the device's stated clock. */
static double seconds_in_cycles(const PsRawRow *row, const PsDeviceInfo *info)
{
    double mhz = row->sample.mhz;
    if (isnan(mhz))
        mhz = ps_rational_to_double(info->clock.num > 0 ? info->clock : info->boost_clock);
    return mhz > 0 ? row->sample.seconds * mhz * 1e6 : NAN;
}

/* The slope of a pair; NaN where the run with more links did not take longer. */
static double slope(const Pair *pair, const PsDeviceInfo *info)
{
    const PsRawRow *a = pair->shortest, *b = pair->longest;
    const double links = (double)(b->launch.length - a->launch.length) * (double)MAX(1, a->unroll);
    double cycles = b->sample.cycles - a->sample.cycles;
    if (isnan(cycles))
        cycles = seconds_in_cycles(b, info) - seconds_in_cycles(a, info);
    return cycles > 0 && links > 0 ? cycles / links : NAN;
}

GArray *ps_raw_hull(const PsRaw *raw, const char *class_name)
{
    GArray *points = g_array_new(FALSE, FALSE, sizeof(PsHullPoint));
    g_autoptr(GPtrArray) pairs = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < raw->rows->len; i++) {
        const PsRawRow *row = raw->rows->pdata[i];
        if (is_point(row, class_name))
            add_run(by_key, pairs, row);
    }
    for (guint i = 0; i < pairs->len; i++) {
        const Pair *pair = pairs->pdata[i];
        const PsHullPoint point = {pair->shortest->launch.warps, pair->shortest->ilp,
                                   slope(pair, &raw->info)};
        if (pair->shortest != pair->longest)
            g_array_append_val(points, point);
    }
    return points;
}
