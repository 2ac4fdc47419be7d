/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The verb sweep: many runs side by side. This thread makes the points and writes the rows in
 * order; workers simulate. A point that fails is reported, and the others go on. Points are never
 * listed, so that memory does not grow with their number.
 */
#include "cli/sweep/best.h"
#include "cli/system/gnuplot.h"
#include "cli/check.h"
#include "cli/sweep/budget.h"
#include "cli/fail.h"
#include "cli/sweep/resume.h"
#include "cli/sweep/format.h"
#include "cli/sweep/job.h"
#include "cli/sweep/label.h"
#include "cli/sweep/merge.h"
#include "cli/sweep/plan.h"
#include "cli/verbs.h"
#include "pipesim-private.h"

#include <math.h>
#include <stdlib.h>

/* Different warnings that are kept, so that each is said once; more are no help to anybody. */
#define MAX_WARNINGS 1000

typedef struct {
    const Options *options;
    SweepPlan *plan;
    SweepCsv *csv;
    const SweepFormat *format;
    SweepPage page;
    Resume *resume;      /* NULL where the rows that are missing have begun */
    Output *output;      /* NULL before that, and once all is written */
    PsSweepChart *chart; /* NULL where none was asked for */
    Gnuplot *gnuplot;    /* what draws it */
    Best *best;          /* NULL where none was asked for */
    gboolean bounds;     /* of the best only bounds are looked for still */
    PsWorkers *workers;
    SweepGathered *gathered;   /* NULL without a budget */
    gint64 begun;              /* when rows that are missing began, on the monotonic clock */
    guint last_pair;           /* of the last row; 0: there is none */
    GHashTable *warned;        /* warnings that were said */
    guint number;              /* of the last point that was made */
    guint there, there_failed; /* points that a resumed file has */
    guint done;                /* those included */
    guint failed;
} Sweep;

/* ---- rows ---------------------------------------------------------------------------------- */

/* Once each. */
static void say_warning(Sweep *sweep, char *text)
{
    const guint n = g_hash_table_size(sweep->warned);
    if (n > MAX_WARNINGS || g_hash_table_contains(sweep->warned, text)) {
        g_free(text);
        return;
    }
    warn(n < MAX_WARNINGS ? text : "there are more warnings, which are not shown");
    g_hash_table_add(sweep->warned, text);
}

/* What building the point's graph told. */
static void say_told(Sweep *sweep, const SweepJob *job)
{
    for (guint i = 0; i < job->told->len; i++)
        ps_code_tell(&sweep->options->code, job->told->pdata[i]);
}

static void say_warnings(Sweep *sweep, const SweepJob *job)
{
    const GPtrArray *warnings = job->answer->warnings;
    say_told(sweep, job);
    for (guint i = 0; !sweep->format->says_warnings && i < warnings->len; i++)
        say_warning(sweep, g_strdup_printf("%s on %s: %s", job->point.idg->name,
                                           job->point.gpu->name, (const char *)warnings->pdata[i]));
}

static void report_failure(Sweep *sweep, const SweepJob *job)
{
    const Point *point = &job->point;
    g_autofree char *label = sweep_point_label(sweep->options->vary, point->values, point->known);
    g_autoptr(GError) error =
        g_error_new(PS_ERROR, PS_ERROR_VALUE, "%s (%s on %s%s%s)", job->error->message, point->name,
                    point->gpu->name, *label ? ", " : "", label);
    fail(error);
    sweep->failed++;
}

/* Equation 19 knows no launch, which the other times include. */
static void chart_answer(PsSweepChart *chart, const char *curve, double x, const PsAnswer *answer)
{
    const PsLaunchRoofline *bound = &answer->roofline;
    const PsSweepChartPoint point = {x, answer->flops, answer->simulated,
                                     ps_launch_roofline_is_whole(bound)
                                         ? bound->prediction.seconds + answer->launch_seconds
                                         : NAN,
                                     answer->seconds};
    ps_sweep_chart_add(chart, curve, &point);
}

static void add_to_chart(const Sweep *sweep, const SweepJob *job)
{
    const Options *options = sweep->options;
    const SweepNaming naming = {options->vary, sweep->plan->several_files,
                                sweep->plan->gpus->len > 1};
    g_autofree char *curve = sweep_curve_label(&naming, job->answer, job->point.values);
    const double x = sweep_x(options->vary, job->answer, job->point.values);
    chart_answer(sweep->chart, curve, x, job->answer);
    if (!job->what_if)
        return;
    g_autofree char *other =
        g_strdup_printf("%s%s%s", curve, *curve ? ", " : "", options->what_if_text);
    chart_answer(sweep->chart, other, x, job->what_if);
}

