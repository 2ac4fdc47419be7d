/* SPDX-License-Identifier: BSD-3-Clause */
/* See compiler.h. */
#include "cli/bench/compiler.h"

#include "cli/bench/measure.h"
#include "cli/fail.h"
#include "cli/report/paper.h"
#include "cli/system/draft.h"
#include "cli/system/output.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *architecture; /* "sm_90" */
    const char *output;       /* path of the family */
    char *compiler;           /* "ptxas 13.0.88" */
    PsSchedule *schedule;
    PsGpu *gpu;
} Work;

static void work_clear(Work *work)
{
    g_free(work->compiler);
    ps_schedule_free(work->schedule);
    ps_gpu_free(work->gpu);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Work, work_clear)

static gboolean assemble(Work *work, GError **error)
{
    const PsCodeOptions options = {.host.tools = &draft_host, .prefix = "--"};
    g_autofree char *version = NULL, *ptx = ps_schedule_source(work->architecture, error);
    g_autoptr(GBytes) cubin =
        ptx ? ps_toolchain_make_cubin(&options, ptx, work->architecture, &version, error) : NULL;
    work->schedule = cubin ? ps_schedule_read(cubin, work->architecture, error) : NULL;
    work->compiler = work->schedule ? ps_toolchain_name_ptxas(&draft_host, error) : NULL;
    work->gpu = work->compiler ? ps_schedule_describe(work->schedule, work->compiler, error) : NULL;
    return work->gpu != NULL;
}

static char *report(const Work *work, const Options *options)
{
    GString *out = g_string_new(NULL);
    const PsPaper paper = paper_for(options, out);
    const PsScheduleReport report = {work->schedule, work->architecture, work->compiler,
                                     work->output};
    g_autoptr(PsTold) facts = ps_schedule_told(&report);
    if (options->format == FORMAT_JSON)
        ps_json_told_document(out, facts);
    else
        ps_schedule_text(&report, &paper);
    return g_string_free(out, FALSE);
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Writes the family first: the report may refer to it. One stream for both would hold neither. */
static gboolean write_all(const Work *work, const Options *options, GError **error)
{
    g_autofree char *family = ps_gpu_write_family(work->gpu, work->schedule->family);
    g_autofree char *text = report(work, options);
    return output_write(work->output, family, error) &&
           (strcmp(work->output, "-") == 0 || output_write(NULL, text, error));
}

int bench_compiler(const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *usual = g_strconcat("ptxas-", options->bench.compiler, ".xml", NULL);
    g_auto(Work) work = {.architecture = options->bench.compiler,
                         .output = options->output ? options->output : usual};
    if (bench_check_absent(&options->bench, work.output, &error) && assemble(&work, &error) &&
        write_all(&work, options, &error))
        return EXIT_SUCCESS;
    return fail(error);
}
