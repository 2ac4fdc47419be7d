/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From raw files to points that can be simulated: runs of equal launches become one, with their
 * median.
 */
#include "latency-bench/raw/private.h"
#include "latency-bench/validate/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void warn(const PsValidation *validation, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void warn(const PsValidation *validation, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_ptr_array_add(validation->warnings, g_strdup_vprintf(format, arguments));
    va_end(arguments);
}

static void clear_point(void *data)
{
    g_free(((PsValidationPoint *)data)->kernel);
}

void ps_validation_free(PsValidation *validation)
{
    if (!validation)
        return;
    ps_raw_free(validation->raw);
    g_ptr_array_unref(validation->kernels);
    g_array_unref(validation->points);
    g_ptr_array_unref(validation->warnings);
    g_free(validation);
}

/* All kernels: whole ones first, then micro-benchmarks. */
static GPtrArray *all_kernels(void)
{
    GPtrArray *kernels = ps_validation_kernels();
    g_autoptr(GPtrArray) micro = ps_bench_kernels();
    for (guint i = 0; i < micro->len; i++)
        g_ptr_array_add(kernels, g_steal_pointer(&micro->pdata[i]));
    return kernels;
}

static PsValidation *validation_new(PsRaw *raw)
{
    PsValidation *validation = g_new0(PsValidation, 1);
    validation->raw = raw;
    validation->kernels = all_kernels();
    validation->points = g_array_new(FALSE, FALSE, sizeof(PsValidationPoint));
    g_array_set_clear_func(validation->points, clear_point);
    validation->warnings = g_ptr_array_new_with_free_func(g_free);
    return validation;
}

/* The kernel with the graph for a row of that name, which may be followed by a slash and the name
 * of another program; or NULL. */
static const PsBenchKernel *find_kernel(const PsValidation *validation, const char *name)
{
    const gsize length = strcspn(name, "/");
    for (guint i = 0; i < validation->kernels->len; i++) {
        const PsBenchKernel *kernel = validation->kernels->pdata[i];
        if (strncmp(kernel->name, name, length) == 0 && !kernel->name[length])
            return kernel;
    }
    return NULL;
}

PsScope *ps_validation_params(const PsValidationPoint *point)
{
    const struct {
        const char *name;
        gint64 value;
    } figures[] = {{"length", point->launch.length},
                   {"step", point->launch.step},
                   {"memory", point->launch.memory}};
    PsScope *scope = ps_scope_new();
    const GPtrArray *params = point->of->graph->params;
    for (guint i = 0; i < params->len; i++)
        for (guint j = 0; j < G_N_ELEMENTS(figures); j++)
            if (strcmp(((const PsIdgParam *)params->pdata[i])->name, figures[j].name) == 0)
                ps_scope_set(scope, figures[j].name, PS_RATIONAL_INT(figures[j].value));
    return scope;
}

/* ---- runs of one launch -------------------------------------------------------------------- */

typedef struct {
    const PsRawRow *first;
    const PsBenchKernel *of;
    GArray *seconds, *cycles, *mhz; /* double */
} Runs;

static Runs *runs_new(const PsBenchKernel *of, const PsRawRow *first)
{
    Runs *runs = g_new0(Runs, 1);
    runs->first = first;
    runs->of = of;
    runs->seconds = g_array_new(FALSE, FALSE, sizeof(double));
    runs->cycles = g_array_new(FALSE, FALSE, sizeof(double));
    runs->mhz = g_array_new(FALSE, FALSE, sizeof(double));
    return runs;
}