/* Writes what the format has made. */
static gboolean put_page(Sweep *sweep, GError **error)
{
    const gboolean done = output_put(sweep->output, sweep->page.out->str, error);
    g_string_truncate(sweep->page.out, 0);
    return done;
}

static gboolean write_row(Sweep *sweep, const SweepJob *job, GError **error)
{
    const Point *point = &job->point;
    const Report report = {.answer = job->answer,
                           .what_if = job->what_if,
                           .what_if_text = sweep->options->what_if_text,
                           .vary = sweep->options->vary,
                           .values = point->values,
                           .measured = sweep->options->measured};
    SweepPage *page = &sweep->page;
    page->head = point->pair != sweep->last_pair;
    sweep->last_pair = point->pair;
    sweep->format->row(page, point, &report);
    page->rows++;
    return put_page(sweep, error);
}

/* A configuration that cannot be: part of the answer. */
static gboolean write_refused(Sweep *sweep, const SweepJob *job, GError **error)
{
    const Point *point = &job->point;
    const Report blank = {.vary = sweep->options->vary,
                          .values = point->values,
                          .what_if_text = sweep->options->what_if_text};
    SweepPage *page = &sweep->page;
    page->head = point->pair != sweep->last_pair;
    sweep->last_pair = point->pair;
    sweep->format->refused(page, point, &blank, job->error->message);
    page->rows++;
    sweep->failed++;
    return put_page(sweep, error);
}

static gboolean write_failed(Sweep *sweep, const SweepJob *job, GError **error)
{
    if (!sweep->format->failed)
        return TRUE;
    sweep->format->failed(&sweep->page, &job->point);
    sweep->page.rows++;
    return put_page(sweep, error);
}

static gboolean write_job(Sweep *sweep, const SweepJob *job, GError **error)
{
    if (job->error && job->point.file)
        return write_refused(sweep, job, error);
    if (job->error) {
        report_failure(sweep, job);
        return write_failed(sweep, job, error);
    }
    say_warnings(sweep, job);
    if (sweep->chart)
        add_to_chart(sweep, job);
    return write_row(sweep, job, error);
}

/* What was there before took no time. */
static void say_progress(const Sweep *sweep)
{
    const PsHearer hearer = progress_hearer(sweep->options->progress);
    PsProgress progress = {.phase = PS_PHASE_POINTS, .done = sweep->done, .since = sweep->begun};
    progress.of = sweep_plan_share(sweep->plan, sweep->options);
    if (sweep->done > sweep->there)
        progress.share =
            (double)(sweep->done - sweep->there) / (double)(progress.of - sweep->there);
    ps_hearer_tell(&hearer, &progress, NULL);
}

/* Writes the oldest job's row. FALSE and *error where it cannot be written. */
static gboolean finish_job(Sweep *sweep, GError **error)
{
    SweepJob *job = ps_workers_take(sweep->workers);
    gboolean written = TRUE;
    sweep->done++;
    say_progress(sweep);
    if (sweep->best) {
        say_told(sweep, job);
        (sweep->bounds ? best_take_bound : best_take)(sweep->best, job);
    } else {
        written = write_job(sweep, job, error);
        sweep_job_free(job);
    }
    return written;
}

/* ---- points -------------------------------------------------------------------------------- */

/* Where the rows that are there end: from here on they are made. */
static gboolean begin_rows(Sweep *sweep, GError **error)
{
    const gboolean has_header = sweep->resume && resume_has_header(sweep->resume);
    if (sweep->resume)
        sweep->output = resume_output(sweep->resume, error);
    g_clear_pointer(&sweep->resume, resume_free);
    sweep->begun = g_get_monotonic_time();
    say_progress(sweep);
    sweep->page.rows = sweep->there;
    if (!has_header)
        sweep->format->begin(&sweep->page);
    return sweep->output != NULL;
}

/* Compares the point with a row that is there. FALSE where there is none; *error if another is. */
static gboolean is_there(Sweep *sweep, const Point *point, GError **error)
{
    const ResumeState state = resume_next(sweep->resume, point, error);
    if (state == RESUME_ERROR)
        return FALSE;
    if (state == RESUME_MISSING) {
        begin_rows(sweep, error);
        return FALSE;
    }
    sweep->there++;
    sweep->done++;
    sweep->there_failed += state == RESUME_FAILED;
    return TRUE;
}

/* Has the point simulated, unless it is another machine's or was before. Takes why, with which the
 * point could not be made. */
