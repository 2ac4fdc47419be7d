/* SPDX-License-Identifier: BSD-3-Clause */
/* See sweep-job.h. All but the values is done by the thread, so that making jobs takes no time. */
#include "cli/sweep/job.h"

SweepJob *sweep_job_new(const Options *options, const Point *point, GError *error)
{
    SweepJob *job = g_new0(SweepJob, 1);
    *job = (SweepJob){.options = options, .point = *point, .error = error};
    job->point.values = g_memdup2(point->values, (gsize)options->vary->len * sizeof *point->values);
    return job;
}

void sweep_job_free(SweepJob *job)
{
    ps_varied_question_free(job->setup);
    g_free(job->point.values);
    ps_answer_free(job->answer);
    ps_answer_free(job->what_if);
    g_clear_error(&job->error);
    g_free(job);
}

void sweep_job_do(void *data)
{
    SweepJob *job = data;
    const Point *point = &job->point;
    if (job->error)
        return;
    job->setup = varied_question_of(job->options, point->idg, point->gpu, point->values,
                                    point->known, &job->error);
    if (!job->setup)
        return;
    job->answer = ps_answer_new(&job->setup->question, NULL, &job->error);
    if (!job->answer || !job->setup->what_if_latencies)
        return;
    PsQuestion question = job->setup->question;
    question.latencies = job->setup->what_if_latencies;
    job->what_if = ps_answer_new(&question, NULL, &job->error);
}
