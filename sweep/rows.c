/* SPDX-License-Identifier: BSD-3-Clause */
/* See rows.h. */
#include "sweep/rows.h"

#include "sweep/label.h"

#include <math.h>

/* Different warnings that are kept, so that each is printed once; more would help nobody. */
#define MAX_WARNINGS 1000

void ps_sweep_rows_tell(const PsSweepRows *rows, const char *text, gboolean warning)
{
    rows->run->tell(text, warning, rows->run->data);
}

/* Prints each warning once. */
static void warn(PsSweepRows *rows, char *text)
{
    const guint n = g_hash_table_size(rows->warned);
    if (n > MAX_WARNINGS || g_hash_table_contains(rows->warned, text)) {
        g_free(text);
        return;
    }
    ps_sweep_rows_tell(
        rows, n < MAX_WARNINGS ? text : "there are more warnings, which are not shown", TRUE);
    g_hash_table_add(rows->warned, text);
}

void ps_sweep_rows_say_told(PsSweepRows *rows, const PsSweepJob *job)
{
    for (guint i = 0; i < job->told->len; i++)
        ps_code_tell(rows->asked->code, job->told->pdata[i]);
}

static void say_warnings(PsSweepRows *rows, const PsSweepJob *job)
{
    const GPtrArray *warnings = job->answer->warnings;
    ps_sweep_rows_say_told(rows, job);
    for (guint i = 0; !rows->format->says_warnings && i < warnings->len; i++)
        warn(rows, g_strdup_printf("%s on %s: %s", job->point.idg->name, job->point.gpu->name,
                                   (const char *)warnings->pdata[i]));
}

static void report_failure(PsSweepRows *rows, const PsSweepJob *job)
{
    const PsSweepPoint *point = &job->point;
    g_autofree char *label = ps_sweep_point_label(rows->asked->axes, point->values, point->known);
    g_autofree char *text = g_strdup_printf("%s (%s on %s%s%s)", job->error->message, point->name,
                                            point->gpu->name, *label ? ", " : "", label);
    ps_sweep_rows_tell(rows, text, FALSE);
    rows->result->failed++;
}

/* Equation 19 leaves the launch out, which the other times include. */
static void chart_answer(PsSweepChart *chart, const char *curve, double x, const PsAnswer *answer)
{
    const PsLaunchRoofline *bound = &answer->roofline;
    const PsSweepChartPoint point = {x, answer->flops, answer->simulated,
                                     ps_launch_roofline_is_whole(bound)
                                         ? bound->prediction.seconds + answer->launch_seconds
                                         : NAN,
                                     answer->seconds};
    ps_sweep_chart_add(chart, curve, &point);
}

static void add_to_chart(const PsSweepRows *rows, const PsSweepJob *job)
{
    const GPtrArray *axes = rows->asked->axes;
    const PsSweepNaming naming = ps_sweep_plan_naming(rows->plan);
    g_autofree char *curve = ps_sweep_curve_label(&naming, job->answer, job->point.values);
    const double x = ps_sweep_x(axes, job->answer, job->point.values);
    chart_answer(rows->run->chart, curve, x, job->answer);
    if (!job->what_if)
        return;
    g_autofree char *other =
        g_strdup_printf("%s%s%s", curve, *curve ? ", " : "", rows->asked->what_if);
    chart_answer(rows->run->chart, other, x, job->what_if);
}

gboolean ps_sweep_rows_put(PsSweepRows *rows, GError **error)
{
    const gboolean done = rows->run->put(rows->page.out->str, rows->run->data, error);
    g_string_truncate(rows->page.out, 0);
    return done;
}

static gboolean write_row(PsSweepRows *rows, const PsSweepJob *job, GError **error)
{
    const PsSweepPoint *point = &job->point;
    const PsReported report = {.answer = job->answer,
                               .what_if = job->what_if,
                               .what_if_text = rows->asked->what_if,
                               .vary = rows->asked->axes,
                               .values = point->values,
                               .measured = rows->asked->measured};
    PsSweepPage *page = &rows->page;
    page->head = point->pair != rows->last_pair;
    rows->last_pair = point->pair;
    rows->format->row(page, point, &report);
    page->rows++;
    return ps_sweep_rows_put(rows, error);
}

/* Writes a configuration that is impossible, which is part of the answer. */
static gboolean write_refused(PsSweepRows *rows, const PsSweepJob *job, GError **error)
{
    const PsSweepPoint *point = &job->point;
    const PsReported blank = {
        .vary = rows->asked->axes, .values = point->values, .what_if_text = rows->asked->what_if};
    PsSweepPage *page = &rows->page;
    page->head = point->pair != rows->last_pair;
    rows->last_pair = point->pair;
    rows->format->refused(page, point, &blank, job->error->message);
    page->rows++;
    rows->result->failed++;
    return ps_sweep_rows_put(rows, error);
}

static gboolean write_failed(PsSweepRows *rows, const PsSweepJob *job, GError **error)
{
    if (!rows->format->failed)
        return TRUE;
    rows->format->failed(&rows->page, &job->point);
    rows->page.rows++;
    return ps_sweep_rows_put(rows, error);
}

gboolean ps_sweep_rows_write(PsSweepRows *rows, const PsSweepJob *job, GError **error)
{
    if (job->error && job->point.file)
        return write_refused(rows, job, error);
    if (job->error) {
        report_failure(rows, job);
        return write_failed(rows, job, error);
    }
    say_warnings(rows, job);
    if (rows->run->chart)
        add_to_chart(rows, job);
    return write_row(rows, job, error);
}

PsSweepRows ps_sweep_rows_new(const PsSweepRun *run, PsSweepResult *result)
{
    return (PsSweepRows){.run = run,
                         .asked = run->plan->asked,
                         .plan = run->plan,
                         .result = result,
                         .format = ps_sweep_format(run->form),
                         .page = {.out = g_string_new(NULL),
                                  .markdown = run->form == PS_SWEEP_MARKDOWN,
                                  .csv = run->csv},
                         .warned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
}

void ps_sweep_rows_clear(PsSweepRows *rows)
{
    g_string_free(rows->page.out, TRUE);
    g_hash_table_unref(rows->warned);
}
