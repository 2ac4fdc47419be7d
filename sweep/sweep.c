/* SPDX-License-Identifier: BSD-3-Clause */
/* See sweep.h. This thread makes the points and writes the rows in order; workers simulate. */
#include "sweep/sweep.h"

#include "base/hearer.h"
#include "base/workers.h"
#include "sweep/best.h"
#include "sweep/budget.h"
#include "sweep/job.h"
#include "sweep/label.h"

#include <math.h>

/* Different warnings that are kept, so that each is said once; more are no help to anybody. */
#define MAX_WARNINGS 1000

typedef struct {
    const PsSweepRun *run;
    const PsSweepAsked *asked;
    const PsSweepPlan *plan;
    PsSweepResult *result;
    const PsSweepFormat *format;
    PsSweepPage page;
    PsSweepResume *resume; /* NULL where the rows that are missing have begun */
    PsSweepBest *best;     /* NULL where none was asked for */
    gboolean bounds;       /* of the best only bounds are looked for still */
    PsWorkers *workers;
    PsSweepGathered *gathered; /* NULL without a budget */
    gint64 begun;              /* when rows that are missing began, on the monotonic clock */
    guint last_pair;           /* of the last row; 0: there is none */
    GHashTable *warned;        /* warnings that were said */
    guint number;              /* of the last point that was made */
} Sweep;

/* ---- rows ---------------------------------------------------------------------------------- */

static void tell(const Sweep *sweep, const char *text, gboolean warning)
{
    sweep->run->tell(text, warning, sweep->run->data);
}

/* Once each. */
static void warn(Sweep *sweep, char *text)
{
    const guint n = g_hash_table_size(sweep->warned);
    if (n > MAX_WARNINGS || g_hash_table_contains(sweep->warned, text)) {
        g_free(text);
        return;
    }
    tell(sweep, n < MAX_WARNINGS ? text : "there are more warnings, which are not shown", TRUE);
    g_hash_table_add(sweep->warned, text);
}

/* What building the point's graph told. */
static void say_told(Sweep *sweep, const PsSweepJob *job)
{
    for (guint i = 0; i < job->told->len; i++)
        ps_code_tell(sweep->asked->code, job->told->pdata[i]);
}

static void say_warnings(Sweep *sweep, const PsSweepJob *job)
{
    const GPtrArray *warnings = job->answer->warnings;
    say_told(sweep, job);
    for (guint i = 0; !sweep->format->says_warnings && i < warnings->len; i++)
        warn(sweep, g_strdup_printf("%s on %s: %s", job->point.idg->name, job->point.gpu->name,
                                    (const char *)warnings->pdata[i]));
}

