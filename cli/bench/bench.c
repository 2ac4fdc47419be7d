/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The verb bench: measures a device into a file (measure.h), or takes such a file. The library
 * makes a description of it and a report (tell/bench/report.h). The description always comes from
 * the file, so --from gives the same, byte for byte.
 */
#include "cli/bench/code.h"
#include "cli/bench/compiler.h"
#include "cli/bench/measure.h"
#include "cli/bench/precompile.h"
#include "cli/check.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/report/paper.h"
#include "cli/system/gnuplot.h"
#include "cli/system/output.h"
#include "cli/verbs.h"
#include "pipesim-private.h"

#include <string.h>

typedef struct {
    const Options *options;
    Gnuplot *gnuplot;
    char *output, *raw; /* paths of the description and of the measurements */
    GPtrArray *warnings;
} Bench;

static void bench_clear(Bench *bench)
{
    gnuplot_free(bench->gnuplot);
    g_free(bench->output);
    g_free(bench->raw);
    g_ptr_array_unref(bench->warnings);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Bench, bench_clear)

/* ---- names of files ------------------------------------------------------------------------ */

static gboolean is_stream(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* The path with another ending, in place of the first of these endings that it has (g_free). */
static char *change_ending(const char *path, const char *const *old, const char *ending)
{
    for (; *old; old++)
        if (g_str_has_suffix(path, *old) && strlen(path) > strlen(*old)) {
            g_autofree char *stem = g_strndup(path, strlen(path) - strlen(*old));
            return g_strconcat(stem, ending, NULL);
        }
    return g_strconcat(path, ending, NULL);
}

/* A file's name for a device: "NVIDIA H100 PCIe" becomes nvidia-h100-pcie.xml (g_free). */
static char *name_after(const char *device)
{
    g_autofree char *name = g_ascii_strdown(device ? device : "", -1);
    g_strcanon(name, G_CSET_a_2_z G_CSET_DIGITS, ' ');
    g_auto(GStrv) words = g_strsplit(g_strstrip(name), " ", 0);
    GString *out = g_string_new(NULL);
    for (guint i = 0; words[i]; i++)
        if (*words[i])
            g_string_append_printf(out, "%s%s", out->len ? "-" : "", words[i]);
    g_string_append(out, out->len ? ".xml" : "device.xml");
    return g_string_free(out, FALSE);
}

static gboolean choose_files(gpointer self, const char *device, GError **error)
{
    Bench *bench = self;
    static const char *const csv[] = {".raw.csv", ".csv", NULL}, *const xml[] = {".xml", NULL};
    const Options *options = bench->options;
    bench->output = options->output       ? g_strdup(options->output)
                    : options->bench.from ? change_ending(options->bench.from, csv, ".xml")
                                          : name_after(device);
    bench->raw = options->bench.from  ? g_strdup(options->bench.from)
                 : options->bench.raw ? g_strdup(options->bench.raw)
                                      : change_ending(bench->output, xml, ".raw.csv");
    return bench_check_output("--output", bench->output, bench->raw, error) &&
           bench_check_absent(&options->bench, bench->output, error);
}

/* ---- from measurements to what is written -------------------------------------------------- */

static void copy_warnings(Bench *bench, const GPtrArray *warnings)
{
    for (guint i = 0; i < warnings->len; i++)
        g_ptr_array_add(bench->warnings, g_strdup(warnings->pdata[i]));
}

static gboolean write_report(const Bench *bench, const PsRaw *raw, const PsBenchResult *result,
                             GError **error)
{
    const gboolean json = bench->options->format == FORMAT_JSON;
    g_autoptr(PsGpu) known = find_gpu_called(result->gpu->name);
    const PsBenchReport report = {raw, result, known, bench->output, bench->warnings, "--gpu"};
    for (guint i = 0; !json && i < bench->warnings->len; i++)
        warn(bench->warnings->pdata[i]);
    if (is_stream(bench->output))
        return TRUE;
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(PsTold) facts = ps_bench_report_told(&report);
    const PsPaper paper = paper_for(bench->options, out);
    if (json)
        ps_json_told_document(out, facts);
    else
        ps_bench_report_text(&report, facts, &paper);
    return output_write(NULL, out->str, error);
}

static gboolean draw(Bench *bench, const PsRaw *raw, const PsBenchResult *result, GError **error)
{
    if (!bench->gnuplot)
        return TRUE;
    double height;
    g_autofree char *script = ps_bench_chart_script(raw, result, &height);
    return gnuplot_draw(bench->gnuplot, "", script, height, error);
}

static gboolean describe(gpointer self, GError **error)
{
    Bench *bench = self;
    g_autoptr(PsRaw) raw = ps_raw_load(bench->raw, error);
    g_autoptr(PsBenchResult) result = raw ? ps_bench_describe(raw, error) : NULL;
    if (!result)
        return FALSE;
    if (raw->cut_off)
        g_ptr_array_add(bench->warnings,
                        g_strdup_printf("%s: the last row is cut off, and left out", bench->raw));
    copy_warnings(bench, result->warnings);
    g_autofree char *description = ps_gpu_write(result->gpu);
    return output_write(bench->output, description, error) && draw(bench, raw, result, error) &&
           write_report(bench, raw, result, error);
}

static void clear(gpointer self)
{
    bench_clear(self);
}

static gboolean check(const Options *options, GError **error)
{
    return !options->files ||
           usage_error(error,
                       "'%s': bench measures a device; --from RAW takes measurements from a file",
                       options->files[0]);
}

int bench_verb(const Options *options)
{
    g_autoptr(GError) error = NULL;
    if (!check(options, &error))
        return check_failed(error);
    if (options->bench.code)
        return bench_code(options);
    if (options->bench.compiler)
        return bench_compiler(options);
    if (options->bench.precompile)
        return bench_precompile(options);
    g_auto(Bench) bench = {.options = options};
    bench.warnings = g_ptr_array_new_with_free_func(g_free);
    if (options->chart && !(bench.gnuplot = gnuplot_open(options->chart, &error)))
        return fail(error);
    const BenchWork work = {.options = &options->bench,
                            .progress = options->progress,
                            .path = &bench.raw,
                            .self = &bench,
                            .choose = choose_files,
                            .use = describe,
                            .clear = clear};
    return bench_work(&work, &error);
}
