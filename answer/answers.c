/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in threads of their own, so that whoever asked can hear how far they are. See answer.h. */
#include "answer/answer-private.h"

#include "base/workers.h"

typedef struct {
    const PsQuestion *question;
    PsWatch watch;
    gint cancel; /* whoever hears it ends it */
    char **log;  /* NULL: none is wanted */
    PsAnswer *answer;
    GError *error;
} Job;

static void do_job(void *data)
{
    Job *job = data;
    const PsRunAids aids = {.watch = &job->watch, .cancel = &job->cancel};
    job->answer = ps_answer_run(job->question, &aids, job->log, &job->error);
}

/* FALSE and *error where whoever hears it ends the work. */
static gboolean say(Job *job, GError **error)
{
    PsProgress progress = {.phase = PS_PHASE_RUN};
    progress.share = ps_watch_share(&job->watch, &progress.since);
    return ps_hearer_tell(&job->question->progress, &progress, error);
}

/* All of them: nobody wants one answer without the others. */
static void cancel(PsWorkers *workers, Job *jobs, guint n)
{
    ps_workers_stop(workers);
    for (guint i = 0; i < n; i++)
        g_atomic_int_set(&jobs[i].cancel, 1);
}

static gboolean do_jobs(Job *jobs, guint n, GError **error)
{
    g_autoptr(PsWorkers) workers = ps_workers_new(n, do_job, error);
    gboolean wanted = TRUE;
    if (!workers)
        return FALSE;
    for (guint i = 0; i < n; i++) {
        ps_watch_init(&jobs[i].watch);
        ps_workers_give(workers, &jobs[i]);
    }
    for (guint i = 0; i < n; i++) {
        while (!ps_workers_wait(workers, PS_PROGRESS_PAUSE)) {
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
    if (!question->progress.func)
        return ps_answer_run(question, NULL, log, error);
    Job job = {.question = question, .log = log};
    if (!do_jobs(&job, 1, error))
        job_clear(&job);
    if (job.error)
        g_propagate_error(error, job.error);
    return job.answer;
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
