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

/* One for each point, but for that of the answer itself. */
static GPtrArray *make_jobs(const PsQuestion *question, gint64 most, gint64 own)
{
    GPtrArray *jobs = g_ptr_array_new_with_free_func(g_free);
    const gint64 n = MIN(most, MAX_POINTS);
    for (gint64 i = 0; i < n; i++) {
        const double share = n > 1 ? (double)i / (double)(n - 1) : 0;
        const gint64 active = 1 + (gint64)round((double)(most - 1) * share);
        if (active == own)
            continue;
        Job *job = g_new0(Job, 1);
        job->question = *question;
        job->question.explain = FALSE;
        job->question.progress = (PsHearer){0};
        job->question.spare = NULL;
        job->question.launch.active = job->point.active = active;
        job->point.seconds = NAN;
        g_ptr_array_add(jobs, job);
    }
    return jobs;
}

PageSweep *page_sweep_new(const PsQuestion *question, guint threads, GError **error)
{
    gint64 own = 0;
    const gint64 most = ps_answer_most_active(question, &own, error);
    if (most == 0)
        return NULL;
    PageSweep *sweep = g_new0(PageSweep, 1);
    sweep->jobs = make_jobs(question, most, own);
    sweep->spare = (PsSpare){.jobs = sweep->jobs, .work = do_job, .threads = threads};
    return sweep;
}

void page_sweep_free(PageSweep *sweep)
{
    if (!sweep)
        return;
    g_ptr_array_unref(sweep->jobs);
    g_free(sweep);
}

static int by_active(gconstpointer a, gconstpointer b)
{
    const PagePoint *x = a, *y = b;
    return (x->active > y->active) - (x->active < y->active);
}

/* The jobs that no thread had time for. */
static gboolean end_sweep(const PageSweep *sweep, const PsQuestion *question, GError **error)
{
    const PsSpare *spare = &sweep->spare;
    g_autoptr(GPtrArray) left = g_ptr_array_new();
    for (guint i = spare->begun; i < spare->jobs->len; i++) {
        Job *job = spare->jobs->pdata[i];
        job->question.deadline = question->deadline;
        g_ptr_array_add(left, job);
    }
    const PsWork work = {.jobs = left,
                         .threads = spare->threads,
                         .work = do_job,
                         .phase = PS_PHASE_POINTS,
                         .progress = question->progress,
                         .deadline = question->deadline};
    return ps_work_off(&work, error);
}

/* All points. A run without instructions is the same with any number of groups. */
static GArray *points_of(const PsAnswer *answer, const PageSweep *sweep)
{
    GArray *points = g_array_new(FALSE, FALSE, sizeof(PagePoint));
    for (guint i = 0; i < sweep->jobs->len; i++) {
        const PagePoint *point = &((const Job *)sweep->jobs->pdata[i])->point;
        if (answer->result.ticks > 0 || point->active == 1)
            g_array_append_vals(points, point, 1);
    }
    const PagePoint own = {answer->machine->launch.active_groups, answer->seconds};
    g_array_append_val(points, own);
    g_array_sort(points, by_active);
    return points;
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
                     PageSweep *sweep, GError **error)
{
    const PsAnswer *answer = report->answer;
    if (!end_sweep(sweep, question, error))
        return FALSE;
    g_autoptr(GArray) points = points_of(answer, sweep);
    g_autoptr(GPtrArray) sources = page_sources_new(answer, options->given[OPTION_NO_SOURCE].on);
    g_autoptr(PsTold) facts = ps_answer_told(report->answer, report->measured);
    g_autoptr(PsTold) what_if =
        report->what_if ? ps_answer_told(report->what_if, report->measured) : NULL;
    const Page page = {report, points, sources, facts, what_if};
    if (!options->given[OPTION_NO_SOURCE].on)
        say_sources(&page);
    g_autofree char *text = page_format(&page);
    return output_write(options->report, text, error);
}
