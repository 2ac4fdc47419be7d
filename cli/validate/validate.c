/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The verb validate: compares a description with whole kernels. It measures them into a file, or
 * takes such a file; it always compares what the file holds.
 */
#include "cli/bench/measure.h"
#include "cli/check.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/system/gnuplot.h"
#include "cli/system/output.h"
#include "cli/validate/recording.h"
#include "cli/verbs.h"
#include "pipesim-private.h"

#include <string.h>

typedef struct {
    const Options *options;
    Gnuplot *gnuplot;
    PsGpu *gpu;
    char *raw; /* path of the measurements */
} Validate;

static void validate_clear(Validate *validate)
{
    gnuplot_free(validate->gnuplot);
    ps_gpu_free(validate->gpu);
    g_free(validate->raw);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Validate, validate_clear)

/* The path beside the report: REPORT.md and REPORT.validate.raw.csv, since bench's measurements of
 * the same GPU may be REPORT.raw.csv (g_free). */
static char *raw_beside(const char *report)
{
    g_autofree char *stem = g_str_has_suffix(report, ".md")
                                ? g_strndup(report, strlen(report) - strlen(".md"))
                                : g_strdup(report);
    return g_strconcat(stem, ".validate.raw.csv", NULL);
}

/* ---- what is written ----------------------------------------------------------------------- */

static gboolean draw(const Validate *validate, const PsValidated *comparison, gboolean *drawn,
                     GError **error)
{
    double height;
    *drawn = FALSE;
    if (!validate->gnuplot)
        return TRUE;
    g_autofree char *title =
        g_strdup_printf("%s: performance over active warps of a compute unit", validate->gpu->name);
    g_autofree char *script = ps_validated_chart_script(comparison, title, &height);
    if (!script) {
        warn("there is no chart: no kernel was run at two occupancies");
        return TRUE;
    }
    *drawn = gnuplot_draw(validate->gnuplot, "", script, height, error);
    return *drawn;
}

static gboolean write_all(const Validate *validate, const PsValidation *validation,
                          const PsValidated *comparison, GError **error)
{
    const Options *options = validate->options;
    gboolean drawn;
    if (!draw(validate, comparison, &drawn, error))
        return FALSE;
    g_autofree char *chart = drawn ? g_path_get_basename(options->chart) : NULL;
    const PsValidatedReport report = {validation, comparison, validate->gpu, chart};
    g_autoptr(PsTold) facts = ps_validated_told(&report);
    g_autoptr(GString) csv = g_string_new(NULL), text = g_string_new(NULL);
    ps_csv_told(csv, PS_VIEW_VALIDATE, facts);
    if (options->format == FORMAT_JSON)
        ps_json_told_document(text, facts);
    else
        ps_validated_page(&report, facts, &(PsPaper){text, PS_PAPER_MARKDOWN, FALSE});
    return (!options->given[OPTION_POINTS].text ||
            output_write(options->given[OPTION_POINTS].text, csv->str, error)) &&
           output_write(options->output, options->format == FORMAT_CSV ? csv->str : text->str,
                        error);
}

/* Times of another GPU say nothing about errors. */
static void warn_of_other(const PsValidation *validation, const PsGpu *gpu)
{
    const PsDeviceInfo *info = &validation->raw->info;
    if (info->compute_units == gpu->compute_units && info->warp_size == gpu->warp_size)
        return;
    g_autofree char *text =
        g_strdup_printf("the measurements are of '%s' with %" G_GINT64_FORMAT
                        " compute units and warps of %" G_GINT64_FORMAT
                        " threads, and the description of '%s' has %" G_GINT64_FORMAT
                        " and %" G_GINT64_FORMAT ": is it of another GPU?",
                        info->name, info->compute_units, info->warp_size, gpu->name,
                        gpu->compute_units, gpu->warp_size);
    g_ptr_array_add(validation->warnings, g_steal_pointer(&text));
    warn(validation->warnings->pdata[validation->warnings->len - 1]);
}

