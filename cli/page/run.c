/* SPDX-License-Identifier: BSD-3-Clause */
/* What the page tells beyond the answer: runs with fewer active groups, and sources. */
#include "cli/page/page.h"

#include "cli/fail.h"
#include "cli/system/output.h"
#include "pipesim-private.h"

#include <math.h>

/* PsPoints of the sweep; where a CU holds more groups, they are spread evenly. */
#define MAX_POINTS 32

typedef struct {
    PsQuestion question;
    PagePoint point;
} Job;

static void do_job(void *data)
{
    Job *job = data;
    job->point.seconds = ps_answer_seconds(&job->question, NULL);
}

/* How many groups the sweep goes up to: what the run has, or what would fit. */
static gint64 most_active(const PsAnswer *answer)
{
    const PsLaunch *launch = &answer->machine->launch;
    return MAX(launch->active_groups, MIN(launch->fitting_groups, launch->groups_per_cu));
}

/* One for each point, but for that of the answer itself. */
static GPtrArray *make_jobs(const PsQuestion *question, const PsAnswer *answer)
{
    GPtrArray *jobs = g_ptr_array_new_with_free_func(g_free);
    const gint64 most = answer->result.ticks ? most_active(answer) : 1;
    const gint64 n = MIN(most, MAX_POINTS);
    for (gint64 i = 0; i < n; i++) {
        const double share = n > 1 ? (double)i / (double)(n - 1) : 0;
        const gint64 active = 1 + (gint64)round((double)(most - 1) * share);
        if (active == answer->machine->launch.active_groups)
            continue;
        Job *job = g_new0(Job, 1);
        job->question = *question;
        job->question.explain = FALSE;
        job->question.progress = (PsHearer){0};
        job->question.launch.active = job->point.active = active;
        job->point.seconds = NAN;
        g_ptr_array_add(jobs, job);
    }
    return jobs;
}

static int by_active(gconstpointer a, gconstpointer b)
{
    const PagePoint *x = a, *y = b;
    return (x->active > y->active) - (x->active < y->active);
}

static GArray *sweep_new(const PsAnswer *answer, const PsQuestion *question, guint threads,
                         GError **error)
{
    g_autoptr(GPtrArray) jobs = make_jobs(question, answer);
    const PsWork work = {
        jobs, threads, do_job, PS_PHASE_POINTS, question->progress, .deadline = question->deadline};
    if (!ps_work_off(&work, error))
        return NULL;
    GArray *sweep = g_array_new(FALSE, FALSE, sizeof(PagePoint));
    for (guint i = 0; i < jobs->len; i++)
        g_array_append_val(sweep, ((const Job *)jobs->pdata[i])->point);
    const PagePoint own = {answer->machine->launch.active_groups, answer->seconds};
    g_array_append_val(sweep, own);
    g_array_sort(sweep, by_active);
    return sweep;
}

/* A page without its sources is a page still. Files from elsewhere its author shall know of. */
static void say_sources(const Page *page)
{
    const GPtrArray *sources = page->sources;
    const char *lacking = page_sources_lacking(page);
    if (lacking) {
        g_autofree char *text = g_strdup_printf("--report: %s: the page shows none", lacking);
        warn(text);
    }
    for (guint i = 0; i < sources->len; i++) {
        const PageSource *source = sources->pdata[i];
        g_autofree char *text =
            source->file->why
                ? g_strdup_printf("--report: %s: its lines are shown without text",
                                  source->file->why)
                : g_strdup_printf("--report: the page shows %s, which the code names; --no-source "
                                  "leaves it out",
                                  source->file->path);
        if (source->file->why)
            warn(text);
        else if (source->file->stated)
            note(text);
    }
}

gboolean page_report(const Options *options, const Report *report, const PsQuestion *question,
                     GError **error)
{
    const PsAnswer *answer = report->answer;
    g_autoptr(GArray) sweep = sweep_new(answer, question, options->jobs, error);
    if (!sweep)
        return FALSE;
    g_autoptr(GPtrArray) sources = page_sources_new(answer, options->given[OPTION_NO_SOURCE].on);
    const Page page = {report, sweep, sources};
    if (!options->given[OPTION_NO_SOURCE].on)
        say_sources(&page);
    g_autofree char *text = page_format(&page);
    return output_write(options->report, text, error);
}
