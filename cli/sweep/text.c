/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of a sweep for people: one for each graph on each GPU. Rows are written as they come,
 * so columns of results have widths that hold what is usual; a longer value moves the rest of its
 * row. What is varied is known beforehand, and always fits.
 */
#include "cli/sweep/format.h"

#include "pipesim-private.h"

#include <math.h>
#include <string.h>

typedef struct {
    const char *name;
    int width;
    char *(*text)(const Report *report);
} Column;

static char *active(const Report *report)
{
    return ps_format_count(report->answer->machine->launch.active_groups);
}

static char *warps(const Report *report)
{
    const PsLaunch *launch = &report->answer->machine->launch;
    return ps_format_count(launch->active_groups * launch->warps_per_group);
}

/* Simulated time as a multiple of the roofline's. */
static char *cross_check(const Report *report)
{
    return isnan(report->answer->ratio) ? g_strdup("-") : ps_format_number(report->answer->ratio);
}

static char *cycles(const Report *report)
{
    return ps_sentence_cycles(report->answer);
}

/* The result; a star says that it is clamped. */
static char *time_of(const PsAnswer *answer)
{
    g_autofree char *time = ps_sentence_seconds(answer);
    return g_strconcat(time, answer->clamped ? "*" : "", NULL);
}

static char *run_time(const Report *report)
{
    return time_of(report->answer);
}

static char *rate_of(const PsAnswer *answer)
{
    const double gflops = ps_answer_gflops(answer, answer->seconds);
    return gflops > 0 ? ps_format_number(gflops) : g_strdup("-");
}

static char *rate(const Report *report)
{
    return rate_of(report->answer);
}

static char *busiest(const Report *report)
{
    return ps_sentence_busiest(report->answer);
}

static char *what_if_time(const Report *report)
{
    return time_of(report->what_if);
}

static char *what_if_rate(const Report *report)
{
    return rate_of(report->what_if);
}

static char *ratio(const Report *report)
{
    return ps_format_number(ps_answer_ratio(report->what_if, report->answer));
}

static const Column COLUMNS[] = {{"active", 6, active},     {"warps", 5, warps},
                                 {"cycles", 14, cycles},    {"time", 9, run_time},
                                 {"ratio", 6, cross_check}, {"GFLOP/s", 7, rate},
                                 {"busiest", 15, busiest},  {NULL, 0, NULL}};

static const Column WITH_WHAT_IF[] = {{"active", 6, active},        {"warps", 5, warps},
                                      {"time", 9, run_time},        {"what if", 9, what_if_time},
                                      {"ratio", 6, ratio},          {"GFLOP/s", 7, rate},
                                      {"what if", 7, what_if_rate}, {NULL, 0, NULL}};

static void put(SweepPage *page, int width, const char *text)
{
    GString *out = page->out;
    if (!page->markdown) {
        const gboolean first = !out->len || out->str[out->len - 1] == '\n';
        g_string_append_printf(out, "%s%*s", first ? "" : "  ", width, text);
        return;
    }
    g_string_append(out, "| ");
    ps_markdown_text(out, text);
    g_string_append_c(out, ' ');
}

static void end_row(SweepPage *page)
{
    g_string_append(page->out, page->markdown ? "|\n" : "\n");
}

/* What is varied has a column already. With several of those, the ratio has no room in 80
 * columns. */
static gboolean is_left_out(const Report *report, const Column *column)
{
    for (guint i = 0; i < report->vary->len; i++)
        if (strcmp(((const PsSweepAxis *)report->vary->pdata[i])->name, column->name) == 0)
            return TRUE;
    return report->vary->len > 1 && column->text == cross_check;
}

static int varied_width(const PsSweepAxis *vary)
{
    return MAX(MAX((int)strlen(vary->name), vary->width), 5);
}

static void put_title(const SweepPage *page, const Point *point, const Report *report)
{
    const PsPaper paper = {.out = page->out,
                           .form = page->markdown ? PS_PAPER_MARKDOWN : PS_PAPER_TEXT};
    PsRational clock = ps_gpu_usual_clock(point->gpu);
    if (page->rows)
        g_string_append_c(page->out, '\n');
    (void)options_clock(page->csv->options, point->gpu, &clock, NULL);
    g_autofree char *chip = ps_format_chip(point->gpu, clock);
    g_autofree char *title = g_strdup_printf("%s on %s (%s)", point->name, point->gpu->name, chip);
    ps_paper_part(&paper, title);
    if (report->what_if)
        ps_paper_text(&paper, "what if: ", report->what_if_text);
    if (report->what_if && page->markdown)
        g_string_append_c(page->out, '\n');
}

static void put_header(SweepPage *page, const Point *point, const Report *report,
                       const Column *columns)
{
    guint n = report->vary->len;
    put_title(page, point, report);
    for (guint i = 0; i < report->vary->len; i++) {
        const PsSweepAxis *vary = report->vary->pdata[i];
        put(page, varied_width(vary), vary->name);
    }
    for (const Column *column = columns; column->name; column++)
        if (!is_left_out(report, column)) {
            put(page, column->width, column->name);
            n++;
        }
    end_row(page);
    for (guint i = 0; i < n && page->markdown; i++)
        g_string_append(page->out, "|---:");
    if (page->markdown)
        end_row(page);
}

/* The header, where the row is the first, and the values. */
static void begin_row(SweepPage *page, const Point *point, const Report *report,
                      const Column *columns)
{
    if (page->head)
        put_header(page, point, report, columns);
    for (guint i = 0; i < report->vary->len; i++) {
        const PsSweepAxis *vary = report->vary->pdata[i];
        g_autofree char *value = ps_sweep_axis_text(vary, point->values[i]);
        put(page, varied_width(vary), value);
    }
}

void sweep_text_row(SweepPage *page, const Point *point, const Report *report)
{
    const Column *columns = report->what_if ? WITH_WHAT_IF : COLUMNS;
    begin_row(page, point, report, columns);
    for (const Column *column = columns; column->name; column++) {
        g_autofree char *text = is_left_out(report, column) ? NULL : column->text(report);
        if (text)
            put(page, column->width, text);
    }
    end_row(page);
    page->clamped |= report->answer->clamped || (report->what_if && report->what_if->clamped);
}

void sweep_text_refused(SweepPage *page, const Point *point, const Report *blank, const char *why)
{
    g_autofree char *clean = ps_text_clean(why);
    begin_row(page, point, blank, blank->what_if_text ? WITH_WHAT_IF : COLUMNS);
    put(page, 0, clean);
    end_row(page);
}

void sweep_text_end(SweepPage *page)
{
    const PsPaper paper = {.out = page->out,
                           .form = page->markdown ? PS_PAPER_MARKDOWN : PS_PAPER_TEXT};
    if (page->clamped)
        ps_paper_line(&paper, "* clamped: the simulated time is less than the roofline allows");
}
