/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The verb sweep: many runs side by side. This thread makes the points and writes the rows in
 * order; workers simulate. A point that fails is reported and left out.
 */
#include "cli/chart.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/output.h"
#include "cli/points.h"
#include "cli/progress.h"
#include "cli/sweep-format.h"
#include "cli/sweep-label.h"
#include "cli/verbs.h"
#include "cli/workers.h"

#include <stdlib.h>

/* One point: what to simulate, and then what came out. */
typedef struct {
    Setup *setup;
    const PsIdg *idg;
    const PsGpu *gpu;
    PsRational *values;
    guint known; /* values that are set */
    Answer *answer, *what_if;
    GError *error;
} Job;

typedef struct {
    const Options *options;
    GPtrArray *graphs, *gpus;
    const SweepFormat *format;
    SweepPage page;
    Output *output; /* NULL once all is written */
    Chart *chart;   /* NULL where none was asked for */
    Workers *workers;
    Progress progress;
    const PsIdg *last_idg;
    const PsGpu *last_gpu;
    GHashTable *warned; /* warnings that were said */
    guint done, failed;
} Sweep;

/* ---- jobs ---------------------------------------------------------------------------------- */

static void job_free(Job *job)
{
    setup_free(job->setup);
    g_free(job->values);
    answer_free(job->answer);
    answer_free(job->what_if);
    g_clear_error(&job->error);
    g_free(job);
}

/* In a worker's thread. */
static void do_job(void *data)
{
    Job *job = data;
    if (job->error)
        return;
    job->answer = answer_new(&job->setup->question, NULL, &job->error);
    if (!job->answer || !job->setup->what_if_latencies)
        return;
    Question question = job->setup->question;
    question.latencies = job->setup->what_if_latencies;
    job->what_if = answer_new(&question, NULL, &job->error);
}

/* The next point as a job; NULL at the end. */
static Job *next_job(const Sweep *sweep, Points *points, const PsIdg *idg, const PsGpu *gpu)
{
    Job *job = g_new0(Job, 1);
    job->idg = idg;
    job->gpu = gpu;
    job->values = g_new0(PsRational, sweep->options->vary->len);
    if (!points_next(points, job->values, &job->known, &job->error)) {
        job_free(job);
        return NULL;
    }
    if (!job->error)
        job->setup = setup_new(sweep->options, idg, gpu, job->values, job->known, &job->error);
    return job;
}

/* ---- rows ---------------------------------------------------------------------------------- */

static void say_warnings(Sweep *sweep, const Job *job)
{
    if (sweep->format->says_warnings)
        return;
    for (guint i = 0; i < job->answer->warnings->len; i++) {
        char *text = g_strdup_printf("%s on %s: %s", job->idg->name, job->gpu->name,
                                     (const char *)job->answer->warnings->pdata[i]);
        if (!g_hash_table_contains(sweep->warned, text)) {
            progress_wipe(&sweep->progress);
            warn(text);
        }
        g_hash_table_add(sweep->warned, text);
    }
}

static void report_failure(Sweep *sweep, const Job *job)
{
    g_autofree char *point = sweep_point_label(sweep->options->vary, job->values, job->known);
    g_autoptr(GError) error =
        g_error_new(PS_ERROR, PS_ERROR_VALUE, "%s (%s on %s%s%s)", job->error->message,
                    job->idg->name, job->gpu->name, *point ? ", " : "", point);
    progress_wipe(&sweep->progress);
    fail(error);
    sweep->failed++;
}

static void add_to_chart(const Sweep *sweep, const Job *job)
{
    const SweepNaming naming = {sweep->options->vary, sweep->graphs->len > 1, sweep->gpus->len > 1};
    g_autofree char *curve = sweep_curve_label(&naming, job->answer, job->values);
    const double x = sweep_x(sweep->options->vary, job->answer, job->values);
    chart_add(sweep->chart, curve, x, job->answer->gflops, job->answer->seconds);
    if (!job->what_if)
        return;
    g_autofree char *other =
        g_strdup_printf("%s%s%s", curve, *curve ? ", " : "", sweep->options->what_if_text);
    chart_add(sweep->chart, other, x, job->what_if->gflops, job->what_if->seconds);
}

