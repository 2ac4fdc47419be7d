/* SPDX-License-Identifier: BSD-3-Clause */
/* The verb sweep: many runs side by side; and --merge, which joins the parts of a sweep. */
#include "cli/build/graph.h"
#include "cli/check.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/question.h"
#include "cli/system/gnuplot.h"
#include "cli/system/output.h"
#include "cli/verbs.h"

#include <stdlib.h>
#include <sys/resource.h>

/* ---- what is asked ------------------------------------------------------------------------- */

/* The command that builds code with the values of one point. */
static char **builder_of(const Options *options)
{
    static const OptionId own[] = {OPTION_GRID, OPTION_THREADS,          OPTION_BLOCK,
                                   OPTION_ARG,  OPTION_COMPILER_OPTIONS, OPTION_FILES};
    g_autoptr(GPtrArray) argv = g_ptr_array_new();
    char *exe = g_file_read_link("/proc/self/exe", NULL);
    g_ptr_array_add(argv, exe ? exe : g_strdup("pipesim"));
    g_ptr_array_add(argv, g_strdup("build"));
    given_add_code(VERB_SWEEP, options->given, own, argv);
    g_ptr_array_add(argv, NULL);
    return (char **)g_ptr_array_steal(argv, NULL);
}

/* builder: the returned value points to it. */
static PsSweepAsked asked_of(const Options *options, char **builder)
{
    return (PsSweepAsked){.prefix = "--",
                          .question = question_base(options),
                          .clock = options->clock,
                          .axes = options->vary,
                          .what_if = options->what_if_text,
                          .measured = options->measured,
                          .files = options->files,
                          .gpus = options->gpus,
                          .threads = options->jobs,
                          .best = (guint)options->given[OPTION_BEST].number,
                          .budget = options->given[OPTION_BUDGET].text,
                          .hearer = progress_hearer(options->progress),
                          .signature = options->signature,
                          .shard = options->shard,
                          .shards = options->shards,
                          .code = &options->code,
                          .builder = builder};
}

/* ---- graphs and GPUs ----------------------------------------------------------------------- */

static gboolean load_gpus(PsSweepPlan *plan, const Options *options, GError **error)
{
    for (guint i = 0; options->gpus[i]; i++) {
        PsGpu *gpu = find_gpu(options->gpus[i], error);
        if (!gpu)
            return FALSE;
        ps_sweep_plan_add_gpu(plan, gpu);
    }
    return TRUE;
}

/* Loads graphs from files, which are the same for all GPUs; stated is NULL for code. */
static gboolean load_stated(PsSweepPlan *plan, const Options *options, GPtrArray *stated,
                            GError **error)
{
    for (guint i = 0; options->files[i]; i++) {
        PsGpu *none = NULL;
        PsIdg *idg = NULL;
        if (!graph_is_built(options->files[i])) {
            idg = graph_of(options, options->files[i], &none, NULL, error);
            if (!idg)
                return FALSE;
            ps_sweep_plan_add_graph(plan, idg, NULL);
        }
        g_ptr_array_add(stated, idg);
    }
    return TRUE;
}

/* Pairs a file's graph with each GPU; stated is NULL for code. */
static gboolean pair_up(PsSweepPlan *plan, const Options *options, const char *file,
                        const PsIdg *stated, GError **error)
{
    for (guint i = 0; i < plan->gpus->len; i++) {
        PsGpu *gpu = plan->gpus->pdata[i];
        PsIdg *made = stated ? NULL : graph_of(options, file, &gpu, NULL, error);
        if (!stated && !made)
            return FALSE;
        if (made)
            ps_sweep_plan_add_graph(plan, made, file);
        ps_sweep_plan_pair(plan, stated ? stated : made, gpu);
    }
    return TRUE;
}

static gboolean load_all(PsSweepPlan *plan, const Options *options, GError **error)
{
    g_autoptr(GPtrArray) stated = g_ptr_array_new();
    if (ps_sweep_is_of_code(options->vary))
        return load_gpus(plan, options, error) && ps_sweep_plan_pair_code(plan, error);
    if (!load_stated(plan, options, stated, error) || !load_gpus(plan, options, error))
        return FALSE;
    for (guint i = 0; options->files[i]; i++)
        if (!pair_up(plan, options, options->files[i], stated->pdata[i], error))
            return FALSE;
    return TRUE;
}

/* ---- what is written ----------------------------------------------------------------------- */

/* The outputs of rows. */
typedef struct {
    const Options *options;
    PsSweepResume *resume;
    Output *output;      /* NULL before rows begin, and when all is written */
    PsSweepChart *chart; /* NULL: not wanted */
    Gnuplot *gnuplot;    /* draws the chart */
} Written;

