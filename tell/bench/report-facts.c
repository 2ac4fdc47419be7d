/* SPDX-License-Identifier: BSD-3-Clause */
/* See report.h. The facts of the report. */
#include "tell/bench/report.h"

#include "base/level.h"

#include <math.h>

static void tell_estimate(const PsEstimate *estimate, PsGroupFact group, PsTold *facts)
{
    ps_tell_open(facts, group);
    ps_tell(facts, PS_FACT_ESTIMATE_VALUE, estimate->value);
    ps_tell(facts, PS_FACT_ESTIMATE_LOW, estimate->low);
    ps_tell(facts, PS_FACT_ESTIMATE_HIGH, estimate->high);
    ps_tell_close(facts);
}

static void tell_device(const PsDeviceInfo *info, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_BENCH_DEVICE);
    ps_tell(facts, PS_FACT_BENCH_DEVICE_NAME, info->name);
    ps_tell(facts, PS_FACT_BENCH_DEVICE_BACKEND, info->backend);
    ps_tell(facts, PS_FACT_BENCH_DEVICE_DRIVER, info->driver);
    ps_tell(facts, PS_FACT_BENCH_DEVICE_ARCHITECTURE, info->architecture);
    ps_tell(facts, PS_FACT_BENCH_DEVICE_COMPUTE_UNITS, info->compute_units);
    ps_tell(facts, PS_FACT_BENCH_DEVICE_WARP_SIZE, info->warp_size);
    ps_tell(facts, PS_FACT_BENCH_DEVICE_SCHEDULERS, info->schedulers);
    ps_tell(facts, PS_FACT_BENCH_DEVICE_COUNTER, info->counter);
    ps_tell_close(facts);
}

static void tell_fit(const PsBenchFit *fit, PsTold *facts)
{
    static const char *const scopes[] = {[PS_PIPELINE_UNKNOWN] = NULL,
                                         [PS_PIPELINE_CU] = "cu",
                                         [PS_PIPELINE_SCHEDULER] = "scheduler"};
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_BENCH_CLASSES_CLASS, fit->class_name);
    tell_estimate(&fit->fit.issue, PS_FACT_BENCH_CLASSES_ISSUE, facts);
    tell_estimate(&fit->fit.completion, PS_FACT_BENCH_CLASSES_COMPLETION, facts);
    ps_tell(facts, PS_FACT_BENCH_CLASSES_PER, scopes[fit->fit.scope]);
    ps_tell(facts, PS_FACT_BENCH_CLASSES_GOODNESS, fit->fit.goodness);
    ps_tell(facts, PS_FACT_BENCH_CLASSES_POINTS, fit->fit.n_points);
    ps_tell(facts, PS_FACT_BENCH_CLASSES_OUTLIERS, fit->fit.n_outliers);
    ps_tell(facts, PS_FACT_BENCH_CLASSES_STRAIGHT, fit->fit.straight);
    ps_tell_close(facts);
}

/* NaN for a figure that the description does not state, which is told as unknown. */
static double stated(PsRational figure)
{
    return figure.num > 0 ? ps_rational_to_double(figure) : NAN;
}

static void tell_levels(const GArray *levels, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_BENCH_LEVELS);
    for (guint i = 0; levels && i < levels->len; i++) {
        const PsMemoryLevel *level = &g_array_index(levels, PsMemoryLevel, i);
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_BENCH_LEVELS_LEVEL, ps_level_name(level->level));
        ps_tell(facts, PS_FACT_BENCH_LEVELS_BYTES, level->bytes > 0 ? (double)level->bytes : NAN);
        ps_tell(facts, PS_FACT_BENCH_LEVELS_PORT, stated(level->port));
        ps_tell(facts, PS_FACT_BENCH_LEVELS_BANDWIDTH, stated(level->bandwidth));
        ps_tell(facts, PS_FACT_BENCH_LEVELS_MIXED, stated(level->mixed));
        ps_tell(facts, PS_FACT_BENCH_LEVELS_LATENCY, stated(level->latency));
        ps_tell(facts, PS_FACT_BENCH_LEVELS_AT_MHZ, stated(level->at));
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

static void tell_peaks(const PsBenchReport *report, PsTold *facts)
{
    const GPtrArray *peaks = report->result->gpu->peaks;
    ps_tell_open(facts, PS_FACT_BENCH_PEAKS);
    for (guint i = 0; i < peaks->len; i++) {
        const PsPeak *peak = peaks->pdata[i];
        ps_tell_entry_exact(facts, peak->name, peak->value);
    }
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_BENCH_DATA_SHEET);
    for (guint i = 0; i < peaks->len; i++) {
        const PsPeak *peak = peaks->pdata[i];
        const PsRational sheet = ps_bench_data_sheet(report, peak);
        if (sheet.num > 0)
            ps_tell_entry_exact(facts, peak->name, sheet);
    }
    ps_tell_close(facts);
}

PsTold *ps_bench_report_told(const PsBenchReport *report)
{
    PsTold *facts = ps_told_new();
    ps_tell(facts, PS_FACT_BENCH_PIPESIM, PIPESIM_VERSION);
    tell_device(&report->raw->info, facts);
    ps_tell(facts, PS_FACT_BENCH_WHEN, report->raw->when);
    ps_tell(facts, PS_FACT_BENCH_SAMPLES, ps_bench_samples(report));
    ps_tell(facts, PS_FACT_BENCH_MEASUREMENTS, report->raw->path);
    ps_tell(facts, PS_FACT_BENCH_DESCRIPTION, report->output);
    ps_tell_open(facts, PS_FACT_BENCH_CLASSES);
    for (guint i = 0; i < report->result->fits->len; i++)
        tell_fit(&g_array_index(report->result->fits, PsBenchFit, i), facts);
    ps_tell_close(facts);
    tell_levels(report->result->gpu->memory.levels, facts);
    tell_peaks(report, facts);
    ps_tell_open(facts, PS_FACT_BENCH_WARNINGS);
    for (guint i = 0; i < report->warnings->len; i++)
        ps_tell_item_text(facts, report->warnings->pdata[i]);
    ps_tell_close(facts);
    return facts;
}