/* Mean absolute error from which on the description belongs to another device: half as fast again,
 * or twice as fast. */
#define OTHER_DEVICE 0.5

/* Scripts that look only at the exit status would take that for a confirmation. */
static void warn_of_errors(const PsValidated *comparison, const PsGpu *gpu)
{
    const guint n = comparison->points->len;
    g_autofree double *errors = g_new(double, n);
    PsErrorSummary summary;
    for (guint i = 0; i < n; i++)
        errors[i] = g_array_index(comparison->points, PsValidatedPoint, i).simulated_error;
    ps_error_summary(errors, n, &summary);
    if (!(summary.absolute > OTHER_DEVICE))
        return;
    g_autofree char *text =
        g_strdup_printf("'%s' does not describe the device that was measured: simulated times are "
                        "off by %.0f %% in the mean, by %+.0f %% at worst",
                        gpu->name, 100 * summary.absolute, 100 * summary.worst);
    warn(text);
}

static gboolean compare(gpointer self, GError **error)
{
    const Validate *validate = self;
    g_autoptr(PsValidation) validation = ps_validation_load(validate->raw, error);
    if (!validation)
        return FALSE;
    warn_of_other(validation, validate->gpu);
    const PsHearer progress = progress_hearer(validate->options->progress);
    g_autoptr(PsValidated) comparison =
        ps_validated_new(validation, validate->gpu, validate->options->jobs, &progress, error);
    if (!comparison || !write_all(validate, validation, comparison, error))
        return FALSE;
    warn_of_errors(comparison, validate->gpu);
    return TRUE;
}

static void clear(gpointer self)
{
    validate_clear(self);
}

/* Checks for a description, and for the name of what is measured. */
static gboolean check(const Options *options, GError **error)
{
    const BenchOptions *bench = &options->bench;
    const guint files = options->files ? g_strv_length(options->files) : 0;
    if (files != 1)
        return usage_error(error,
                           files ? "'%s': one description at a time"
                                 : "say which GPU description to validate%s",
                           files ? options->files[1] : "");
    if (options->gpus && g_str_has_suffix(options->files[0], ".pst") &&
        !g_file_test(options->files[0], G_FILE_TEST_EXISTS))
        return usage_error(error, "there is no recording '%s'", options->files[0]);
    if (options->gpus)
        return usage_error(error,
                           "--gpu is for a recording (pipesim profile --record FILE), and "
                           "'%s' is none",
                           options->files[0]);
    if (bench->compiler)
        return usage_error(error,
                           "--backend compiler:%s: kernels are run to validate a description, and "
                           "an assembler runs none; see pipesim bench",
                           bench->compiler);
    return bench->from || bench->raw || (options->output && strcmp(options->output, "-") != 0) ||
           usage_error(error, "say where measurements are kept: --output REPORT.md, or --raw "
                              "FILE; those that are there are --from FILE");
}

int validate_verb(const Options *options)
{
    g_autoptr(GError) error = NULL;
    if (validate_is_recording(options))
        return validate_recording(options);
    if (!check(options, &error))
        return check_failed(error);
    g_auto(Validate) validate = {.options = options};
    validate.raw = options->bench.from  ? g_strdup(options->bench.from)
                   : options->bench.raw ? g_strdup(options->bench.raw)
                                        : raw_beside(options->output);
    validate.gpu = find_gpu(options->files[0], &error);
    if (!validate.gpu || !bench_check_output("--output", options->output, validate.raw, &error) ||
        !bench_check_output("--points", options->given[OPTION_POINTS].text, validate.raw, &error) ||
        (options->chart && !(validate.gnuplot = gnuplot_open(options->chart, &error))))
        return fail(error);
    const BenchWork work = {.options = &options->bench,
                            .progress = options->progress,
                            .validation = TRUE,
                            .path = &validate.raw,
                            .self = &validate,
                            .use = compare,
                            .clear = clear};
    return bench_work(&work, &error);
}
