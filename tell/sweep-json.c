/* SPDX-License-Identifier: BSD-3-Clause */
/* See sweep-json.h. This thread makes the points and writes the rows in order; workers simulate. */
#include "tell/sweep-json.h"

#include "answer/asked.h"
#include "answer/sweep.h"
#include "base/hearer.h"
#include "base/usage.h"
#include "base/workers.h"
#include "tell/answer.h"
#include "tell/json.h"
#include "tell/varied.h"

#include <string.h>

typedef struct {
    const PsAsked *asked;
    PsQuestion base; /* without what-ifs and a hearer: points are asked in threads of their own */
    GPtrArray *axes; /* PsSweepAxis */
    PsWorkers *workers;
    GString *out;
    guint rows;
    GPtrArray *failed; /* char * */
    PsProgress progress;
    gint64 told;
} Sweep;

/* A point, and what comes of it. */
typedef struct {
    const Sweep *sweep;
    PsRational *values;
    guint known; /* of the values */
    PsVariedQuestion *varied;
    PsAnswer *answer;
    GError *error;
} Job;

static void job_free(Job *job)
{
    ps_answer_free(job->answer);
    ps_varied_question_free(job->varied);
    g_clear_error(&job->error);
    g_free(job->values);
    g_free(job);
}

static void job_do(void *data)
{
    Job *job = data;
    const Sweep *sweep = job->sweep;
    const char *what_if = sweep->asked->what_if->len ? sweep->asked->what_if->str : NULL;
    if (!job->error)
        job->varied = ps_varied_question_new(&sweep->base, sweep->axes, job->values, job->known,
                                             what_if, &job->error);
    if (!job->varied)
        return;
    if (job->varied->what_if_latencies)
        job->varied->question.latencies = job->varied->what_if_latencies;
    job->answer = ps_answer_new(&job->varied->question, NULL, &job->error);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static void write_answer(Sweep *sweep, const Job *job)
{
    g_autoptr(PsTold) facts = ps_answer_told(job->answer, 0);
    PsJson json = {.out = sweep->out};
    ps_tell_open(facts, PS_FACT_RUN_VARIED);
    ps_tell_varied(sweep->axes, job->values, job->known, facts);
    ps_tell_close(facts);
    g_string_append(sweep->out, sweep->rows++ ? ",\n" : "");
    ps_json_told_object(&json, facts);
}

/* The message, and which values it is of. */
static void note_failed(Sweep *sweep, const Job *job)
{
    GString *text = g_string_new(job->error->message);
    for (guint i = 0; i < job->known; i++) {
        const PsSweepAxis *axis = sweep->axes->pdata[i];
        g_autofree char *value = ps_sweep_axis_text(axis, job->values[i]);
        g_string_append_printf(text, "%s%s=%s", i ? ", " : " (", axis->name, value);
    }
    g_string_append(text, job->known ? ")" : "");
    g_ptr_array_add(sweep->failed, g_string_free(text, FALSE));
}

/* Writes the oldest job's row. FALSE and *error where the hearer ends it. */
static gboolean finish_job(Sweep *sweep, GError **error)
{
    Job *job = ps_workers_take(sweep->workers);
    if (job->answer)
        write_answer(sweep, job);
    else
        note_failed(sweep, job);
    job_free(job);
    sweep->progress.done++;
    sweep->progress.share = (double)sweep->progress.done / (double)MAX(sweep->progress.of, 1);
    return !ps_progress_is_due(&sweep->told) ||
           ps_hearer_tell(&sweep->asked->question.progress, &sweep->progress, error);
}

/* ---- points -------------------------------------------------------------------------------- */

static gboolean sweep_points(Sweep *sweep, GError **error)
{
    g_autoptr(PsPoints) points = ps_points_new(&sweep->base, sweep->axes);
    for (;;) {
        Job *job = g_new0(Job, 1);
        job->sweep = sweep;
        job->values = g_new0(PsRational, sweep->axes->len);
        if (!ps_points_next(points, job->values, &job->known, &job->error)) {
            job_free(job);
            break;
        }
        while (!ps_workers_has_room(sweep->workers))
            if (!finish_job(sweep, error)) {
                job_free(job);
                return FALSE;
            }
        ps_workers_give(sweep->workers, job);
    }
    while (!ps_workers_is_empty(sweep->workers))
        if (!finish_job(sweep, error))
            return FALSE;
    return TRUE;
}

/* ---- lists --------------------------------------------------------------------------------- */

/* Whether the question has a value in that place already, or another list has. */
static gboolean is_set(const Sweep *sweep, const PsSweepAxis *axis)
{
    const PsLaunchOptions *launch = &sweep->base.launch;
    PsRational value;
    for (guint i = 0; i < sweep->axes->len; i++)
        if (strcmp(((const PsSweepAxis *)sweep->axes->pdata[i])->name, axis->name) == 0)
            return TRUE;
    return (axis->kind == PS_SWEEP_AXIS_ACTIVE && launch->active) ||
           (axis->kind == PS_SWEEP_AXIS_GROUPS && launch->groups) ||
           (axis->kind == PS_SWEEP_AXIS_GROUP_SIZE && launch->group_size) ||
           (axis->kind == PS_SWEEP_AXIS_PARAM &&
            ps_scope_get(sweep->base.params, axis->name, &value));
}

static gboolean read_lists(Sweep *sweep, const char *const *lists, GError **error)
{
    for (; *lists; lists++) {
        g_autoptr(PsSweepAxis) axis = ps_sweep_axis_parse("vary", *lists, error);
        if (!axis || !ps_sweep_axis_check(axis, sweep->base.idg, error))
            return FALSE;
        if (is_set(sweep, axis))
            return ps_usage_error(error, "vary %s: it is set already", axis->name);
        g_ptr_array_add(sweep->axes, g_steal_pointer(&axis));
    }
    if (!sweep->axes->len)
        return ps_usage_error(error, "say what to vary, such as active=1..max");
    const gint64 n = ps_points_count(&sweep->base, sweep->axes);
    sweep->progress.of = (guint64)n;
    if (n <= PS_SWEEP_MAX_POINTS)
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "vary: there are more than %d points, the most of a sweep", PS_SWEEP_MAX_POINTS);
    return FALSE;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void sweep_clear(Sweep *sweep)
{
    if (sweep->workers) {
        Job *job;
        ps_workers_stop(sweep->workers);
        while ((job = ps_workers_take(sweep->workers)) != NULL)
            job_free(job);
        ps_workers_free(sweep->workers);
    }
    g_ptr_array_unref(sweep->axes);
    g_ptr_array_unref(sweep->failed);
    if (sweep->out)
        g_string_free(sweep->out, TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Sweep, sweep_clear)

/* The texts as a list with NULL at its end (g_strfreev). */
static char **copy_texts(GPtrArray *texts)
{
    char **list = g_new0(char *, texts->len + 1);
    for (guint i = 0; i < texts->len; i++)
        list[i] = g_strdup(texts->pdata[i]);
    return list;
}

char *ps_question_sweep_json(PsQuestion *question, const char *const *lists, guint threads,
                             char ***failed, GError **error)
{
    PsAsked *asked = (PsAsked *)question;
    g_auto(Sweep) sweep = {.asked = asked, .progress = {.phase = PS_PHASE_POINTS}};
    sweep.axes = g_ptr_array_new_with_free_func((GDestroyNotify)ps_sweep_axis_free);
    sweep.failed = g_ptr_array_new_with_free_func(g_free);
    sweep.out = g_string_new("[\n");
    if (!ps_asked_check_many(asked, "a sweep asks many", error) || !ps_asked_complete(asked, error))
        return NULL;
    sweep.base = *question;
    sweep.base.latencies = NULL;
    sweep.base.progress = (PsHearer){0};
    sweep.progress.since = g_get_monotonic_time();
    if (!read_lists(&sweep, lists, error))
        return NULL;
    sweep.workers = ps_workers_new(threads ? threads : g_get_num_processors(), job_do, error);
    if (!sweep.workers || !sweep_points(&sweep, error))
        return NULL;
    g_string_append(sweep.out, sweep.rows ? "\n]\n" : "]\n");
    if (failed)
        *failed = copy_texts(sweep.failed);
    return g_string_free(g_steal_pointer(&sweep.out), FALSE);
}
