/* SPDX-License-Identifier: BSD-3-Clause */
/* See sweep.h. This thread makes points and writes their rows in order; workers simulate. */
#include "sweep/sweep.h"

#include "base/hearer.h"
#include "base/workers.h"
#include "sweep/best.h"
#include "sweep/budget.h"
#include "sweep/job.h"
#include "sweep/label.h"
#include "sweep/rows.h"

typedef struct {
    const PsSweepRun *run;
    const PsSweepAsked *asked;
    const PsSweepPlan *plan;
    PsSweepResult *result;
    PsSweepRows rows;
    PsSweepResume *resume; /* NULL when missing rows have begun */
    PsSweepBest *best;     /* NULL: the best are not asked for */
    gboolean bounds;       /* only bounds are looked for so far */
    PsWorkers *workers;
    PsSweepGathered *gathered; /* NULL without a budget */
    gint64 begun;              /* begin of the missing rows, on the monotonic clock */
    guint number;              /* number of the latest point */
} Sweep;

/* ---- rows ---------------------------------------------------------------------------------- */

/* Tells progress: rows that existed before took no time. */
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

/* Writes the oldest job's row. FALSE and *error if that fails, or if the caller ends the sweep. */
static gboolean finish_job(Sweep *sweep, GError **error)
{
    PsSweepJob *job = ps_workers_take(sweep->workers);
    gboolean written = TRUE;
    sweep->result->done++;
    if (sweep->best) {
        ps_sweep_rows_say_told(&sweep->rows, job);
        (sweep->bounds ? ps_sweep_best_take_bound : ps_sweep_best_take)(sweep->best, job);
    } else {
        written = ps_sweep_rows_write(&sweep->rows, job, error);
        ps_sweep_job_free(job);
    }
    return written && say_progress(sweep, error);
}

/* ---- points -------------------------------------------------------------------------------- */

/* The existing rows end here: from here on rows are made. */
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
    sweep->rows.page.rows = sweep->result->there;
    if (!has_header)
        sweep->rows.format->begin(&sweep->rows.page);
    return say_progress(sweep, error);
}

/* Compares the point with an existing row. FALSE: there is none left; *error: it is another one. */
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

/* Gives the point to a worker, unless another machine has it or it is done. Takes ownership of why,
 * the reason why the point could not be made. */
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

/* Writes the rows of points that were simulated in time. */
static gboolean finish_gathered(Sweep *sweep, GError **error)
{
    guint all = 0;
    g_autoptr(GPtrArray) done = ps_sweep_gathered_run(sweep->gathered, &all, error);
    for (guint i = 0; done && i < done->len; i++) {
        sweep->result->done++;
        if (!ps_sweep_rows_write(&sweep->rows, done->pdata[i], error))
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
    ps_sweep_rows_tell(&sweep->rows, text, TRUE);
    return TRUE;
}

static gboolean finish_all(Sweep *sweep, GError **error)
{
    while (!ps_workers_is_empty(sweep->workers))
        if (!finish_job(sweep, error))
            return FALSE;
    return TRUE;
}

/* Simulates candidates for the best, whose bounds are known, and writes the best. */
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
        if (!ps_sweep_rows_write(&sweep->rows, job, error))
            return FALSE;
    g_autofree char *text = ps_sweep_best_describe(sweep->best, &sweep->result->failed);
    ps_sweep_rows_tell(&sweep->rows, text, FALSE);
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

/* All points have rows. */
static gboolean end_resume(Sweep *sweep, GError **error)
{
    if (!ps_sweep_resume_has_header(sweep->resume))
        return begin_rows(sweep, error);
    if (!ps_sweep_resume_end(sweep->resume, error))
        return FALSE;
    g_autofree char *text =
        g_strdup_printf("%s: all %u points are there; nothing to do",
                        ps_sweep_resume_path(sweep->resume), sweep->result->there);
    ps_sweep_rows_tell(&sweep->rows, text, FALSE);
    return TRUE;
}

static gboolean write_all(Sweep *sweep, GError **error)
{
    sweep->workers = ps_workers_new(sweep->asked->threads, ps_sweep_job_do, error);
    if (!sweep->workers || (!sweep->resume && !begin_rows(sweep, error)) ||
        !sweep_all(sweep, error) || (sweep->resume && !end_resume(sweep, error)))
        return FALSE;
    /* If every point failed and nothing is to be written, no file is touched. */
    sweep->result->begun &= sweep->rows.page.rows || sweep->rows.format->failed;
    if (!sweep->result->begun)
        return TRUE;
    sweep->rows.format->end(&sweep->rows.page);
    return ps_sweep_rows_put(&sweep->rows, error);
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
    ps_sweep_rows_clear(&sweep->rows);
}

gboolean ps_sweep_run(const PsSweepRun *run, PsSweepResult *result, GError **error)
{
    const PsSweepAsked *asked = run->plan->asked;
    Sweep sweep = {.run = run,
                   .asked = asked,
                   .plan = run->plan,
                   .result = result,
                   .rows = ps_sweep_rows_new(run, result),
                   .resume = run->resume,
                   .best = asked->best ? ps_sweep_best_new(asked, asked->best) : NULL,
                   .bounds = asked->best > 0,
                   .gathered = asked->question.deadline ? ps_sweep_gathered_new(asked) : NULL};
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