static void written_clear(Written *written)
{
    ps_sweep_resume_free(written->resume);
    output_drop(written->output);
    ps_sweep_chart_free(written->chart);
    gnuplot_free(written->gnuplot);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Written, written_clear)

/* Opens all outputs beforehand, so that a sweep does not run in vain. */
static gboolean open_all(Written *written, const PsSweepPlan *plan, const PsSweepCsv *csv,
                         GError **error)
{
    const Options *options = written->options;
    if (options->resume)
        written->resume = ps_sweep_resume_open(options->resume, csv, error);
    else
        written->output = output_open(options->output, error);
    if (!written->output && !written->resume)
        return FALSE;
    if (!options->chart)
        return TRUE;
    written->chart = ps_sweep_chart_of(plan);
    written->gnuplot = gnuplot_open(options->chart, error);
    return written->gnuplot != NULL;
}

static void go_on(FILE *stream, gpointer data)
{
    Written *written = data;
    written->output = output_append(written->options->resume, stream);
}

static gboolean put(const char *text, gpointer data, GError **error)
{
    return output_put(((Written *)data)->output, text, error);
}

static void tell(const char *text, gboolean warning, gpointer data)
{
    (void)data;
    (warning ? warn : note)(text);
}

static gboolean draw_chart(const Written *written, GError **error)
{
    double height;
    g_autofree char *script = ps_sweep_chart_script(written->chart, &height, error);
    return script && gnuplot_draw(written->gnuplot, ps_sweep_chart_title(written->chart), script,
                                  height, error);
}

static void say_failed_before(const Options *options, const PsSweepResult *result)
{
    if (!result->there_failed)
        return;
    g_autofree char *text = g_strdup_printf("%s: %u of the %u points that were there had failed",
                                            options->resume, result->there_failed, result->there);
    note(text);
}

static gboolean finish(Written *written, const PsSweepResult *result, GError **error)
{
    progress_begin(written->options->progress, "writing", NULL);
    say_failed_before(written->options, result);
    return !result->begun ||
           (output_commit(g_steal_pointer(&written->output), error) &&
            (!written->chart || result->failed == result->done || draw_chart(written, error)));
}

/* ---- the verb ------------------------------------------------------------------------------ */

static gboolean run(const Options *options, const PsSweepPlan *plan, PsSweepResult *result,
                    GError **error)
{
    g_auto(Written) written = {.options = options};
    g_autoptr(PsSweepCsv) csv = ps_sweep_csv_new(plan);
    if (!open_all(&written, plan, csv, error))
        return FALSE;
    const PsSweepRun what = {.plan = plan,
                             .form = (PsSweepForm)options->format,
                             .csv = csv,
                             .resume = written.resume,
                             .chart = written.chart,
                             .put = put,
                             .goes_on = go_on,
                             .tell = tell,
                             .data = &written};
    return ps_sweep_run(&what, result, error) && finish(&written, result, error);
}

static int run_sweep(const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) builder = builder_of(options);
    const PsSweepAsked asked = asked_of(options, builder);
    PsSweepResult result;
    g_autoptr(PsSweepPlan) plan = ps_sweep_plan_new(&asked);
    if (!load_all(plan, options, &error) || !ps_sweep_plan_check(plan, &error) ||
        !run(options, plan, &result, &error))
        return fail(error);
    return result.failed + result.there_failed ? EXIT_INPUT : EXIT_SUCCESS;
}

/* ---- --merge ------------------------------------------------------------------------------- */

/* All parts are open at once, and a cluster may have thousands of shards. */
static void allow_many_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static gboolean begin_merged(gpointer data, GError **error)
{
    Written *written = data;
    written->output = output_open(written->options->output, error);
    return written->output != NULL;
}

static int merge(const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_auto(Written) written = {.options = options};
    const PsSweepMerge parts = {.files = options->files,
                                .begin = begin_merged,
                                .put = put,
                                .data = &written,
                                .prefix = "--",
                                .hearer = progress_hearer(options->progress)};
    allow_many_files();
    return ps_sweep_merge(&parts, &error) && output_commit(g_steal_pointer(&written.output), &error)
               ? EXIT_SUCCESS
               : fail(error);
}

static gboolean check(const Options *options, GError **error)
{
    if (options->merge)
        return check_files(options, "CSVs to join", error) && check_stdin(options, error);
    if (!check_files(options, "graph to simulate", error) || !check_graphs(options, error) ||
        !check_gpus(options, error))
        return FALSE;
    if (!options->vary->len)
        return usage_error(error, "say what to vary, such as --vary active=1..max");
    return check_measured_time(options, error) && check_stdin(options, error) &&
           check_folders(options, error);
}

int sweep_verb(const Options *options)
{
    g_autoptr(GError) error = NULL;
    if (!check(options, &error))
        return check_failed(error);
    return options->merge ? merge(options) : run_sweep(options);
}
