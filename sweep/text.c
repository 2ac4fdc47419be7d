/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of a sweep for people: one for each graph on each GPU. Rows are written as they come,
 * so columns of results are wide enough for usual values, and a longer value moves the rest of its
 * row. Varied values are known beforehand and always fit.
 */
#include "sweep/format.h"

#include "gpu/gpu.h"
#include "tell/format.h"
#include "tell/paper.h"
#include "tell/table.h"
#include "tell/view.h"

#include <string.h>

/* A view, and the least width of each of its columns. */
typedef struct {
    PsViewId view;
    int widths[7];
} Columns;

static Columns columns_of(gboolean what_if)
{
    return what_if ? (Columns){PS_VIEW_SWEEP_WHAT_IF_PAGE, {6, 5, 9, 9, 6, 7, 7}}
                   : (Columns){PS_VIEW_SWEEP_PAGE, {6, 5, 14, 9, 6, 7, 15}};
}

static void put(PsSweepPage *page, int width, const char *text)
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

static void end_row(PsSweepPage *page)
{
    g_string_append(page->out, page->markdown ? "|\n" : "\n");
}

/* TRUE for a column of a varied value, which has one already. If several are varied, the ratio of
 * the prediction does not fit 80 columns. */
static gboolean is_left_out(const PsReported *report, const Columns *columns, const char *head)
{
    for (guint i = 0; i < report->vary->len; i++)
        if (strcmp(((const PsSweepAxis *)report->vary->pdata[i])->name, head) == 0)
            return TRUE;
    return report->vary->len > 1 && columns->view == PS_VIEW_SWEEP_PAGE &&
           strcmp(head, "ratio") == 0;
}

/* Puts the cells of a row, or the heads. Returns their number. */
static guint put_cells(PsSweepPage *page, const PsReported *report, const Columns *columns,
                       const GPtrArray *cells)
{
    g_autoptr(GPtrArray) heads = ps_view_heads(columns->view);
    guint n = 0;
    for (guint i = 0; i < cells->len; i++)
        if (!is_left_out(report, columns, heads->pdata[i])) {
            put(page, columns->widths[i], cells->pdata[i]);
            n++;
        }
    return n;
}

static int varied_width(const PsSweepAxis *vary)
{
    return MAX(MAX((int)strlen(vary->name), vary->width), 5);
}

static void put_title(const PsSweepPage *page, const PsSweepPoint *point, const PsReported *report)
{
    const PsPaper paper = {.out = page->out,
                           .form = page->markdown ? PS_PAPER_MARKDOWN : PS_PAPER_TEXT};
    PsRational clock = ps_gpu_usual_clock(point->gpu);
    if (page->rows)
        g_string_append_c(page->out, '\n');
    (void)ps_asked_clock(page->csv->asked->prefix, &page->csv->asked->clock, point->gpu, &clock,
                         NULL);
    g_autofree char *chip = ps_format_chip(point->gpu, clock);
    g_autofree char *title = g_strdup_printf("%s on %s (%s)", point->name, point->gpu->name, chip);
    ps_paper_part(&paper, title);
    if (report->what_if)
        ps_paper_text(&paper, "what if: ", report->what_if_text);
    if (report->what_if && page->markdown)
        g_string_append_c(page->out, '\n');
}

static void put_header(PsSweepPage *page, const PsSweepPoint *point, const PsReported *report,
                       const Columns *columns)
{
    g_autoptr(GPtrArray) heads = ps_view_heads(columns->view);
    put_title(page, point, report);
    for (guint i = 0; i < report->vary->len; i++) {
        const PsSweepAxis *vary = report->vary->pdata[i];
        put(page, varied_width(vary), vary->name);
    }
    const guint n = report->vary->len + put_cells(page, report, columns, heads);
    end_row(page);
    for (guint i = 0; i < n && page->markdown; i++)
        g_string_append(page->out, "|---:");
    if (page->markdown)
        end_row(page);
}

/* Begins a row with the values; before the first, with the header. */
static void begin_row(PsSweepPage *page, const PsSweepPoint *point, const PsReported *report,
                      const Columns *columns)
{
    if (page->head)
        put_header(page, point, report, columns);
    for (guint i = 0; i < report->vary->len; i++) {
        const PsSweepAxis *vary = report->vary->pdata[i];
        g_autofree char *value = ps_sweep_axis_text(vary, point->values[i]);
        put(page, varied_width(vary), value);
    }
}

void ps_sweep_text_row(PsSweepPage *page, const PsSweepPoint *point, const PsReported *report)
{
    const Columns columns = columns_of(report->what_if != NULL);
    g_autoptr(PsTold) facts = ps_reported_told(report);
    g_autoptr(GPtrArray) cells = ps_view_line(columns.view, facts);
    begin_row(page, point, report, &columns);
    put_cells(page, report, &columns, cells);
    end_row(page);
    page->clamped |= report->answer->clamped || (report->what_if && report->what_if->clamped);
}

void ps_sweep_text_refused(PsSweepPage *page, const PsSweepPoint *point, const PsReported *blank,
                           const char *why)
{
    g_autofree char *clean = ps_text_clean(why);
    const Columns columns = columns_of(blank->what_if_text != NULL);
    begin_row(page, point, blank, &columns);
    put(page, 0, clean);
    end_row(page);
}

void ps_sweep_text_end(PsSweepPage *page)
{
    const PsPaper paper = {.out = page->out,
                           .form = page->markdown ? PS_PAPER_MARKDOWN : PS_PAPER_TEXT};
    if (page->clamped)
        ps_paper_line(&paper, "* clamped: the simulated time is less than the roofline allows");
}
