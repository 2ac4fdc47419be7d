/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs answers in threads of their own, so that the caller hears of their progress. See
 * answer.h. */
#include "answer/answer-private.h"

#include "base/hearer.h"
#include "base/workers.h"

#include <math.h>

/* Microseconds behind a deadline at which an answer arrives at the latest. */
#define LATE 30000

typedef struct {
    const PsQuestion *question;
    PsWatch watch;
    gint hurry;  /* the time is over */
    gint cancel; /* the time has been over for a while, or the caller ends the work */
    char **log;  /* NULL: no log is wanted */
    PsAnswer *answer;
    GError *error;
} Job;

static void do_job(void *data)
{
    Job *job = data;
    const PsRunAids aids = {.watch = &job->watch,
                            .hurry = job->question->deadline ? &job->hurry : NULL,
                            .cancel = &job->cancel};
    job->answer = ps_answer_run(job->question, &aids, job->log, &job->error);
}

/* Tells the caller of progress. FALSE and *error: the caller ends the work. */
static gboolean say(Job *job, GError **error)
{
    PsProgress progress = {.phase = PS_PHASE_RUN};
    progress.share = ps_watch_share(&job->watch, &progress.since);
    return ps_hearer_tell(&job->question->progress, &progress, error);
}

/* Cancels all jobs: one answer without the others is of no use. */
static void cancel(PsWorkers *workers, Job *jobs, guint n)
{
    ps_workers_stop(workers);
    for (guint i = 0; i < n; i++)
        g_atomic_int_set(&jobs[i].cancel, 1);
}

/* The time after which nobody waits any more for an answer with a deadline. */
static gint64 last_moment(const Job *job, gint64 begun)
{
    const gint64 deadline = job->question->deadline;
    return deadline + MAX(deadline - begun, 0) / 10 + LATE;
}

/* Waits until the job is done, or progress must be told, or a deadline passes. */
static gboolean wait_for(PsWorkers *workers, Job *job, gint64 begun)
{
    const gint64 deadline = job->question->deadline, now = g_get_monotonic_time();
    gint64 wait = PS_PROGRESS_PAUSE;
    if (deadline && now >= deadline)
        g_atomic_int_set(&job->hurry, 1);
    if (deadline && now >= last_moment(job, begun))
        g_atomic_int_set(&job->cancel, 1);
    else if (deadline)
        wait = MIN(wait, (now < deadline ? deadline : last_moment(job, begun)) - now);
    return ps_workers_wait(workers, wait);
}

static gboolean do_jobs(Job *jobs, guint n, GError **error)
{
    PsSpare *spare = n > 0 ? jobs[0].question->spare : NULL;
    const guint threads = spare ? MAX(n, spare->threads) : n;
    g_autoptr(PsWorkers) workers = ps_workers_new(threads, do_job, error);
    const gint64 begun = g_get_monotonic_time();
    gboolean wanted = TRUE;
    if (!workers)
        return FALSE;
    for (guint i = 0; i < n; i++) {
        ps_watch_init(&jobs[i].watch);
        ps_workers_give(workers, &jobs[i]);
    }
    ps_workers_fill(workers, spare);
    for (guint i = 0; i < n; i++) {
        while (!wait_for(workers, &jobs[i], begun)) {
            if (!wanted || say(&jobs[i], error))
                continue;
            wanted = FALSE;
            cancel(workers, jobs, n);
        }
        ps_workers_take(workers);
    }
    for (guint i = 0; i < n; i++)
        ps_watch_clear(&jobs[i].watch);
    return wanted;
}

static void job_clear(Job *job)
{
    g_clear_pointer(&job->answer, ps_answer_free);
    g_clear_error(&job->error);
}

PsAnswer *ps_answer_new(const PsQuestion *question, char **log, GError **error)
{
    if (!question->progress.func && !question->deadline && !question->spare)
        return ps_answer_run(question, NULL, log, error);
    Job job = {.question = question, .log = log};
    if (!do_jobs(&job, 1, error))
        job_clear(&job);
    if (job.error)
        g_propagate_error(error, job.error);
    return job.answer;
}

double ps_answer_seconds(const PsQuestion *question, GError **error)
{
    if (question->deadline) {
        g_autoptr(PsAnswer) whole = ps_answer_new(question, NULL, error);
        return whole ? whole->seconds : NAN;
    }
    PsQuestion slower;
    if (ps_question_by_power(question, NULL, &slower))
        question = &slower;
    g_autoptr(PsAnswer) answer = ps_answer_prepare(question, error);
    return answer && ps_answer_time(answer, question, NULL, 0, NULL, error) ? answer->seconds : NAN;
}

gboolean ps_answers_new(const PsQuestion *const *questions, guint n, PsAnswer **answers,
                        GError **errors, GError **error)
{
    g_autofree Job *jobs = g_new0(Job, n);
    for (guint i = 0; i < n; i++)
        jobs[i].question = questions[i];
    const gboolean done = do_jobs(jobs, n, error);
    for (guint i = 0; i < n; i++) {
        if (!done)
            job_clear(&jobs[i]);
        answers[i] = jobs[i].answer;
        errors[i] = jobs[i].error;
    }
    return done;
}
