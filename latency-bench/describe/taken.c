/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times of the launches for levels, atomics and launches: the median of their repeats, and, from
 * two launches that differ in length alone, the time of a trip without start and end.
 */
#include "latency-bench/describe/describe.h"

#include <math.h>
#include <string.h>

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(GArray *values)
{
    g_array_sort(values, by_size);
    const guint n = values->len;
    if (n == 0)
        return NAN;
    return (g_array_index(values, double, (n - 1) / 2) + g_array_index(values, double, n / 2)) / 2;
}

/* TRUE if both rows are of the same launch, whatever the repeat, and (any) whatever the length. */
static gboolean is_same(const PsRawRow *a, const PsRawRow *b, gboolean any)
{
    return a->launch.groups == b->launch.groups && a->launch.group_size == b->launch.group_size &&
           a->launch.local_memory == b->launch.local_memory && a->launch.warps == b->launch.warps &&
           a->launch.memory == b->launch.memory && a->launch.step == b->launch.step &&
           (any || a->launch.length == b->launch.length);
}

static gboolean is_of(const PsRawRow *row, const char *class_name)
{
    return row->kind == PS_BENCH_LEVEL && !row->problem && strcmp(row->class_name, class_name) == 0;
}

/* The median of one of the samples' figures; NaN: no repeat has it. */
static double median_of(const PsDescribe *describe, const PsRawRow *of, gsize figure)
{
    g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < describe->raw->rows->len; i++) {
        const PsRawRow *row = describe->raw->rows->pdata[i];
        if (!is_of(row, of->class_name) || !is_same(row, of, FALSE))
            continue;
        const double value = *(const double *)(const void *)((const char *)&row->sample + figure);
        if (value > 0)
            g_array_append_val(values, value);
    }
    return median(values);
}

static gboolean is_known(const GArray *taken, const PsRawRow *row)
{
    for (guint i = 0; i < taken->len; i++)
        if (is_same(g_array_index(taken, PsTaken, i).row, row, FALSE))
            return TRUE;
    return FALSE;
}

static int by_buffer(const void *a, const void *b)
{
    const PsRawRow *x = ((const PsTaken *)a)->row, *y = ((const PsTaken *)b)->row;
    return (x->launch.memory > y->launch.memory) - (x->launch.memory < y->launch.memory);
}

GArray *ps_describe_taken(const PsDescribe *describe, const char *class_name)
{
    GArray *taken = g_array_new(FALSE, FALSE, sizeof(PsTaken));
    for (guint i = 0; i < describe->raw->rows->len; i++) {
        const PsRawRow *row = describe->raw->rows->pdata[i];
        if (!is_of(row, class_name) || is_known(taken, row))
            continue;
        PsTaken one = {row, median_of(describe, row, G_STRUCT_OFFSET(PsBenchSample, cycles)),
                       median_of(describe, row, G_STRUCT_OFFSET(PsBenchSample, seconds))};
        if (isnan(one.cycles))
            one.cycles = one.seconds * describe->clock * 1e6;
        g_array_append_val(taken, one);
    }
    g_array_sort(taken, by_buffer);
    return taken;
}

/* The time of each further trip; FALSE if a longer run took no longer. */
static gboolean take_off(const PsTaken *a, const PsTaken *b, PsTaken *trip)
{
    const double trips = (double)(b->row->launch.length - a->row->launch.length);
    *trip = (PsTaken){a->row, (b->cycles - a->cycles) / trips, (b->seconds - a->seconds) / trips};
    return trips > 0 && trip->cycles > 0 && trip->seconds > 0;
}

GArray *ps_describe_trips(const PsDescribe *describe, const char *class_name)
{
    g_autoptr(GArray) taken = ps_describe_taken(describe, class_name);
    GArray *trips = g_array_new(FALSE, FALSE, sizeof(PsTaken));
    for (guint i = 0; i < taken->len; i++)
        for (guint j = 0; j < taken->len; j++) {
            const PsTaken *a = &g_array_index(taken, PsTaken, i),
                          *b = &g_array_index(taken, PsTaken, j);
            PsTaken trip;
            if (is_same(a->row, b->row, TRUE) && take_off(a, b, &trip))
                g_array_append_val(trips, trip);
        }
    return trips;
}

PsTaken *ps_describe_trip(const PsDescribe *describe, const char *class_name)
{
    g_autoptr(GArray) trips = ps_describe_trips(describe, class_name);
    return trips->len ? g_memdup2(trips->data, sizeof(PsTaken)) : NULL;
}