/* Writes what the format has made, above the line of progress. */
static gboolean put_page(Sweep *sweep, GError **error)
{
    if (output_is_terminal(sweep->output))
        progress_wipe(&sweep->progress);
    const gboolean done = output_put(sweep->output, sweep->page.out->str, error);
    g_string_truncate(sweep->page.out, 0);
    return done;
}

static gboolean write_row(Sweep *sweep, const Job *job, GError **error)
{
    const Report report = {job->answer, job->what_if, sweep->options->what_if_text,
                           sweep->options->vary, job->values};
    SweepPage *page = &sweep->page;
    page->head = job->idg != sweep->last_idg || job->gpu != sweep->last_gpu;
    sweep->format->row(page, &report);
    page->rows++;
    sweep->last_idg = job->idg;
    sweep->last_gpu = job->gpu;
    return put_page(sweep, error);
}

/* Writes the oldest job's row. FALSE and *error where it cannot be written. */
static gboolean finish_job(Sweep *sweep, GError **error)
{
    Job *job = workers_take(sweep->workers);
    gboolean written = TRUE;
    if (job->error) {
        report_failure(sweep, job);
    } else {
        say_warnings(sweep, job);
        written = write_row(sweep, job, error);
        if (sweep->chart)
            add_to_chart(sweep, job);
    }
    job_free(job);
    progress_say(&sweep->progress, ++sweep->done);
    return written;
}

/* ---- the points of one graph on one GPU ---------------------------------------------------- */

static gboolean sweep_pair(Sweep *sweep, const PsIdg *idg, const PsGpu *gpu, GError **error)
{
    g_autoptr(Points) points = points_new(sweep->options, idg, gpu);
    Job *job;
    while ((job = next_job(sweep, points, idg, gpu)) != NULL) {
        while (!workers_has_room(sweep->workers))
            if (!finish_job(sweep, error)) {
                job_free(job);
                return FALSE;
            }
        workers_give(sweep->workers, job);
    }
    return TRUE;
}

static gboolean sweep_all(Sweep *sweep, GError **error)
{
    for (guint i = 0; i < sweep->graphs->len; i++)
        for (guint j = 0; j < sweep->gpus->len; j++)
            if (!sweep_pair(sweep, sweep->graphs->pdata[i], sweep->gpus->pdata[j], error))
                return FALSE;
    while (sweep->done < sweep->progress.total)
        if (!finish_job(sweep, error))
            return FALSE;
    return TRUE;
}

/* ---- before it starts ---------------------------------------------------------------------- */

static gboolean too_many(GError **error)
{
    return usage_error(error, "--vary: there are more than %d points, the most of a sweep",
                       VARY_MAX_POINTS);
}

/* Lists that are known beforehand are multiplied first, since no walk is needed to say no. */
static gboolean check_product(const Sweep *sweep, GError **error)
{
    double product = sweep->graphs->len * sweep->gpus->len;
    for (guint i = 0; i < sweep->options->vary->len; i++)
        product *= MAX(((const Vary *)sweep->options->vary->pdata[i])->length, 1);
    return product <= VARY_MAX_POINTS || too_many(error);
}

/* Adds the points of one pair. What is wrong usage for the first one is it for all of them. */
static gboolean check_pair(Sweep *sweep, const PsIdg *idg, const PsGpu *gpu, GError **error)
{
    g_autoptr(Points) points = points_new(sweep->options, idg, gpu);
    g_autofree PsRational *values = g_new0(PsRational, sweep->options->vary->len);
    guint known, *total = &sweep->progress.total;
    gboolean first = TRUE;
    for (;; first = FALSE) {
        g_autoptr(GError) why = NULL;
        if (!points_next(points, values, &known, &why))
            return TRUE;
        if (++*total > VARY_MAX_POINTS)
            return too_many(error);
        if (!first)
            continue;
        g_autoptr(Setup) setup =
            why ? NULL : setup_new(sweep->options, idg, gpu, values, known, &why);
        if (setup && answer_check(&setup->question, &why) && setup->what_if_latencies) {
            setup->question.latencies = setup->what_if_latencies;
            answer_check(&setup->question, &why);
        }
        if (why && exit_status(why) == EXIT_USAGE) {
            g_propagate_error(error, g_steal_pointer(&why));
            return FALSE;
        }
    }
}