static gboolean take_point(Sweep *sweep, const Point *point, GError *why, GError **error)
{
    g_autoptr(GError) failure = why, wrong = NULL;
    if (!sweep_plan_is_mine(sweep->options, point->number) ||
        (sweep->resume && is_there(sweep, point, &wrong)))
        return TRUE;
    if (wrong) {
        g_propagate_error(error, g_steal_pointer(&wrong));
        return FALSE;
    }
    if (sweep->gathered)
        return sweep_gathered_add(sweep->gathered,
                                  sweep_job_new(sweep->options, point, g_steal_pointer(&failure)),
                                  error);
    while (!ps_workers_has_room(sweep->workers))
        if (!finish_job(sweep, error))
            return FALSE;
    SweepJob *job = sweep_job_new(sweep->options, point, g_steal_pointer(&failure));
    job->bounds = sweep->best != NULL;
    ps_workers_give(sweep->workers, job);
    return TRUE;
}

static gboolean sweep_pair(Sweep *sweep, const SweepPair *pair, guint number, GError **error)
{
    PsQuestion base;
    (void)question_of(sweep->options, pair->idg, pair->gpu, &base, NULL);
    g_autoptr(PsPoints) points = ps_points_new(&base, sweep->options->vary);
    g_autofree PsRational *values = g_new0(PsRational, sweep->options->vary->len);
    Point point = {.name = pair->name,
                   .file = pair->file,
                   .pair = number,
                   .idg = pair->idg,
                   .gpu = pair->gpu,
                   .gpu_name = pair->gpu_name,
                   .values = values};
    for (;;) {
        GError *why = NULL;
        if (!ps_points_next(points, values, &point.known, &why))
            return TRUE;
        point.number = ++sweep->number;
        if (!take_point(sweep, &point, why, error))
            return FALSE;
    }
}

/* Writes the rows of the points that could be simulated in time. */
static gboolean finish_gathered(Sweep *sweep, GError **error)
{
    guint all = 0;
    g_autoptr(GPtrArray) done = sweep_gathered_run(sweep->gathered, &all, error);
    for (guint i = 0; done && i < done->len; i++) {
        sweep->done++;
        if (!write_job(sweep, done->pdata[i], error))
            return FALSE;
    }
    if (!done || done->len == all)
        return done != NULL;
    if (done->len == 0) {
        g_set_error(error, PS_ERROR, PS_ERROR_TIME,
                    "--budget %s: time was out before a single one of %u points was simulated; "
                    "more time, or smaller problems, give an answer",
                    sweep->options->given[OPTION_BUDGET].text, all);
        return FALSE;
    }
    g_autofree char *text = g_strdup_printf(
        "--budget %s: %u of %u points were simulated by then, and the others are left out",
        sweep->options->given[OPTION_BUDGET].text, done->len, all);
    warn(text);
    return TRUE;
}

static gboolean finish_all(Sweep *sweep, GError **error)
{
    while (!ps_workers_is_empty(sweep->workers))
        if (!finish_job(sweep, error))
            return FALSE;
    return TRUE;
}

/* Simulates what may be one of the best, whose bounds are there, and writes these. */
static gboolean sweep_best(Sweep *sweep, GError **error)
{
    const SweepJob *job;
    SweepJob *next;
    best_begin(sweep->best);
    sweep->begun = g_get_monotonic_time();
    sweep->bounds = FALSE;
    sweep->done = 0;
    do {
        while ((next = best_next(sweep->best)) != NULL)
            ps_workers_give(sweep->workers, next);
        if (!ps_workers_is_empty(sweep->workers) && !finish_job(sweep, error))
            return FALSE;
    } while (!ps_workers_is_empty(sweep->workers));
    for (guint i = 0; (job = best_at(sweep->best, i)) != NULL; i++)
        if (!write_job(sweep, job, error))
            return FALSE;
    g_autofree char *text = best_describe(sweep->best, &sweep->failed);
    note(text);
    return TRUE;
}

static gboolean sweep_all(Sweep *sweep, GError **error)
{
    const SweepPlan *plan = sweep->plan;
    for (guint i = 0; i < plan->pairs->len; i++)
        if (!sweep_pair(sweep, &g_array_index(plan->pairs, SweepPair, i), i + 1, error))
            return FALSE;
    if (sweep->gathered)
        return finish_gathered(sweep, error);
    return finish_all(sweep, error) && (!sweep->best || sweep_best(sweep, error));
}

/* ---- the beginning and the end ------------------------------------------------------------- */

