/* SPDX-License-Identifier: BSD-3-Clause */
/* See validated.h. */
#include "tell/validated.h"

#include "tell/format.h"

#include <math.h>
#include <string.h>

/* Relative difference of clocks above which they are different. */
#define OTHER_CLOCK 0.02

/* ---- facts --------------------------------------------------------------------------------- */

static const PsValidatedPoint *at(const PsValidated *comparison, guint i)
{
    return &g_array_index(comparison->points, PsValidatedPoint, i);
}

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

PsTold *ps_validated_told(const PsValidatedReport *report)
{
    const PsValidated *comparison = report->comparison;
    const guint n = comparison->points->len;
    PsTold *facts = ps_told_new();
    ps_tell(facts, PS_FACT_VALIDATED_PIPESIM, PIPESIM_VERSION);
    ps_tell(facts, PS_FACT_VALIDATED_DEVICE, report->validation->raw->info.name);
    ps_tell(facts, PS_FACT_VALIDATED_GPU, report->gpu->name);
    ps_tell(facts, PS_FACT_VALIDATED_MHZ, comparison->mhz);
    ps_tell_open(facts, PS_FACT_VALIDATED_ERRORS);
    for (guint i = 0, end; i < n; i = end) {
        end = ps_validated_end_of_kernel(comparison, i);
        tell_errors(comparison, at(comparison, i)->point->kernel, i, end, facts);
    }
    tell_errors(comparison, NULL, 0, n, facts);
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_VALIDATED_WARNINGS);
    for (guint i = 0; i < comparison->warnings->len; i++)
        ps_tell_item_text(facts, comparison->warnings->pdata[i]);
    ps_tell_close(facts);
    tell_points(comparison, facts);
    return facts;
}

/* ---- the page ------------------------------------------------------------------------------ */

static char *describe_clock(const PsValidated *comparison, const PsGpu *gpu)
{
    const double stated = ps_rational_to_double(ps_gpu_usual_clock(gpu));
    const gboolean is_other = fabs(comparison->mhz / stated - 1) > OTHER_CLOCK;
    return isnan(comparison->mhz)
               ? g_strdup_printf("not measured; predictions are for the description's, %.10g MHz",
                                 stated)
               : g_strdup_printf("predictions are for the one at which a kernel ran, where that is "
                                 "known, else for the median of these, %.0f MHz%s",
                                 comparison->mhz,
                                 is_other ? "; the description states another one" : "");
}

static char *describe_measurements(const PsRaw *raw)
{
    const PsDeviceInfo *info = &raw->info;
    return g_strdup_printf("%s%s%s; %s%s%s, %" G_GINT64_FORMAT " compute units", raw->path,
                           raw->when ? ", " : "", raw->when ? raw->when : "", info->backend,
                           info->driver ? ", " : "", info->driver ? info->driver : "",
                           info->compute_units);
}

static void put_head(const PsValidatedReport *report, const PsPaper *paper)
{
    const PsRaw *raw = report->validation->raw;
    const PsGpu *gpu = report->gpu;
    g_autofree char *name = ps_text_clean(raw->info.name), *measured = describe_measurements(raw),
                    *described =
                        g_strdup_printf("%s, of %s", gpu->path ? gpu->path : "-", gpu->name),
                    *clock = describe_clock(report->comparison, gpu);
    ps_paper_title(paper, name, ": measured, simulated, roofline");
    ps_paper_text(paper, "Measurements  ", measured);
    ps_paper_text(paper, "Description   ", described);
    ps_paper_text(paper, "Clock         ", clock);
    ps_paper_text(paper, "- ", "Nothing was fitted to these times.");
    if (strcmp(raw->info.backend, "model") == 0)
        ps_paper_text(paper, "- ",
                      "The device is a model: these are errors of the method, and say nothing of a "
                      "GPU.");
}

void ps_validated_page(const PsValidatedReport *report, const PsTold *facts, const PsPaper *paper)
{
    const GPtrArray *warnings = report->comparison->warnings;
    put_head(report, paper);
    if (report->chart)
        g_string_append_printf(paper->out, "\n![performance over active warps](%s)\n",
                               report->chart);
    ps_paper_view(paper, PS_VIEW_VALIDATE_ERRORS, facts, NULL, NULL);
    ps_paper_text(paper, "",
                  "Errors are (predicted - measured) / measured: below zero is too fast. The "
                  "standard deviation is that of the sample, absolute the mean of the absolute "
                  "values, worst the largest of them.");
    if (warnings->len)
        ps_paper_heading(paper, "What predictions rely on, and what was left out");
    for (guint i = 0; i < warnings->len; i++)
        ps_paper_text(paper, "- ", warnings->pdata[i]);
    ps_paper_view(paper, PS_VIEW_VALIDATE_POINTS, facts, NULL, NULL);
    ps_paper_text(paper, "",
                  "Active warps and groups are those of a compute unit. The spread is the largest "
                  "sample less the smallest, as a share of their median.");
}