static gboolean check_names(const Sweep *sweep, GError **error)
{
    for (guint i = 0; i < sweep->graphs->len; i++)
        for (guint j = 0; j < sweep->options->vary->len; j++)
            if (!vary_check(sweep->options->vary->pdata[j], sweep->graphs->pdata[i], error))
                return FALSE;
    return TRUE;
}

static gboolean check_all(Sweep *sweep, GError **error)
{
    if (!check_names(sweep, error) || !check_product(sweep, error))
        return FALSE;
    for (guint i = 0; i < sweep->graphs->len; i++)
        for (guint j = 0; j < sweep->gpus->len; j++)
            if (!check_pair(sweep, sweep->graphs->pdata[i], sweep->gpus->pdata[j], error))
                return FALSE;
    return TRUE;
}

static gboolean load_all(Sweep *sweep, GError **error)
{
    const Options *options = sweep->options;
    for (guint i = 0; options->files[i]; i++) {
        PsIdg *idg = find_graph(options->files[i], options->gpus[0], error);
        if (!idg)
            return FALSE;
        g_ptr_array_add(sweep->graphs, idg);
    }
    for (guint i = 0; options->gpus[i]; i++) {
        PsGpu *gpu = find_gpu(options->gpus[i], error);
        if (!gpu)
            return FALSE;
        g_ptr_array_add(sweep->gpus, gpu);
    }
    return TRUE;
}

/* Opens what will be written, so that a sweep does not run in vain. */
static gboolean open_all(Sweep *sweep, GError **error)
{
    const Options *options = sweep->options;
    sweep->output = output_open(options->output, error);
    if (!sweep->output)
        return FALSE;
    sweep->workers = workers_new(options->jobs, do_job, error);
    if (!sweep->workers)
        return FALSE;
    if (!options->chart)
        return TRUE;
    const SweepNaming naming = {options->vary, sweep->graphs->len > 1, sweep->gpus->len > 1};
    g_autofree char *title =
        sweep_chart_title(&naming, sweep->graphs->pdata[0], sweep->gpus->pdata[0]);
    g_autofree char *x_label = sweep_x_label(options->vary);
    sweep->chart = chart_new(options->chart, title, x_label, error);
    return sweep->chart != NULL;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static gboolean write_all(Sweep *sweep, GError **error)
{
    sweep->format->begin(&sweep->page);
    const gboolean done = sweep_all(sweep, error);
    progress_wipe(&sweep->progress);
    /* Where every point failed there is nothing to write, and no file is touched. */
    if (!done || !sweep->page.rows)
        return done;
    sweep->format->end(&sweep->page);
    return put_page(sweep, error) && output_commit(g_steal_pointer(&sweep->output), error) &&
           (!sweep->chart || chart_draw(sweep->chart, error));
}

static void sweep_clear(Sweep *sweep)
{
    if (sweep->workers) {
        Job *job;
        workers_stop(sweep->workers);
        while ((job = workers_take(sweep->workers)) != NULL)
            job_free(job);
        workers_free(sweep->workers);
    }
    chart_free(sweep->chart);
    output_drop(sweep->output);
    g_string_free(sweep->page.out, TRUE);
    g_hash_table_unref(sweep->warned);
    g_ptr_array_unref(sweep->graphs);
    g_ptr_array_unref(sweep->gpus);
}

int sweep_verb(const Options *options)
{
    g_autoptr(GError) error = NULL;
    Sweep sweep = {.options = options,
                   .graphs = g_ptr_array_new_with_free_func((GDestroyNotify)ps_idg_free),
                   .gpus = g_ptr_array_new_with_free_func((GDestroyNotify)ps_gpu_free),
                   .format = sweep_format(options->format),
                   .page = {.out = g_string_new(NULL)},
                   .warned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    progress_begin(&sweep.progress, 0);
    const gboolean done = load_all(&sweep, &error) && check_all(&sweep, &error) &&
                          open_all(&sweep, &error) && write_all(&sweep, &error);
    const guint failed = sweep.failed;
    sweep_clear(&sweep);
    if (!done)
        return fail(error);
    return failed ? EXIT_INPUT : EXIT_SUCCESS;
}