static void report_failure(Sweep *sweep, const PsSweepJob *job)
{
    const PsSweepPoint *point = &job->point;
    g_autofree char *label = ps_sweep_point_label(sweep->asked->axes, point->values, point->known);
    g_autofree char *text = g_strdup_printf("%s (%s on %s%s%s)", job->error->message, point->name,
                                            point->gpu->name, *label ? ", " : "", label);
    tell(sweep, text, FALSE);
    sweep->result->failed++;
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

static void add_to_chart(const Sweep *sweep, const PsSweepJob *job)
{
    const GPtrArray *axes = sweep->asked->axes;
    const PsSweepNaming naming = ps_sweep_plan_naming(sweep->plan);
    g_autofree char *curve = ps_sweep_curve_label(&naming, job->answer, job->point.values);
    const double x = ps_sweep_x(axes, job->answer, job->point.values);
    chart_answer(sweep->run->chart, curve, x, job->answer);
    if (!job->what_if)
        return;
    g_autofree char *other =
        g_strdup_printf("%s%s%s", curve, *curve ? ", " : "", sweep->asked->what_if);
    chart_answer(sweep->run->chart, other, x, job->what_if);
}

/* Writes what the format has made. */
static gboolean put_page(Sweep *sweep, GError **error)
{
    const gboolean done = sweep->run->put(sweep->page.out->str, sweep->run->data, error);
    g_string_truncate(sweep->page.out, 0);
    return done;
}

static gboolean write_row(Sweep *sweep, const PsSweepJob *job, GError **error)
{
    const PsSweepPoint *point = &job->point;
    const PsReported report = {.answer = job->answer,
                               .what_if = job->what_if,
                               .what_if_text = sweep->asked->what_if,
                               .vary = sweep->asked->axes,
                               .values = point->values,
                               .measured = sweep->asked->measured};
    PsSweepPage *page = &sweep->page;
    page->head = point->pair != sweep->last_pair;
    sweep->last_pair = point->pair;
    sweep->format->row(page, point, &report);
    page->rows++;
    return put_page(sweep, error);
}

/* A configuration that cannot be: part of the answer. */
static gboolean write_refused(Sweep *sweep, const PsSweepJob *job, GError **error)
{
    const PsSweepPoint *point = &job->point;
    const PsReported blank = {
        .vary = sweep->asked->axes, .values = point->values, .what_if_text = sweep->asked->what_if};
    PsSweepPage *page = &sweep->page;
    page->head = point->pair != sweep->last_pair;
    sweep->last_pair = point->pair;
    sweep->format->refused(page, point, &blank, job->error->message);
    page->rows++;
    sweep->result->failed++;
    return put_page(sweep, error);
}

static gboolean write_failed(Sweep *sweep, const PsSweepJob *job, GError **error)
{
    if (!sweep->format->failed)
        return TRUE;
    sweep->format->failed(&sweep->page, &job->point);
    sweep->page.rows++;
    return put_page(sweep, error);
}

static gboolean write_job(Sweep *sweep, const PsSweepJob *job, GError **error)
{
    if (job->error && job->point.file)
        return write_refused(sweep, job, error);
    if (job->error) {
        report_failure(sweep, job);
        return write_failed(sweep, job, error);
    }
    say_warnings(sweep, job);
    if (sweep->run->chart)
        add_to_chart(sweep, job);
    return write_row(sweep, job, error);
}

/* What was there before took no time. */
static gboolean say_progress(const Sweep *sweep, GError **error)
{
    PsProgress progress = {
        .phase = PS_PHASE_POINTS, .done = sweep->result->done, .since = sweep->begun};
    progress.of = ps_sweep_plan_share(sweep->plan);
    if (sweep->result->done > sweep->result->there)
        progress.share = (double)(sweep->result->done - sweep->result->there) /
                         (double)(progress.of - sweep->result->there);
    return ps_hearer_tell(&sweep->asked->hearer, &progress, error);
}

/* Writes the oldest job's row. FALSE and *error where it cannot be written, or nobody wants more.
 */
static gboolean finish_job(Sweep *sweep, GError **error)
{
    PsSweepJob *job = ps_workers_take(sweep->workers);
    gboolean written = TRUE;
    sweep->result->done++;
    if (sweep->best) {
        say_told(sweep, job);
        (sweep->bounds ? ps_sweep_best_take_bound : ps_sweep_best_take)(sweep->best, job);
    } else {
        written = write_job(sweep, job, error);
        ps_sweep_job_free(job);
    }
    return written && say_progress(sweep, error);
}

/* ---- points -------------------------------------------------------------------------------- */

/* Where the rows that are there end: from here on they are made. */
static gboolean begin_rows(Sweep *sweep, GError **error)
{
    const gboolean has_header = sweep->resume && ps_sweep_resume_has_header(sweep->resume);
    FILE *stream = sweep->resume ? ps_sweep_resume_stream(sweep->resume, error) : NULL;
    if (sweep->resume && !stream)
        return FALSE;
    if (stream)
        sweep->run->goes_on(stream, sweep->run->data);
    sweep->resume = NULL;
    sweep->result->begun = TRUE;
    sweep->begun = g_get_monotonic_time();
    sweep->page.rows = sweep->result->there;
    if (!has_header)
        sweep->format->begin(&sweep->page);
    return say_progress(sweep, error);
}

/* Compares the point with a row that is there. FALSE where there is none; *error if another is. */
static gboolean is_there(Sweep *sweep, const PsSweepPoint *point, GError **error)
{
    const PsSweepResumeState state = ps_sweep_resume_next(sweep->resume, point, error);
    if (state == PS_SWEEP_RESUME_ERROR)
        return FALSE;
    if (state == PS_SWEEP_RESUME_MISSING) {
        begin_rows(sweep, error);
        return FALSE;
    }
    sweep->result->there++;
    sweep->result->done++;
    sweep->result->there_failed += state == PS_SWEEP_RESUME_FAILED;
    return TRUE;
}

/* Has the point simulated, unless it is another machine's or was before. Takes why, with which the
 * point could not be made. */
static gboolean take_point(Sweep *sweep, const PsSweepPoint *point, GError *why, GError **error)
{
    g_autoptr(GError) failure = why, wrong = NULL;
    if (!ps_sweep_is_mine(sweep->asked, point->number) ||
        (sweep->resume && is_there(sweep, point, &wrong)))
        return TRUE;
    if (wrong) {
        g_propagate_error(error, g_steal_pointer(&wrong));
        return FALSE;
    }
    if (sweep->gathered)
        return ps_sweep_gathered_add(
            sweep->gathered, ps_sweep_job_new(sweep->asked, point, g_steal_pointer(&failure)),
            error);
    while (!ps_workers_has_room(sweep->workers))
        if (!finish_job(sweep, error))
            return FALSE;
    PsSweepJob *job = ps_sweep_job_new(sweep->asked, point, g_steal_pointer(&failure));
    job->bounds = sweep->best != NULL;
    ps_workers_give(sweep->workers, job);
    return TRUE;
}

static gboolean sweep_pair(Sweep *sweep, const PsSweepPair *pair, guint number, GError **error)
{
    PsQuestion base;
    (void)ps_sweep_question(sweep->asked, pair->idg, pair->gpu, &base, NULL);
    g_autoptr(PsPoints) points = ps_points_new(&base, sweep->asked->axes);
    g_autofree PsRational *values = g_new0(PsRational, sweep->asked->axes->len);
    PsSweepPoint point = {.name = pair->name,
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
    g_autoptr(GPtrArray) done = ps_sweep_gathered_run(sweep->gathered, &all, error);
    for (guint i = 0; done && i < done->len; i++) {
        sweep->result->done++;
        if (!write_job(sweep, done->pdata[i], error))
            return FALSE;
    }
    if (!done || done->len == all)
        return done != NULL;
    if (done->len == 0) {
        g_set_error(error, PS_ERROR, PS_ERROR_TIME,
                    "%sbudget %s: time was out before a single one of %u points was simulated; "
                    "more time, or smaller problems, give an answer",
                    sweep->asked->prefix, sweep->asked->budget, all);
        return FALSE;
    }
    g_autofree char *text = g_strdup_printf(
        "%sbudget %s: %u of %u points were simulated by then, and the others are left out",
        sweep->asked->prefix, sweep->asked->budget, done->len, all);
    tell(sweep, text, TRUE);
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
    const PsSweepJob *job;
    PsSweepJob *next;
    ps_sweep_best_begin(sweep->best);
    sweep->begun = g_get_monotonic_time();
    sweep->bounds = FALSE;
    sweep->result->done = 0;
    do {
        while ((next = ps_sweep_best_next(sweep->best)) != NULL)
            ps_workers_give(sweep->workers, next);
        if (!ps_workers_is_empty(sweep->workers) && !finish_job(sweep, error))
            return FALSE;
    } while (!ps_workers_is_empty(sweep->workers));
    for (guint i = 0; (job = ps_sweep_best_at(sweep->best, i)) != NULL; i++)
        if (!write_job(sweep, job, error))
            return FALSE;
    g_autofree char *text = ps_sweep_best_describe(sweep->best, &sweep->result->failed);
    tell(sweep, text, FALSE);
    return TRUE;
}

static gboolean sweep_all(Sweep *sweep, GError **error)
{
    const PsSweepPlan *plan = sweep->plan;
    for (guint i = 0; i < plan->pairs->len; i++)
        if (!sweep_pair(sweep, &g_array_index(plan->pairs, PsSweepPair, i), i + 1, error))
            return FALSE;
    if (sweep->gathered)
        return finish_gathered(sweep, error);
    return finish_all(sweep, error) && (!sweep->best || sweep_best(sweep, error));
}

/* ---- the beginning and the end ------------------------------------------------------------- */

/* Where the walk has met a row for every point. */
static gboolean end_resume(Sweep *sweep, GError **error)
{
    if (!ps_sweep_resume_has_header(sweep->resume))
        return begin_rows(sweep, error);
    if (!ps_sweep_resume_end(sweep->resume, error))
        return FALSE;
    g_autofree char *text =
        g_strdup_printf("%s: all %u points are there; nothing to do",
                        ps_sweep_resume_path(sweep->resume), sweep->result->there);
    tell(sweep, text, FALSE);
    return TRUE;
}

static gboolean write_all(Sweep *sweep, GError **error)
{
    sweep->workers = ps_workers_new(sweep->asked->threads, ps_sweep_job_do, error);
    if (!sweep->workers || (!sweep->resume && !begin_rows(sweep, error)) ||
        !sweep_all(sweep, error) || (sweep->resume && !end_resume(sweep, error)))
        return FALSE;
    /* Where every point failed and that leaves nothing to write, no file is touched. */
    sweep->result->begun &= sweep->page.rows || sweep->format->failed;
    if (!sweep->result->begun)
        return TRUE;
    sweep->format->end(&sweep->page);
    return put_page(sweep, error);
}

static void sweep_clear(Sweep *sweep)
{
    if (sweep->workers) {
        PsSweepJob *job;
        ps_workers_stop(sweep->workers);
        while ((job = ps_workers_take(sweep->workers)) != NULL)
            ps_sweep_job_free(job);
        ps_workers_free(sweep->workers);
    }
    ps_sweep_gathered_free(sweep->gathered);
    ps_sweep_best_free(sweep->best);
    g_string_free(sweep->page.out, TRUE);
    g_hash_table_unref(sweep->warned);
}

gboolean ps_sweep_run(const PsSweepRun *run, PsSweepResult *result, GError **error)
{
    const PsSweepAsked *asked = run->plan->asked;
    Sweep sweep = {.run = run,
                   .asked = asked,
                   .plan = run->plan,
                   .result = result,
                   .format = ps_sweep_format(run->form),
                   .page = {.out = g_string_new(NULL),
                            .markdown = run->form == PS_SWEEP_MARKDOWN,
                            .csv = run->csv},
                   .resume = run->resume,
                   .best = asked->best ? ps_sweep_best_new(asked, asked->best) : NULL,
                   .bounds = asked->best > 0,
                   .gathered = asked->question.deadline ? ps_sweep_gathered_new(asked) : NULL,
                   .warned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    *result = (PsSweepResult){0};
    const gboolean done = write_all(&sweep, error);
    sweep_clear(&sweep);
    return done;
}

PsSweepChart *ps_sweep_chart_of(const PsSweepPlan *plan)
{
    const PsSweepAsked *asked = plan->asked;
    const PsSweepPair *first = &g_array_index(plan->pairs, PsSweepPair, 0);
    const PsSweepNaming naming = ps_sweep_plan_naming(plan);
    g_autofree char *title = ps_sweep_chart_title_of(&naming, first->name, first->gpu);
    g_autofree char *x_label = ps_sweep_x_label(asked->axes);
    PsSweepChart *chart = ps_sweep_chart_new(title, x_label);
    ps_sweep_chart_set_measured(chart, asked->measured);
    return chart;
}
