/* SPDX-License-Identifier: BSD-3-Clause */
/* See report.h. */
#include "cli/validate/report.h"

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

static void tell_point(const PsValidatedPoint *compared, PsTold *facts)
{
    const PsValidationPoint *point = compared->point;
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_VALIDATED_POINTS_KERNEL, point->kernel);
    ps_tell(facts, PS_FACT_VALIDATED_POINTS_GROUPS, point->launch.groups);
    ps_tell(facts, PS_FACT_VALIDATED_POINTS_GROUP_SIZE, point->launch.group_size);
    ps_tell(facts, PS_FACT_VALIDATED_POINTS_ACTIVE_GROUPS, compared->active);
    ps_tell(facts, PS_FACT_VALIDATED_POINTS_ACTIVE_WARPS, compared->warps);
    ps_tell(facts, PS_FACT_VALIDATED_POINTS_LENGTH, point->launch.length);
    ps_tell(facts, PS_FACT_VALIDATED_POINTS_STEP, point->launch.step);
    ps_tell(facts, PS_FACT_VALIDATED_POINTS_SAMPLES, point->samples);
    ps_tell(facts, PS_FACT_VALIDATED_POINTS_MHZ, compared->mhz);
    ps_tell(facts, PS_FACT_VALIDATED_POINTS_MEASURED_SECONDS, compared->measured);
    ps_tell(facts, PS_FACT_VALIDATED_POINTS_SPREAD, point->spread);
    ps_tell(facts, PS_FACT_VALIDATED_POINTS_SIMULATED_CYCLES, compared->cycles);
    ps_tell(facts, PS_FACT_VALIDATED_POINTS_SIMULATED_SECONDS, compared->simulated);
    ps_tell(facts, PS_FACT_VALIDATED_POINTS_SIMULATED_ERROR, compared->simulated_error);
    ps_tell(facts, PS_FACT_VALIDATED_POINTS_ROOFLINE_SECONDS, compared->roofline);
    ps_tell(facts, PS_FACT_VALIDATED_POINTS_ROOFLINE_ERROR, compared->roofline_error);
    ps_tell(facts, PS_FACT_VALIDATED_POINTS_FLOPS, compared->flops);
    ps_tell(facts, PS_FACT_VALIDATED_POINTS_BYTES, compared->bytes);
    ps_tell_close(facts);
}

static void tell_points(const PsValidated *comparison, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_VALIDATED_POINTS);
    for (guint i = 0; i < comparison->points->len; i++)
        tell_point(at(comparison, i), facts);
    ps_tell_close(facts);
}

static void tell_summary(const double *errors, guint n, PsGroupFact group, PsTold *facts)
{
    PsErrorSummary summary;
    ps_error_summary(errors, n, &summary);
    ps_tell_open(facts, group);
    ps_tell(facts, PS_FACT_ERROR_SUMMARY_MEAN, summary.mean);
    ps_tell(facts, PS_FACT_ERROR_SUMMARY_DEVIATION, summary.deviation);
    ps_tell(facts, PS_FACT_ERROR_SUMMARY_ABSOLUTE, summary.absolute);
    ps_tell(facts, PS_FACT_ERROR_SUMMARY_WORST, summary.worst);
    ps_tell_close(facts);
}

/* kernel: NULL for the points of all. */
static void tell_errors(const PsValidated *comparison, const char *kernel, guint first, guint end,
                        PsTold *facts)
{
    const guint n = end - first;
    g_autofree double *simulated = g_new(double, n), *roofline = g_new(double, n);
    for (guint i = 0; i < n; i++) {
        simulated[i] = at(comparison, first + i)->simulated_error;
        roofline[i] = at(comparison, first + i)->roofline_error;
    }
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_VALIDATED_ERRORS_KERNEL, kernel);
    ps_tell(facts, PS_FACT_VALIDATED_ERRORS_POINTS, (gint64)n);
    tell_summary(simulated, n, PS_FACT_VALIDATED_ERRORS_SIMULATED, facts);
    tell_summary(roofline, n, PS_FACT_VALIDATED_ERRORS_ROOFLINE, facts);
    ps_tell_close(facts);
}

char *validate_report_json(const ValidateReport *report)
{
    const PsValidated *comparison = report->comparison;
    const guint n = comparison->points->len;
    GString *out = g_string_new(NULL);
    g_autoptr(PsTold) facts = ps_told_new();
    ps_tell(facts, PS_FACT_VALIDATED_PIPESIM, PIPESIM_VERSION);
    ps_tell(facts, PS_FACT_VALIDATED_DEVICE, report->validation->raw->info.name);
    ps_tell(facts, PS_FACT_VALIDATED_GPU, report->gpu->name);
    ps_tell(facts, PS_FACT_VALIDATED_MHZ, comparison->mhz);
    ps_tell_open(facts, PS_FACT_VALIDATED_ERRORS);
    for (guint i = 0; i < n; i = validate_end_of_kernel(comparison, i))
        tell_errors(comparison, at(comparison, i)->point->kernel, i,
                    validate_end_of_kernel(comparison, i), facts);
    tell_errors(comparison, NULL, 0, n, facts);
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_VALIDATED_WARNINGS);
    for (guint i = 0; i < comparison->warnings->len; i++)
        ps_tell_item_text(facts, comparison->warnings->pdata[i]);
    ps_tell_close(facts);
    tell_points(comparison, facts);
    ps_json_told_document(out, facts);
    return g_string_free(out, FALSE);
}

char *validate_report_csv(const ValidateReport *report)
{
    GString *out = g_string_new(NULL);
    g_autoptr(PsTold) facts = ps_told_new();
    tell_points(report->comparison, facts);
    ps_csv_told(out, PS_VIEW_VALIDATE, facts);
    return g_string_free(out, FALSE);
}
