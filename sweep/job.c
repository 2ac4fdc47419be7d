/* SPDX-License-Identifier: BSD-3-Clause */
/* See job.h. A job is made of values alone; a worker does everything else, so that making jobs
 * takes no time. */
#include "sweep/job.h"

#include "sweep/configuration.h"

PsSweepJob *ps_sweep_job_new(const PsSweepAsked *asked, const PsSweepPoint *point, GError *error)
{
    PsSweepJob *job = g_new0(PsSweepJob, 1);
    *job = (PsSweepJob){.asked = asked, .point = *point, .error = error};
    job->told = g_ptr_array_new_with_free_func(g_free);
    job->point.values = g_memdup2(point->values, (gsize)asked->axes->len * sizeof *point->values);
    return job;
}

void ps_sweep_job_free(PsSweepJob *job)
{
    ps_varied_question_free(job->setup);
    g_free(job->point.values);
    ps_answer_free(job->answer);
    ps_answer_free(job->what_if);
    g_clear_pointer(&job->idg, ps_idg_free);
    g_ptr_array_unref(job->told);
    g_clear_error(&job->error);
    g_free(job);
}

/* Finds the graph of varied code, with the names that other lists vary. */
static gboolean find_graph(PsSweepJob *job)
{
    const GPtrArray *vary = job->asked->axes;
    if (job->point.idg)
        return TRUE;
    job->point.idg = job->idg =
        ps_sweep_code_graph(job->asked, &job->point, job->told, &job->error);
    for (guint i = 0; job->idg && i < vary->len; i++)
        if (!ps_sweep_axis_is_code(vary->pdata[i]) &&
            !ps_sweep_axis_check(vary->pdata[i], job->idg, &job->error))
            return FALSE;
    return job->idg != NULL;
}

/* Sets up the point's question. */
static gboolean set_up(PsSweepJob *job)
{
    const PsSweepPoint *point = &job->point;
    if (job->error || !find_graph(job))
        return FALSE;
    PsQuestion base;
    if (!ps_sweep_question(job->asked, point->idg, point->gpu, &base, &job->error))
        return FALSE;
    job->setup = ps_varied_question_new(&base, job->asked->axes, point->values, point->known,
                                        job->asked->what_if, &job->error);
    return job->setup != NULL;
}

void ps_sweep_job_do(void *data)
{
    PsSweepJob *job = data;
    if (!set_up(job))
        return;
    if (job->bounds) {
        ps_answer_bound(&job->setup->question, &job->bound, &job->error);
        return;
    }
    job->answer = ps_answer_new(&job->setup->question, NULL, &job->error);
    if (!job->answer || !job->setup->what_if_latencies)
        return;
    PsQuestion question = job->setup->question;
    question.latencies = job->setup->what_if_latencies;
    job->what_if = ps_answer_new(&question, NULL, &job->error);
}
