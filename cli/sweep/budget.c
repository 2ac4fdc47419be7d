/* SPDX-License-Identifier: BSD-3-Clause */
/* See budget.h. */
#include "cli/sweep/budget.h"

#include <string.h>

typedef struct {
    SweepJob *job;
    guint level; /* how often axes are halved before it is met; 0: the first point */
} Gathered;

struct SweepGathered {
    const Options *options;
    GArray *points; /* Gathered */
    GArray *places; /* guint: of each point, on each axis, which of its values it has */
    guint *at;      /* the last point's */
    guint *most;    /* on each axis, the last of them */
};

static void clear_point(gpointer point)
{
    sweep_job_free(((Gathered *)point)->job);
}

SweepGathered *sweep_gathered_new(const Options *options)
{
    SweepGathered *gathered = g_new0(SweepGathered, 1);
    gathered->options = options;
    gathered->points = g_array_new(FALSE, FALSE, sizeof(Gathered));
    g_array_set_clear_func(gathered->points, clear_point);
    gathered->places = g_array_new(FALSE, FALSE, sizeof(guint));
    gathered->at = g_new0(guint, options->vary->len + 1);
    gathered->most = g_new0(guint, options->vary->len + 1);
    return gathered;
}

void sweep_gathered_free(SweepGathered *gathered)
{
    if (!gathered)
        return;
    g_array_unref(gathered->points);
    g_array_unref(gathered->places);
    g_free(gathered->at);
    g_free(gathered->most);
    g_free(gathered);
}

/* The last axis whose value changes goes on by one, those behind it begin anew; all do so with
 * another graph or GPU. */
static void move_on(SweepGathered *gathered, const Point *before, const Point *point)
{
    const guint n = gathered->options->vary->len;
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

/* The level of the axis that is halved most often before it meets the point. */
static guint level(const SweepGathered *gathered, guint point)
{
    const guint n = gathered->options->vary->len;
    guint finest = 0;
    for (guint i = 0; i < n; i++) {
        const guint at = g_array_index(gathered->places, guint, point * n + i);
        const guint halvings = g_bit_storage(gathered->most[i]);
        finest = at ? MAX(finest, halvings - (guint)g_bit_nth_lsf(at, -1)) : finest;
    }
    return finest;
}

gboolean sweep_gathered_add(SweepGathered *gathered, SweepJob *job, GError **error)
{
    const guint n = gathered->points->len, axes = gathered->options->vary->len;
    const Point *before = n ? &g_array_index(gathered->points, Gathered, n - 1).job->point : NULL;
    move_on(gathered, before, &job->point);
    const Gathered point = {job, 0};
    g_array_append_val(gathered->points, point);
    g_array_append_vals(gathered->places, gathered->at, axes);
    for (guint i = 0; i < axes; i++)
        gathered->most[i] = MAX(gathered->most[i], gathered->at[i]);
    if (n < SWEEP_MOST_GATHERED)
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "--budget keeps all points of a sweep, at most %d; leave it out, or vary less",
                SWEEP_MOST_GATHERED);
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
    const SweepJob *x = *(SweepJob *const *)a, *y = *(SweepJob *const *)b;
    return (x->point.number > y->point.number) - (x->point.number < y->point.number);
}

/* What failed for another reason than time is done, too. */
static gboolean is_done(const SweepJob *job)
{
    return job->error ? !g_error_matches(job->error, PS_ERROR, PS_ERROR_TIME) : job->answer != NULL;
}

GPtrArray *sweep_gathered_run(SweepGathered *gathered, guint *all, GError **error)
{
    const Options *options = gathered->options;
    g_autoptr(GPtrArray) jobs = g_ptr_array_new(), done = g_ptr_array_new();
    *all = gathered->points->len;
    for (guint i = 0; i < *all; i++)
        g_array_index(gathered->points, Gathered, i).level = level(gathered, i);
    g_array_sort(gathered->points, coarse_first);
    for (guint i = 0; i < *all; i++)
        g_ptr_array_add(jobs, g_array_index(gathered->points, Gathered, i).job);
    const PsWork work = {.jobs = jobs,
                         .threads = options->jobs,
                         .work = sweep_job_do,
                         .phase = PS_PHASE_POINTS,
                         .progress = progress_hearer(options->progress),
                         .deadline = options->deadline};
    if (!ps_work_off(&work, error))
        return NULL;
    for (guint i = 0; i < *all; i++)
        if (is_done(jobs->pdata[i]))
            g_ptr_array_add(done, jobs->pdata[i]);
    g_ptr_array_sort(done, by_number);
    return g_steal_pointer(&done);
}
