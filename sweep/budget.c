/* SPDX-License-Identifier: BSD-3-Clause */
/* See budget.h. */
#include "sweep/budget.h"

#include "base/workers.h"

#include <string.h>

typedef struct {
    PsSweepJob *job;
    guint level; /* halvings of axes before it is met; 0: the first point */
} Gathered;

struct PsSweepGathered {
    const PsSweepAsked *asked;
    GArray *points; /* Gathered */
    GArray *places; /* guint for each point and axis: the number of its value */
    guint *at;      /* places of the latest point */
    guint *most;    /* [axis]: number of its last value */
};

static void clear_point(gpointer point)
{
    ps_sweep_job_free(((Gathered *)point)->job);
}

PsSweepGathered *ps_sweep_gathered_new(const PsSweepAsked *asked)
{
    PsSweepGathered *gathered = g_new0(PsSweepGathered, 1);
    gathered->asked = asked;
    gathered->points = g_array_new(FALSE, FALSE, sizeof(Gathered));
    g_array_set_clear_func(gathered->points, clear_point);
    gathered->places = g_array_new(FALSE, FALSE, sizeof(guint));
    gathered->at = g_new0(guint, asked->axes->len + 1);
    gathered->most = g_new0(guint, asked->axes->len + 1);
    return gathered;
}

void ps_sweep_gathered_free(PsSweepGathered *gathered)
{
    if (!gathered)
        return;
    g_array_unref(gathered->points);
    g_array_unref(gathered->places);
    g_free(gathered->at);
    g_free(gathered->most);
    g_free(gathered);
}

/* Moves to the next place: the last axis whose value changes goes on by one, those behind it start
 * anew. Another graph or GPU starts all anew. */
static void move_on(PsSweepGathered *gathered, const PsSweepPoint *before,
                    const PsSweepPoint *point)
{
    const guint n = gathered->asked->axes->len;
    const gboolean other = !before || before->idg != point->idg || before->gpu != point->gpu;
    guint first = 0;
    while (!other && first < MIN(before->known, point->known) &&
           ps_rational_cmp(before->values[first], point->values[first]) == 0)
        first++;
    if (!other && first < n)
        gathered->at[first]++;
    for (guint i = other ? 0 : first + 1; i < n; i++)
        gathered->at[i] = 0;
}

/* The largest number of halvings that any axis needs to meet the point. */
static guint level(const PsSweepGathered *gathered, guint point)
{
    const guint n = gathered->asked->axes->len;
    guint finest = 0;
    for (guint i = 0; i < n; i++) {
        const guint at = g_array_index(gathered->places, guint, point * n + i);
        const guint halvings = g_bit_storage(gathered->most[i]);
        finest = at ? MAX(finest, halvings - (guint)g_bit_nth_lsf(at, -1)) : finest;
    }
    return finest;
}

gboolean ps_sweep_gathered_add(PsSweepGathered *gathered, PsSweepJob *job, GError **error)
{
    const guint n = gathered->points->len, axes = gathered->asked->axes->len;
    const PsSweepPoint *before =
        n ? &g_array_index(gathered->points, Gathered, n - 1).job->point : NULL;
    move_on(gathered, before, &job->point);
    const Gathered point = {job, 0};
    g_array_append_val(gathered->points, point);
    g_array_append_vals(gathered->places, gathered->at, axes);
    for (guint i = 0; i < axes; i++)
        gathered->most[i] = MAX(gathered->most[i], gathered->at[i]);
    if (n < PS_SWEEP_MOST_GATHERED)
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "%sbudget keeps all points of a sweep, at most %d; leave it out, or vary less",
                gathered->asked->prefix, PS_SWEEP_MOST_GATHERED);
    return FALSE;
}

static int coarse_first(gconstpointer a, gconstpointer b)
{
    const Gathered *x = a, *y = b;
    return x->level != y->level ? (x->level > y->level) - (x->level < y->level)
                                : (x->job->point.number > y->job->point.number) -
                                      (x->job->point.number < y->job->point.number);
}

static int by_number(gconstpointer a, gconstpointer b)
{
    const PsSweepJob *x = *(PsSweepJob *const *)a, *y = *(PsSweepJob *const *)b;
    return (x->point.number > y->point.number) - (x->point.number < y->point.number);
}

/* A point that failed for another reason than time is done, too. */
static gboolean is_done(const PsSweepJob *job)
{
    return job->error ? !g_error_matches(job->error, PS_ERROR, PS_ERROR_TIME) : job->answer != NULL;
}

GPtrArray *ps_sweep_gathered_jobs(PsSweepGathered *gathered)
{
    GPtrArray *jobs = g_ptr_array_new();
    for (guint i = 0; i < gathered->points->len; i++)
        g_array_index(gathered->points, Gathered, i).level = level(gathered, i);
    g_array_sort(gathered->points, coarse_first);
    for (guint i = 0; i < gathered->points->len; i++)
        g_ptr_array_add(jobs, g_array_index(gathered->points, Gathered, i).job);
    return jobs;
}

GPtrArray *ps_sweep_gathered_run(PsSweepGathered *gathered, guint *all, GError **error)
{
    const PsSweepAsked *asked = gathered->asked;
    g_autoptr(GPtrArray) jobs = ps_sweep_gathered_jobs(gathered), done = g_ptr_array_new();
    *all = jobs->len;
    const PsWork work = {.jobs = jobs,
                         .threads = asked->threads,
                         .work = ps_sweep_job_do,
                         .phase = PS_PHASE_POINTS,
                         .progress = asked->hearer,
                         .deadline = asked->question.deadline};
    if (!ps_work_off(&work, error))
        return NULL;
    for (guint i = 0; i < *all; i++)
        if (is_done(jobs->pdata[i]))
            g_ptr_array_add(done, jobs->pdata[i]);
    g_ptr_array_sort(done, by_number);
    return g_steal_pointer(&done);
}
