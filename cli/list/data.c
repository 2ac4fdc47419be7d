/* SPDX-License-Identifier: BSD-3-Clause */
/* The list for programs: JSON (docs/reference/pipesim.schema.json) and CSV. */
#include "cli/report/csv.h"
#include "cli/list/list.h"
#include "pipesim-private.h"

#include <math.h>

/* ---- JSON ---------------------------------------------------------------------------------- */

static void json_known(PsJson *json, const char *key, double value)
{
    if (isnan(value))
        ps_json_unknown(json, key);
    else
        ps_json_double(json, key, value);
}

static void json_name(PsJson *json, const char *path)
{
    g_autofree char *name = list_name(path);
    ps_json_text(json, "name", name);
    ps_json_text(json, "file", path);
}

static void json_stated(PsJson *json, const char *key, PsRational value)
{
    g_autofree char *text = ps_format_rational(value);
    if (value.num)
        ps_json_raw(json, key, text);
    else
        ps_json_unknown(json, key);
}

static void json_peaks(PsJson *json, const PsGpu *gpu)
{
    PsPeaks peaks;
    ps_peaks_resolve(gpu, PS_RATIONAL_INT(0), &peaks);
    ps_json_open(json, "peaks", '{', PS_JSON_LINE);
    for (guint kind = 0; kind < PS_N_PEAKS; kind++)
        if (!isnan(peaks.value[kind]))
            ps_json_double(json, ps_peak_kind_name((PsPeakKind)kind), peaks.value[kind] / 1e9);
    ps_json_close(json, '}');
}

static void json_level(PsJson *json, const PsGpu *gpu, const PsMemoryLevel *level)
{
    const PsSource *source = level->source ? ps_gpu_source(gpu, level->source) : NULL;
    ps_json_open(json, NULL, '{', PS_JSON_LINE);
    ps_json_text(json, "level", ps_level_name(level->level));
    json_stated(json, "bytes", PS_RATIONAL_INT(level->bytes));
    json_stated(json, "bytes_per_cycle", level->port);
    json_stated(json, "bandwidth", level->bandwidth);
    json_stated(json, "latency_cycles", level->latency);
    json_stated(json, "latency_mhz", level->at);
    ps_json_known_text(json, "source", source ? ps_source_kind_name(source->kind) : NULL);
    ps_json_close(json, '}');
}

static void json_levels(PsJson *json, const PsGpu *gpu)
{
    ps_json_open(json, "levels", '[', PS_JSON_LINES);
    for (guint i = 0; gpu->memory.levels && i < gpu->memory.levels->len; i++)
        json_level(json, gpu, &g_array_index(gpu->memory.levels, PsMemoryLevel, i));
    ps_json_close(json, ']');
}

static void json_gpu(PsJson *json, const PsGpu *gpu)
{
    const ListPeaks peaks = list_peaks(gpu);
    const PsProvenance counts = ps_gpu_provenance(gpu);
    g_autofree char *clock = ps_format_rational(ps_gpu_usual_clock(gpu));
    ps_json_open(json, NULL, '{', PS_JSON_LINES);
    json_name(json, gpu->path);
    ps_json_text(json, "gpu", gpu->name);
    ps_json_known_text(json, "vendor", gpu->vendor);
    ps_json_known_text(json, "architecture", gpu->architecture);
    ps_json_int(json, "compute_units", gpu->compute_units);
    ps_json_raw(json, "clock_mhz", clock);
    ps_json_known_text(json, "clock", ps_gpu_clock_name(gpu, ps_gpu_usual_clock(gpu)));
    json_stated(json, "base_clock_mhz", gpu->clock);
    json_stated(json, "boost_clock_mhz", gpu->boost_clock);
    json_stated(json, "device_memory_mib", PS_RATIONAL_INT(gpu->device_memory));
    ps_json_int(json, "warp_size", gpu->warp_size);
    json_known(json, "bandwidth", peaks.bandwidth);
    json_known(json, "gflops", peaks.gflops);
    json_peaks(json, gpu);
    json_levels(json, gpu);
    ps_json_open(json, "sources", '{', PS_JSON_LINE);
    for (guint kind = 0; kind < PS_N_SOURCE_KINDS; kind++)
        ps_json_int(json, ps_source_kind_name((PsSourceKind)kind), counts.of[kind]);
    ps_json_int(json, "none", counts.unsourced);
    ps_json_close(json, '}');
    ps_json_close(json, '}');
}

