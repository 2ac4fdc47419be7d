/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of the page beside the answer: runs with fewer active groups, and sources. */
#include "tell/page/page.h"

#include "answer/figures.h"
#include "tell/answer.h"

#include <math.h>

/* Points of the sweep; if a CU holds more groups, the points are spread evenly. */
#define MAX_POINTS 32

typedef struct {
    PsQuestion question;
    PsPagePoint point;
} Job;

static void do_job(void *data)
{
    Job *job = data;
    job->point.seconds = ps_answer_seconds(&job->question, NULL);
}

/* Makes a job for each point except the answer's own. */
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

PsReportSweep *ps_report_sweep_new(const PsQuestion *question, guint threads, GError **error)
{
    gint64 own = 0;
    const gint64 most = ps_answer_most_active(question, &own, error);
    if (most == 0)
        return NULL;
    PsReportSweep *sweep = g_new0(PsReportSweep, 1);
    sweep->jobs = make_jobs(question, most, own);
    sweep->spare = (PsSpare){.jobs = sweep->jobs, .work = do_job, .threads = threads};
    return sweep;
}

void ps_report_sweep_free(PsReportSweep *sweep)
{
    if (!sweep)
        return;
    g_ptr_array_unref(sweep->jobs);
    g_free(sweep);
}

static int by_active(gconstpointer a, gconstpointer b)
{
    const PsPagePoint *x = a, *y = b;
    return (x->active > y->active) - (x->active < y->active);
}

/* Runs the jobs for which no thread had time. */
static gboolean end_sweep(const PsReportSweep *sweep, const PsQuestion *question, GError **error)
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

/* All points. A run without instructions is the same for any number of groups. */
static GArray *points_of(const PsAnswer *answer, const PsReportSweep *sweep)
{
    GArray *points = g_array_new(FALSE, FALSE, sizeof(PsPagePoint));
    for (guint i = 0; i < sweep->jobs->len; i++) {
        const PsPagePoint *point = &((const Job *)sweep->jobs->pdata[i])->point;
        if (answer->result.ticks > 0 || point->active == 1)
            g_array_append_vals(points, point, 1);
    }
    const PsPagePoint own = {answer->machine->launch.active_groups, answer->seconds};
    g_array_append_val(points, own);
    g_array_sort(points, by_active);
    return points;
}

/* A page without its sources is still a page. Warnings tell its author of files from elsewhere. */
static void say_sources(const PsPage *page, GPtrArray *warnings, GPtrArray *notes)
{
    const char *lacking = ps_page_sources_lacking(page);
    if (lacking)
        g_ptr_array_add(warnings, g_strdup_printf("%s: the page shows none", lacking));
    for (guint i = 0; i < page->sources->len; i++) {
        const PsSourceFile *file = ((const PsPageSource *)page->sources->pdata[i])->file;
        if (file->why)
            g_ptr_array_add(warnings,
                            g_strdup_printf("%s: its lines are shown without text", file->why));
        else if (file->stated)
            g_ptr_array_add(notes,
                            g_strdup_printf("the page shows %s, which the code names", file->path));
    }
}

char *ps_report_page(const PsReport *report, PsReportSweep *sweep, GPtrArray *warnings,
                     GPtrArray *notes, GError **error)
{
    const PsAnswer *answer = report->answer;
    if (!end_sweep(sweep, report->question, error))
        return NULL;
    g_autoptr(GArray) points = points_of(answer, sweep);
    g_autoptr(GPtrArray) sources = ps_page_sources_new(answer, report->without_source);
    g_autoptr(PsTold) facts = ps_answer_told(answer, report->measured);
    g_autoptr(PsTold) what_if =
        report->what_if ? ps_answer_told(report->what_if, report->measured) : NULL;
    const PsPage page = {report, points, sources, facts, what_if};
    if (!report->without_source)
        say_sources(&page, warnings, notes);
    return ps_page_format(&page);
}
