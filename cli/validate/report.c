/* SPDX-License-Identifier: BSD-3-Clause */
/* See report.h. */
#include "cli/validate/report.h"

#include "cli/report/csv.h"
#include "pipesim-private.h"

#include <math.h>
#include <string.h>

/* Clocks that are further apart, as a share, are not the same. */
#define OTHER_CLOCK 0.02

static const PsValidatedPoint *at(const PsValidated *comparison, guint i)
{
    return &g_array_index(comparison->points, PsValidatedPoint, i);
}

guint validate_end_of_kernel(const PsValidated *comparison, guint first)
{
    guint end = first + 1;
    while (end < comparison->points->len &&
           strcmp(at(comparison, end)->point->kernel, at(comparison, first)->point->kernel) == 0)
        end++;
    return end;
}

/* ---- errors -------------------------------------------------------------------------------- */

static void put_percent(GString *out, double share, gboolean sign)
{
    if (isnan(share))
        g_string_append(out, " - |");
    else
        g_string_append_printf(out, sign ? " %+.1f |" : " %.1f |", 100 * share);
}

static void put_summary(GString *out, const double *errors, guint n)
{
    PsErrorSummary summary;
    ps_error_summary(errors, n, &summary);
    put_percent(out, summary.mean, TRUE);
    put_percent(out, summary.deviation, FALSE);
    put_percent(out, summary.absolute, FALSE);
    put_percent(out, summary.worst, TRUE);
}

/* A row of the table for the points from first to before end. */
static void put_errors(GString *out, const PsValidated *comparison, const char *name, guint first,
                       guint end)
{
    const guint n = end - first;
    g_autofree double *simulated = g_new(double, n), *roofline = g_new(double, n);
    for (guint i = 0; i < n; i++) {
        simulated[i] = at(comparison, first + i)->simulated_error;
        roofline[i] = at(comparison, first + i)->roofline_error;
    }
    g_string_append_printf(out, "| %s | %u |", name, n);
    put_summary(out, simulated, n);
    put_summary(out, roofline, n);
    g_string_append_c(out, '\n');
}

static void put_error_table(GString *out, const PsValidated *comparison)
{
    guint kernels = 0;
    g_string_append(
        out, "\n## Errors\n\n"
             "In per cent: (predicted - measured) / measured. Below zero is too fast. Mean, "
             "standard deviation\n(of the sample), mean of the absolute values, and the largest, "
             "for the simulator and the roofline.\n\n"
             "| kernel | points | sim. mean | s. d. | absolute | worst | roofline mean | s. d. | "
             "absolute | worst |\n"
             "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (guint i = 0; i < comparison->points->len; i = validate_end_of_kernel(comparison, i)) {
        put_errors(out, comparison, at(comparison, i)->point->kernel, i,
                   validate_end_of_kernel(comparison, i));
        kernels++;
    }
    if (kernels > 1)
        put_errors(out, comparison, "all points", 0, comparison->points->len);
}

/* ---- points -------------------------------------------------------------------------------- */

static void put_time(GString *out, double seconds)
{
    g_autofree char *text = ps_format_time(seconds);
    g_string_append_printf(out, " %s |", isnan(seconds) ? "-" : text);
}

static void put_point(GString *out, const PsValidatedPoint *compared)
{
    const PsBenchLaunch *launch = &compared->point->launch;
    g_string_append_printf(out,
                           "| %" G_GINT64_FORMAT " | %" G_GINT64_FORMAT " | %" G_GINT64_FORMAT
                           " | %" G_GINT64_FORMAT " | %" G_GINT64_FORMAT " |",
                           compared->warps, compared->active, launch->groups, launch->group_size,
                           launch->length);
    put_time(out, compared->measured);
    put_percent(out, compared->point->spread, FALSE);
    put_time(out, compared->simulated);
    put_percent(out, compared->simulated_error, TRUE);
    put_time(out, compared->roofline);
    put_percent(out, compared->roofline_error, TRUE);
    g_string_append_c(out, '\n');
}

static void put_points(GString *out, const PsValidated *comparison)
{
    g_string_append(out, "\n## Points\n\n"
                         "Active warps and groups are those of a compute unit. The spread of the "
                         "samples, largest less smallest, is\nin per cent of their median.\n");
    for (guint i = 0; i < comparison->points->len;) {
        const guint end = validate_end_of_kernel(comparison, i);
        g_string_append_printf(out,
                               "\n### %s\n\n"
                               "| warps | active | groups | size | trips | measured | spread | "
                               "simulated | error | roofline | error |\n"
                               "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
                               at(comparison, i)->point->kernel);
        for (; i < end; i++)
            put_point(out, at(comparison, i));
    }
}

