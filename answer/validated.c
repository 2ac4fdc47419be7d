/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measurements beside the predictions of both models. Both predict for the clock at which the
 * kernel ran, since boost clocks differ from the description's. Measured cycles need no clock.
 */
#include "answer/validated.h"

#include "answer/answer-private.h"
#include "answer/figures.h"
#include "base/workers.h"

#include <math.h>
#include <string.h>

/* A thread's work: one point. */
typedef struct {
    const PsGpu *gpu;
    PsValidatedPoint compared;
    GPtrArray *warnings;
    GError *error;
} Job;

static void job_free(void *data)
{
    Job *job = data;
    if (job->warnings)
        g_ptr_array_unref(job->warnings);
    g_clear_error(&job->error);
    g_free(job);
}

void ps_validated_free(PsValidated *validated)
{
    if (!validated)
        return;
    g_array_unref(validated->points);
    g_ptr_array_unref(validated->warnings);
    g_free(validated);
}

/* ---- clocks -------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_clock(const PsValidation *validation)
{
    g_autoptr(GArray) clocks = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < validation->points->len; i++) {
        const double mhz = g_array_index(validation->points, PsValidationPoint, i).mhz;
        if (isfinite(mhz) && mhz >= 1)
            g_array_append_val(clocks, mhz);
    }
    if (clocks->len == 0)
        return NAN;
    g_array_sort(clocks, by_value);
    return g_array_index(clocks, double, clocks->len / 2);
}

/* In whole MHz; 0: the description's clock. */
static PsRational clock_of(const PsValidatedPoint *compared)
{
    const PsValidationPoint *point = compared->point;
    const gboolean counted = !isnan(point->cycles);
    return PS_RATIONAL_INT(counted || isnan(compared->mhz) ? 0 : (gint64)(compared->mhz + 0.5));
}

/* ---- one point ----------------------------------------------------------------------------- */

/* Seconds that a timer around the launch counts in addition; none where counters of CUs
 * measured. */
static double timer_of(const PsValidationPoint *point, const PsAnswer *answer)
{
    const double timed = ps_answer_timed(answer);
    return isnan(point->cycles) && timed > 0 ? timed - answer->seconds : 0;
}

static void take_answer(PsValidatedPoint *compared, const PsAnswer *answer)
{
    const PsValidationPoint *point = compared->point;
    const PsLaunch *launch = &answer->machine->launch;
    compared->mhz = ps_rational_to_double(answer->clock);
    compared->measured =
        isnan(point->cycles) ? point->seconds : point->cycles / (compared->mhz * 1e6);
    const PsAnswerErrors errors = ps_answer_errors(answer, compared->measured);
    compared->simulated = answer->simulated + timer_of(point, answer);
    compared->roofline = (1 + errors.roofline) * compared->measured;
    compared->simulated_error = compared->simulated / compared->measured - 1;
    compared->roofline_error = errors.roofline;
    compared->cycles = answer->result.cycles;
    compared->active = launch->active_groups;
    compared->warps = launch->active_groups * launch->warps_per_group;
    compared->flops = answer->flops;
    compared->bytes = answer->roofline.params.W_traf;
}

/* Notes classes that take the latencies of a more general class. */
static void note_fallbacks(const PsAnswer *answer, GPtrArray *warnings)
{
    for (guint i = 0; i < answer->machine->n_classes; i++) {
        const PsMachineClass *entry = &answer->machine->classes[i];
        if (entry->match == PS_MATCH_PARENT)
            g_ptr_array_add(warnings, g_strdup_printf("%s has the latencies of %s", entry->asked,
                                                      entry->class->name));
    }
}

/* Counters of CUs start behind the cost of a launch and its groups. */
static const PsRefinementOptions *refinements_of(const PsValidationPoint *point)
{
    static const PsRefinementOptions counted = {.overheads = PS_CHOICE_OFF};
    return isnan(point->cycles) ? NULL : &counted;
}

static void job_do(void *data)
{
    Job *job = data;
    const PsValidationPoint *point = job->compared.point;
    const PsBenchLaunch *launch = &point->launch;
    const gint64 warp = MAX(job->gpu->warp_size, 1);
    const gint64 each = (launch->group_size + warp - 1) / warp;
    PsScope *params = ps_validation_params(point);
    const PsQuestion question = {
        .idg = point->of->graph,
        .gpu = job->gpu,
        .params = params,
        .launch = {launch->groups, launch->group_size, launch->warps / each},
        .clock = clock_of(&job->compared),
        .refinements = refinements_of(point),
        .clamp = PS_CLAMP_NONE};
    PsAnswer *answer = ps_answer_new(&question, NULL, &job->error);
    ps_scope_free(params);
    if (!answer)
        return;
    take_answer(&job->compared, answer);
    job->warnings = g_steal_pointer(&answer->warnings);
    answer->warnings = g_ptr_array_new();
    note_fallbacks(answer, job->warnings);
    ps_answer_free(answer);
}

