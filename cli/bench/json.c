/* SPDX-License-Identifier: BSD-3-Clause */
/* See report.h. The report for programs. */
#include "cli/bench/report.h"
#include "pipesim-private.h"

#include <math.h>

static void put_number(PsJson *json, const char *key, double value)
{
    if (isfinite(value))
        ps_json_double(json, key, value);
    else
        ps_json_unknown(json, key);
}

static void put_text(PsJson *json, const char *key, const char *value)
{
    if (value)
        ps_json_text(json, key, value);
    else
        ps_json_unknown(json, key);
}

static void put_estimate(PsJson *json, const char *key, const PsEstimate *estimate)
{
    ps_json_open(json, key, '{', PS_JSON_LINE);
    put_number(json, "value", estimate->value);
    put_number(json, "low", estimate->low);
    put_number(json, "high", estimate->high);
    ps_json_close(json, '}');
}

static void put_device(PsJson *json, const PsDeviceInfo *info)
{
    ps_json_open(json, "device", '{', PS_JSON_LINE);
    put_text(json, "name", info->name);
    put_text(json, "backend", info->backend);
    put_text(json, "driver", info->driver);
    put_text(json, "architecture", info->architecture);
    ps_json_int(json, "compute_units", info->compute_units);
    ps_json_int(json, "warp_size", info->warp_size);
    ps_json_int(json, "schedulers", info->schedulers);
    ps_json_raw(json, "counter", info->counter ? "true" : "false");
    ps_json_close(json, '}');
}

static void put_fit(PsJson *json, const PsBenchFit *fit)
{
    static const char *const scopes[] = {[PS_PIPELINE_UNKNOWN] = NULL,
                                         [PS_PIPELINE_CU] = "cu",
                                         [PS_PIPELINE_SCHEDULER] = "scheduler"};
    ps_json_open(json, NULL, '{', PS_JSON_LINE);
    ps_json_text(json, "class", fit->class_name);
    put_estimate(json, "issue", &fit->fit.issue);
    put_estimate(json, "completion", &fit->fit.completion);
    put_text(json, "per", scopes[fit->fit.scope]);
    put_number(json, "goodness", fit->fit.goodness);
    ps_json_int(json, "points", fit->fit.n_points);
    ps_json_int(json, "outliers", fit->fit.n_outliers);
    ps_json_raw(json, "straight", fit->fit.straight ? "true" : "false");
    ps_json_close(json, '}');
}

static void put_figure(PsJson *json, const char *key, PsRational figure)
{
    put_number(json, key, figure.num > 0 ? ps_rational_to_double(figure) : NAN);
}

static void put_levels(PsJson *json, const GArray *levels)
{
    ps_json_open(json, "levels", '[', PS_JSON_LINES);
    for (guint i = 0; levels && i < levels->len; i++) {
        const PsMemoryLevel *level = &g_array_index(levels, PsMemoryLevel, i);
        ps_json_open(json, NULL, '{', PS_JSON_LINE);
        ps_json_text(json, "level", ps_level_name(level->level));
        put_number(json, "bytes", level->bytes > 0 ? (double)level->bytes : NAN);
        put_figure(json, "port", level->port);
        put_figure(json, "bandwidth", level->bandwidth);
        put_figure(json, "mixed", level->mixed);
        put_figure(json, "latency", level->latency);
        put_figure(json, "at_mhz", level->at);
        ps_json_close(json, '}');
    }
    ps_json_close(json, ']');
}

static void put_peaks(PsJson *json, const PsGpu *gpu)
{
    ps_json_open(json, "peaks", '{', PS_JSON_LINE);
    for (guint i = 0; i < gpu->peaks->len; i++) {
        const PsPeak *peak = gpu->peaks->pdata[i];
        g_autofree char *value = ps_format_rational(peak->value);
        ps_json_raw(json, peak->name, value);
    }
    ps_json_close(json, '}');
}

char *bench_report_json(const BenchReport *report)
{
    PsJson json = {.out = g_string_new(NULL)};
    ps_json_open(&json, NULL, '{', PS_JSON_LINES);
    ps_json_text(&json, "pipesim", PIPESIM_VERSION);
    put_device(&json, &report->raw->info);
    put_text(&json, "when", report->raw->when);
    put_text(&json, "measurements", report->raw->path);
    put_text(&json, "description", report->output);
    ps_json_open(&json, "classes", '[', PS_JSON_LINES);
    for (guint i = 0; i < report->result->fits->len; i++)
        put_fit(&json, &g_array_index(report->result->fits, PsBenchFit, i));
    ps_json_close(&json, ']');
    put_levels(&json, report->result->gpu->memory.levels);
    put_peaks(&json, report->result->gpu);
    ps_json_open(&json, "warnings", '[', PS_JSON_LINES);
    for (guint i = 0; i < report->warnings->len; i++)
        ps_json_text(&json, NULL, report->warnings->pdata[i]);
    ps_json_close(&json, ']');
    ps_json_close(&json, '}');
    g_string_append_c(json.out, '\n');
    return g_string_free(json.out, FALSE);
}
