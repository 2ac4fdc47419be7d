/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in threads of their own, so that whoever asked can hear how far they are. See answer.h. */
#include "answer/answer-private.h"

#include "base/workers.h"

typedef struct {
    const PsQuestion *question;
    PsWatch watch;
    char **log; /* NULL: none is wanted */
    PsAnswer *answer;
    GError *error;
} Job;

static void do_job(void *data)
{
    Job *job = data;
    job->answer = ps_answer_run(job->question, &job->watch, job->log, &job->error);
}

static void say(Job *job)
{
    PsProgress progress = {0};
    progress.share = ps_watch_share(&job->watch, &progress.since);
    if (job->question->progress)
        job->question->progress(&progress, job->question->progress_data);
}

static gboolean do_jobs(Job *jobs, guint n, GError **error)
{
    g_autoptr(PsWorkers) workers = ps_workers_new(n, do_job, error);
    if (!workers)
        return FALSE;
    for (guint i = 0; i < n; i++) {
        ps_watch_init(&jobs[i].watch);
        ps_workers_give(workers, &jobs[i]);
    }
    for (guint i = 0; i < n; i++) {
        while (!ps_workers_wait(workers, PS_PROGRESS_PAUSE))
            say(&jobs[i]);
        ps_workers_take(workers);
        ps_watch_clear(&jobs[i].watch);
    }
    return TRUE;
}

PsAnswer *ps_answer_new(const PsQuestion *question, char **log, GError **error)
{
    if (!question->progress)
        return ps_answer_run(question, NULL, log, error);
    Job job = {.question = question, .log = log};
    if (do_jobs(&job, 1, error) && job.error)
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
        answers[i] = jobs[i].answer;
        errors[i] = jobs[i].error;
    }
    return done;
}