/* ---- what it is about ---------------------------------------------------------------------- */

static void put_clock(GString *out, const PsValidated *comparison, const PsGpu *gpu)
{
    const double stated = ps_rational_to_double(ps_gpu_usual_clock(gpu));
    if (isnan(comparison->mhz)) {
        g_string_append_printf(out,
                               "- Clock: not measured; predictions are for the description's, "
                               "%.10g MHz\n",
                               stated);
        return;
    }
    g_string_append_printf(out,
                           "- Clock: predictions are for the one at which a kernel ran, where that "
                           "is known, else for the median of\n  these, %.0f MHz%s\n",
                           comparison->mhz,
                           fabs(comparison->mhz / stated - 1) > OTHER_CLOCK
                               ? "; the description states another one"
                               : "");
}

static void put_head(GString *out, const ValidateReport *report)
{
    const PsRaw *raw = report->validation->raw;
    const PsDeviceInfo *info = &raw->info;
    g_autofree char *name = ps_text_clean(info->name);
    g_string_append_printf(out,
                           "# %s: measured, simulated, roofline\n\n"
                           "- Measurements: %s%s%s; %s%s%s, %" G_GINT64_FORMAT " compute units\n"
                           "- Description: %s, of %s\n",
                           name, raw->path, raw->when ? ", " : "", raw->when ? raw->when : "",
                           info->backend, info->driver ? ", " : "",
                           info->driver ? info->driver : "", info->compute_units,
                           report->gpu->path ? report->gpu->path : "-", report->gpu->name);
    put_clock(out, report->comparison, report->gpu);
    g_string_append(out, "- Nothing was fitted to these times.\n");
    if (strcmp(info->backend, "model") == 0)
        g_string_append(out, "- The device is a model: these are errors of the method, and say "
                             "nothing of a GPU.\n");
    if (report->chart)
        g_string_append_printf(out, "\n![performance over active warps](%s)\n", report->chart);
}

static void put_warnings(GString *out, const PsValidated *comparison)
{
    if (comparison->warnings->len == 0)
        return;
    g_string_append(out, "\n## What predictions rely on, and what was left out\n\n");
    for (guint i = 0; i < comparison->warnings->len; i++)
        g_string_append_printf(out, "- %s\n", (const char *)comparison->warnings->pdata[i]);
}

char *validate_report_text(const ValidateReport *report)
{
    GString *out = g_string_new(NULL);
    put_head(out, report);
    put_error_table(out, report->comparison);
    put_warnings(out, report->comparison);
    put_points(out, report->comparison);
    return g_string_free(out, FALSE);
}

/* ---- for programs -------------------------------------------------------------------------- */

static void put_exact(GString *out, double x)
{
    g_autofree char *text = ps_format_exact(x);
    g_string_append_printf(out, ",%s", isnan(x) ? "" : text);
}

static void put_row(GString *out, const PsValidatedPoint *compared)
{
    const PsValidationPoint *point = compared->point;
    const gint64 figures[] = {point->launch.groups, point->launch.group_size, compared->active,
                              compared->warps,      point->launch.length,     point->launch.step,
                              point->samples};
    g_autofree char *cycles = ps_format_rational(compared->cycles);
    csv_put(out, point->kernel);
    for (guint i = 0; i < G_N_ELEMENTS(figures); i++)
        g_string_append_printf(out, ",%" G_GINT64_FORMAT, figures[i]);
    put_exact(out, compared->mhz);
    put_exact(out, compared->measured);
    put_exact(out, point->spread);
    g_string_append_printf(out, ",%s", cycles);
    put_exact(out, compared->simulated);
    put_exact(out, compared->simulated_error);
    put_exact(out, compared->roofline);
    put_exact(out, compared->roofline_error);
    put_exact(out, compared->flops);
    put_exact(out, compared->bytes);
    g_string_append_c(out, '\n');
}

char *validate_report_csv(const ValidateReport *report)
{
    GString *out =
        g_string_new("kernel,groups,group_size,active_groups,active_warps,length,step,samples,mhz,"
                     "measured_seconds,spread,simulated_cycles,simulated_seconds,simulated_error,"
                     "roofline_seconds,roofline_error,flops,bytes\n");
    for (guint i = 0; i < report->comparison->points->len; i++)
        put_row(out, at(report->comparison, i));
    return g_string_free(out, FALSE);
}