static void json_graph(PsJson *json, const PsIdg *idg)
{
    ps_json_open(json, NULL, '{', PS_JSON_LINES);
    json_name(json, idg->path);
    ps_json_text(json, "kernel", idg->name);
    ps_json_known_text(json, "title", idg->title);
    ps_json_close(json, '}');
}

static void json_warnings(PsJson *json, const GPtrArray *warnings)
{
    ps_json_open(json, "warnings", '[', PS_JSON_LINES);
    for (guint i = 0; i < warnings->len; i++)
        ps_json_text(json, NULL, warnings->pdata[i]);
    ps_json_close(json, ']');
}

char *list_json(const List *list)
{
    PsJson json = {.out = g_string_new(NULL)};
    ps_json_open(&json, NULL, '{', PS_JSON_LINES);
    ps_json_text(&json, "pipesim", PIPESIM_VERSION);
    if (list->gpus) {
        ps_json_open(&json, "gpus", '[', PS_JSON_LINES);
        for (guint i = 0; i < list->gpus->len; i++)
            json_gpu(&json, list->gpus->pdata[i]);
        ps_json_close(&json, ']');
    }
    if (list->graphs) {
        ps_json_open(&json, "graphs", '[', PS_JSON_LINES);
        for (guint i = 0; i < list->graphs->len; i++)
            json_graph(&json, list->graphs->pdata[i]);
        ps_json_close(&json, ']');
    }
    json_warnings(&json, list->warnings);
    ps_json_close(&json, '}');
    g_string_append_c(json.out, '\n');
    return g_string_free(json.out, FALSE);
}

/* ---- CSV ----------------------------------------------------------------------------------- */

static void csv_known(GString *out, double value)
{
    g_autofree char *text = isnan(value) ? g_strdup("") : ps_format_plain(value);
    csv_put(out, text);
}

static void csv_count(GString *out, gint64 value)
{
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, value);
    csv_put(out, text);
}

static void csv_name(GString *out, const char *path)
{
    g_autofree char *name = list_name(path);
    csv_put(out, name);
}

static void csv_gpu(GString *out, const PsGpu *gpu)
{
    const ListPeaks peaks = list_peaks(gpu);
    const PsProvenance counts = ps_gpu_provenance(gpu);
    g_autofree char *clock = ps_format_rational(ps_gpu_usual_clock(gpu));
    csv_name(out, gpu->path);
    csv_put(out, gpu->name);
    csv_put(out, gpu->vendor ? gpu->vendor : "");
    csv_put(out, gpu->architecture ? gpu->architecture : "");
    csv_count(out, gpu->compute_units);
    csv_put(out, clock);
    csv_known(out, peaks.bandwidth);
    csv_known(out, peaks.gflops);
    for (guint kind = 0; kind < PS_N_SOURCE_KINDS; kind++)
        csv_count(out, counts.of[kind]);
    csv_count(out, counts.unsourced);
    csv_put(out, gpu->path);
    g_string_append_c(out, '\n');
}

static void csv_gpus(GString *out, const GPtrArray *gpus)
{
    g_string_append(out, "name,gpu,vendor,architecture,compute_units,clock_mhz,bandwidth,gflops");
    for (guint kind = 0; kind < PS_N_SOURCE_KINDS; kind++)
        g_string_append_printf(out, ",source_%s", ps_source_kind_name((PsSourceKind)kind));
    g_string_append(out, ",source_none,file\n");
    for (guint i = 0; i < gpus->len; i++)
        csv_gpu(out, gpus->pdata[i]);
}

static void csv_graphs(GString *out, const GPtrArray *graphs)
{
    g_string_append(out, "name,kernel,title,file\n");
    for (guint i = 0; i < graphs->len; i++) {
        const PsIdg *idg = graphs->pdata[i];
        csv_name(out, idg->path);
        csv_put(out, idg->name);
        csv_put(out, idg->title ? idg->title : "");
        csv_put(out, idg->path);
        g_string_append_c(out, '\n');
    }
}

char *list_csv(const List *list)
{
    GString *out = g_string_new(NULL);
    if (list->gpus)
        csv_gpus(out, list->gpus);
    else
        csv_graphs(out, list->graphs);
    return g_string_free(out, FALSE);
}