static gboolean open_chart(Sweep *sweep, GError **error)
{
    const Options *options = sweep->options;
    const SweepPair *first = &g_array_index(sweep->plan->pairs, SweepPair, 0);
    const SweepNaming naming = {options->vary, sweep->plan->several_files,
                                sweep->plan->gpus->len > 1};
    g_autofree char *title = sweep_chart_title(&naming, first->name, first->gpu);
    g_autofree char *x_label = sweep_x_label(options->vary);
    sweep->gnuplot = gnuplot_open(options->chart, error);
    sweep->chart = ps_sweep_chart_new(title, x_label);
    ps_sweep_chart_set_measured(sweep->chart, options->measured);
    return sweep->gnuplot != NULL;
}

static gboolean draw_chart(Sweep *sweep, GError **error)
{
    double height;
    g_autofree char *script = ps_sweep_chart_script(sweep->chart, &height, error);
    return script &&
           gnuplot_draw(sweep->gnuplot, ps_sweep_chart_title(sweep->chart), script, height, error);
}

/* Opens what will be written, so that a sweep does not run in vain. */
static gboolean open_all(Sweep *sweep, GError **error)
{
    const Options *options = sweep->options;
    sweep->csv = sweep_csv_new(options, sweep_id(options, sweep->plan->graphs, sweep->plan->gpus),
                               sweep->plan->total);
    sweep->page.csv = sweep->csv;
    if (options->resume)
        sweep->resume = resume_open(options->resume, sweep->csv, error);
    else
        sweep->output = output_open(options->output, error);
    if (!sweep->output && !sweep->resume)
        return FALSE;
    sweep->workers = ps_workers_new(options->jobs, sweep_job_do, error);
    if (!sweep->workers || (options->chart && !open_chart(sweep, error)))
        return FALSE;
    return sweep->resume || begin_rows(sweep, error);
}

/* Where the walk has met a row for every point. */
static gboolean end_resume(Sweep *sweep, GError **error)
{
    if (!resume_has_header(sweep->resume))
        return begin_rows(sweep, error);
    if (!resume_end(sweep->resume, error))
        return FALSE;
    g_autofree char *text = g_strdup_printf("%s: all %u points are there; nothing to do",
                                            sweep->options->resume, sweep->there);
    note(text);
    return TRUE;
}

static void say_failed_before(const Sweep *sweep)
{
    if (!sweep->there_failed)
        return;
    g_autofree char *text =
        g_strdup_printf("%s: %u of the %u points that were there had failed",
                        sweep->options->resume, sweep->there_failed, sweep->there);
    note(text);
}

static gboolean write_all(Sweep *sweep, GError **error)
{
    if (!sweep_all(sweep, error) || (sweep->resume && !end_resume(sweep, error)))
        return FALSE;
    progress_begin(sweep->options->progress, "writing", NULL);
    say_failed_before(sweep);
    /* Where every point failed and that leaves nothing to write, no file is touched. */
    if (!sweep->output || (!sweep->page.rows && !sweep->format->failed))
        return TRUE;
    sweep->format->end(&sweep->page);
    return put_page(sweep, error) && output_commit(g_steal_pointer(&sweep->output), error) &&
           (!sweep->chart || sweep->failed == sweep->done || draw_chart(sweep, error));
}

static void sweep_clear(Sweep *sweep)
{
    if (sweep->workers) {
        SweepJob *job;
        ps_workers_stop(sweep->workers);
        while ((job = ps_workers_take(sweep->workers)) != NULL)
            sweep_job_free(job);
        ps_workers_free(sweep->workers);
    }
    sweep_gathered_free(sweep->gathered);
    ps_sweep_chart_free(sweep->chart);
    gnuplot_free(sweep->gnuplot);
    best_free(sweep->best);
    output_drop(sweep->output);
    resume_free(sweep->resume);
    sweep_csv_free(sweep->csv);
    sweep_plan_free(sweep->plan);
    g_string_free(sweep->page.out, TRUE);
    g_hash_table_unref(sweep->warned);
}

static int run_sweep(const Options *options)
{
    g_autoptr(GError) error = NULL;
    Sweep sweep = {
        .options = options,
        .plan = sweep_plan_new(options, &error),
        .format = sweep_format(options->format),
        .page = {.out = g_string_new(NULL), .markdown = options->format == FORMAT_MARKDOWN},
        .warned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    const gint64 best = options->given[OPTION_BEST].number;
    if (options->deadline)
        sweep.gathered = sweep_gathered_new(options);
    sweep.best = best ? best_new(options, (guint)best) : NULL;
    sweep.bounds = best > 0;
    const gboolean done = sweep.plan && open_all(&sweep, &error) && write_all(&sweep, &error);
    const guint failed = sweep.failed + sweep.there_failed;
    sweep_clear(&sweep);
    if (!done)
        return fail(error);
    return failed ? EXIT_INPUT : EXIT_SUCCESS;
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
    return options->merge ? sweep_merge(options) : run_sweep(options);
}