/* ---- all of them --------------------------------------------------------------------------- */

/* A message that many kernels share is printed once, with their names. */
typedef struct {
    char *text;
    GPtrArray *kernels; /* borrowed names */
} Remark;

static void remark_free(void *data)
{
    Remark *remark = data;
    g_free(remark->text);
    g_ptr_array_unref(remark->kernels);
    g_free(remark);
}

static void add_remark(GPtrArray *remarks, const char *kernel, const char *text)
{
    Remark *remark = NULL;
    for (guint i = 0; i < remarks->len && !remark; i++)
        if (strcmp(((Remark *)remarks->pdata[i])->text, text) == 0)
            remark = remarks->pdata[i];
    if (!remark) {
        remark = g_new(Remark, 1);
        *remark = (Remark){g_strdup(text), g_ptr_array_new()};
        g_ptr_array_add(remarks, remark);
    }
    if (!g_ptr_array_find_with_equal_func(remark->kernels, kernel, g_str_equal, NULL))
        g_ptr_array_add(remark->kernels, (void *)kernel);
}

static void put_remarks(const GPtrArray *remarks, GPtrArray *warnings)
{
    for (guint i = 0; i < remarks->len; i++) {
        const Remark *remark = remarks->pdata[i];
        GString *text = g_string_new(NULL);
        for (guint j = 0; j < remark->kernels->len; j++)
            g_string_append_printf(text, "%s%s", j ? ", " : "",
                                   (const char *)remark->kernels->pdata[j]);
        g_string_append_printf(text, ": %s", remark->text);
        g_ptr_array_add(warnings, g_string_free(text, FALSE));
    }
}

static void collect(PsValidated *validated, Job *job, GPtrArray *remarks, GError **first)
{
    const char *kernel = job->compared.point->kernel;
    if (job->error) {
        g_autofree char *text = g_strdup_printf("left out: %s", job->error->message);
        add_remark(remarks, kernel, text);
        if (!*first)
            *first = g_steal_pointer(&job->error);
        return;
    }
    for (guint i = 0; i < job->warnings->len; i++)
        add_remark(remarks, kernel, job->warnings->pdata[i]);
    g_array_append_val(validated->points, job->compared);
}

static Job *job_new(const PsValidated *validated, const PsValidationPoint *point, const PsGpu *gpu)
{
    Job *job = g_new0(Job, 1);
    job->gpu = gpu;
    job->compared.point = point;
    job->compared.mhz = isnan(point->mhz) ? validated->mhz : point->mhz;
    return job;
}

/* All points in order. */
static GPtrArray *make_jobs(const PsValidated *validated, const PsValidation *validation,
                            const PsGpu *gpu)
{
    GPtrArray *jobs = g_ptr_array_new_with_free_func(job_free);
    for (guint i = 0; i < validation->points->len; i++)
        g_ptr_array_add(
            jobs,
            job_new(validated, &g_array_index(validation->points, PsValidationPoint, i), gpu));
    return jobs;
}

/* Collects the results. FALSE and *error if all failed. */
static gboolean collect_all(PsValidated *validated, const GPtrArray *jobs, GError **error)
{
    g_autoptr(GPtrArray) remarks = g_ptr_array_new_with_free_func(remark_free);
    GError *first = NULL;
    for (guint i = 0; i < jobs->len; i++)
        collect(validated, jobs->pdata[i], remarks, &first);
    put_remarks(remarks, validated->warnings);
    if (validated->points->len == 0) {
        g_propagate_error(error, first);
        return FALSE;
    }
    g_clear_error(&first);
    return TRUE;
}

PsValidated *ps_validated_new(const PsValidation *validation, const PsGpu *gpu, guint threads,
                              const PsHearer *progress, GError **error)
{
    g_autoptr(PsValidated) validated = g_new0(PsValidated, 1);
    validated->points = g_array_new(FALSE, FALSE, sizeof(PsValidatedPoint));
    validated->warnings = g_ptr_array_new_with_free_func(g_free);
    validated->mhz = median_clock(validation);
    for (guint i = 0; i < validation->warnings->len; i++)
        g_ptr_array_add(validated->warnings, g_strdup(validation->warnings->pdata[i]));
    g_autoptr(GPtrArray) jobs = make_jobs(validated, validation, gpu);
    PsWork work = {.jobs = jobs, .threads = threads, .work = job_do, .phase = PS_PHASE_POINTS};
    if (progress)
        work.progress = *progress;
    return ps_work_off(&work, error) && collect_all(validated, jobs, error)
               ? g_steal_pointer(&validated)
               : NULL;
}

guint ps_validated_end_of_kernel(const PsValidated *comparison, guint first)
{
    const GArray *points = comparison->points;
    const char *kernel = g_array_index(points, PsValidatedPoint, first).point->kernel;
    guint end = first + 1;
    while (end < points->len &&
           strcmp(g_array_index(points, PsValidatedPoint, end).point->kernel, kernel) == 0)
        end++;
    return end;
}