static void runs_free(void *data)
{
    Runs *runs = data;
    g_array_unref(runs->seconds);
    g_array_unref(runs->cycles);
    g_array_unref(runs->mhz);
    g_free(runs);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median; NaN where there are no values. Sorts the array. */
static double median(GArray *values)
{
    const guint n = values->len;
    if (n == 0)
        return NAN;
    g_array_sort(values, by_value);
    return (g_array_index(values, double, n / 2) + g_array_index(values, double, (n - 1) / 2)) / 2;
}

static void add_sample(GArray *values, double value)
{
    if (isfinite(value) && value > 0)
        g_array_append_val(values, value);
}

/* Makes a point. For micro-benchmarks it has cycles, from the first start to the last end of a CU's
 * warps. */
static void make_point(PsValidation *validation, const Runs *runs)
{
    const gboolean micro = runs->first->kind != PS_BENCH_WHOLE;
    GArray *figures = micro ? runs->cycles : runs->seconds;
    if (figures->len == 0)
        return;
    PsValidationPoint point = {.kernel = g_strdup(runs->first->kernel),
                               .of = runs->of,
                               .launch = runs->first->launch,
                               .samples = figures->len,
                               .seconds = micro ? NAN : median(figures),
                               .cycles = micro ? median(figures) : NAN,
                               .mhz = median(runs->mhz)};
    point.launch.repeat = 0;
    point.spread =
        (g_array_index(figures, double, figures->len - 1) - g_array_index(figures, double, 0)) /
        median(figures);
    g_array_append_val(validation->points, point);
}

/* Gathers the rows of each kernel, in the order of the file. */
static GPtrArray *gather(const PsValidation *validation)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(runs_free);
    g_autoptr(GHashTable) index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < validation->raw->rows->len; i++) {
        const PsRawRow *row = validation->raw->rows->pdata[i];
        const PsBenchLaunch *l = &row->launch;
        const PsBenchKernel *of = find_kernel(validation, row->kernel);
        /* benchmarks of levels give figures of a description that no simulation shows */
        if (row->problem || !of || !of->graph || of->kind == PS_BENCH_LEVEL)
            continue;
        g_autofree char *key = g_strdup_printf(
            "%s,%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
            ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT,
            row->kernel, l->groups, l->group_size, l->local_memory, l->warps, l->length, l->memory,
            l->step);
        Runs *runs = g_hash_table_lookup(index, key);
        if (!runs) {
            g_ptr_array_add(all, runs = runs_new(of, row));
            g_hash_table_insert(index, g_steal_pointer(&key), runs);
        }
        add_sample(runs->seconds, row->sample.seconds);
        add_sample(runs->cycles, row->sample.cycles);
        add_sample(runs->mhz, row->sample.mhz);
    }
    return all;
}

static void make_points(PsValidation *validation)
{
    g_autoptr(GPtrArray) all = gather(validation);
    for (guint k = 0; k < validation->kernels->len; k++)
        for (guint i = 0; i < all->len; i++) {
            const Runs *runs = all->pdata[i];
            if (runs->of == validation->kernels->pdata[k])
                make_point(validation, runs);
        }
}

/* ---- what was left out --------------------------------------------------------------------- */

/* Warns of each kernel once, with the first reason. */
static void warn_of_problems(const PsValidation *validation)
{
    const GPtrArray *rows = validation->raw->rows;
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < rows->len; i++) {
        const PsRawRow *row = rows->pdata[i];
        if (!row->problem || !g_hash_table_add(seen, row->kernel))
            continue;
        guint points = 0;
        for (guint j = i; j < rows->len; j++) {
            const PsRawRow *other = rows->pdata[j];
            points += other->problem && strcmp(other->kernel, row->kernel) == 0;
        }
        if (row->launch.groups == 0)
            warn(validation, "%s is left out: %s", row->kernel, row->problem);
        else
            warn(validation, "%s: %u launch%s left out: %s", row->kernel, points,
                 points == 1 ? " is" : "es are", row->problem);
    }
}

PsValidation *ps_validation_load(const char *path, GError **error)
{
    PsRaw *raw = ps_raw_load(path, error);
    if (!raw)
        return NULL;
    g_autoptr(PsValidation) validation = validation_new(raw);
    make_points(validation);
    warn_of_problems(validation);
    if (raw->cut_off)
        warn(validation, "%s: the last row is cut off, and left out", path);
    if (validation->points->len)
        return g_steal_pointer(&validation);
    ps_error_at(error, PS_ERROR_VALUE, (PsPlace){path, 0},
                "there is nothing in it to compare: no time of a kernel that has a graph%s%s",
                validation->warnings->len ? "; " : "",
                validation->warnings->len ? (const char *)validation->warnings->pdata[0] : "");
    return NULL;
}

/* ---- errors -------------------------------------------------------------------------------- */

void ps_error_summary(const double *errors, guint n, PsErrorSummary *summary)
{
    double sum = 0, absolute = 0, squares = 0;
    *summary = (PsErrorSummary){0, NAN, NAN, NAN, NAN};
    for (guint i = 0; i < n; i++) {
        if (isnan(errors[i]))
            continue;
        summary->points++;
        sum += errors[i];
        absolute += fabs(errors[i]);
        if (!(fabs(errors[i]) <= fabs(summary->worst)))
            summary->worst = errors[i];
    }
    if (summary->points == 0)
        return;
    summary->mean = sum / summary->points;
    summary->absolute = absolute / summary->points;
    for (guint i = 0; i < n; i++)
        if (!isnan(errors[i]))
            squares += (errors[i] - summary->mean) * (errors[i] - summary->mean);
    if (summary->points > 1)
        summary->deviation = sqrt(squares / (summary->points - 1));
}
