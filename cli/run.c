/* SPDX-License-Identifier: BSD-3-Clause */
/* The verb run: one graph on one GPU, perhaps with a what-if beside it. */
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/output.h"
#include "cli/points.h"
#include "cli/report.h"
#include "cli/verbs.h"

#include <stdlib.h>
#include <unistd.h>

/* Colour is for a terminal whose user did not say no. */
static gboolean wants_colour(const Options *options)
{
    const char *no = g_getenv("NO_COLOR");
    return !(no && *no) && (!options->output || g_str_equal(options->output, "-")) &&
           isatty(STDOUT_FILENO);
}

static char *format_report(const Report *report, const Options *options)
{
    GString *out = g_string_new(NULL);
    Json json = {.out = out};
    switch (options->format) {
    case FORMAT_TEXT:
        report_text(report, wants_colour(options), out);
        break;
    case FORMAT_JSON:
        report_json(report, &json);
        g_string_append_c(out, '\n');
        break;
    case FORMAT_CSV:
        report_csv_header(report, out);
        report_csv_row(report, out);
        for (guint i = 0; i < report->answer->warnings->len; i++)
            warn(report->answer->warnings->pdata[i]);
        break;
    }
    return g_string_free(out, FALSE);
}

/* Simulates with and without the what-if, and writes all that was asked for. */
static gboolean answer_and_report(const Options *options, const PsIdg *idg, const PsGpu *gpu,
                                  GError **error)
{
    g_autoptr(Setup) setup = setup_new(options, idg, gpu, NULL, 0, error);
    if (!setup)
        return FALSE;
    g_autofree char *log = NULL;
    g_autoptr(Answer) answer = answer_new(&setup->question, options->log ? &log : NULL, error);
    if (!answer)
        return FALSE;
    g_autoptr(Answer) what_if = NULL;
    if (options->what_if) {
        setup->question.latencies = setup->what_if_latencies;
        what_if = answer_new(&setup->question, NULL, error);
        if (!what_if)
            return FALSE;
    }
    if (log && !output_write(options->log, log, error))
        return FALSE;
    const Report report = {answer, what_if, options->what_if_text, options->vary, NULL};
    g_autofree char *text = format_report(&report, options);
    return output_write(options->output, text, error);
}

int run_verb(const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsIdg) idg = find_graph(options->files[0], options->gpus[0], &error);
    g_autoptr(PsGpu) gpu = idg ? find_gpu(options->gpus[0], &error) : NULL;
    if (!gpu || !answer_and_report(options, idg, gpu, &error))
        return fail(error);
    return EXIT_SUCCESS;
}
