/* SPDX-License-Identifier: BSD-3-Clause */
/* See answer-page.h. */
#include "tell/answer-page.h"

#include "answer/answer.h"
#include "answer/figures.h"
#include "tell/answer.h"
#include "tell/describe.h"
#include "tell/format.h"
#include "tell/listing-text.h"
#include "tell/roofline-values.h"
#include "tell/view-cells.h"

#include <math.h>
#include <string.h>

typedef struct {
    const PsAnswerPage *report;
    const PsTold *facts, *what_if; /* of the report's answers; NULL: there is no what-if */
    const PsPaper *paper;
} Page;

/* ---- summary ------------------------------------------------------------------------------- */

static void print_title(const Page *page)
{
    const PsAnswer *answer = page->report->answer;
    const PsGpu *gpu = answer->gpu;
    g_autofree char *chip = ps_sentence_chip(answer);
    g_autofree char *rest = g_strdup_printf(" on %s (%s)", gpu->name, chip);
    ps_paper_title(page->paper, answer->idg->name, rest);
    if (answer->idg->title)
        ps_paper_text(page->paper, "", answer->idg->title);
    ps_paper_gap(page->paper);
}

static void print_line(const Page *page, const char *label, const char *text)
{
    g_autofree char *first = g_strdup_printf("%-14s", label);
    ps_paper_text(page->paper, first, text);
}

/* Prints the sentences of a view, with those of the what-if that differ. */
static void print_sentences(const Page *page, PsViewId view)
{
    g_autoptr(GPtrArray) lines = ps_view_sentences(view, page->facts, page->what_if);
    for (guint i = 0; i + 1 < lines->len; i += 2)
        print_line(page, lines->pdata[i], lines->pdata[i + 1]);
}

static void print_skipped(const Page *page)
{
    const double skipped = ps_answer_skipped(page->report->answer);
    g_autofree char *share = ps_format_share(skipped);
    g_autofree char *text =
        g_strdup_printf("%s of the cycles: they repeat what was simulated", share);
    if (skipped > 0)
        print_line(page, "Skipped", text);
}

/* ---- with and without a what-if ------------------------------------------------------------ */

/* Names the one of the two that the roofline clamps. */
static const char *describe_clamped(const PsAnswer *a, const PsAnswer *b)
{
    return a->clamped && b->clamped ? "both times, to what the roofline allows"
           : a->clamped             ? "the time as it is, to what the roofline allows"
                                    : "the time of the what-if, to what the roofline allows";
}

static void print_side_by_side(const Page *page)
{
    const PsAnswer *a = page->report->answer, *b = page->report->what_if;
    static const char *const heads[] = {"", "as it is", "what if", "ratio"};
    g_autoptr(PsTable) table = ps_table_new("lrrr");
    for (guint i = 0; i < G_N_ELEMENTS(heads); i++)
        ps_table_add(table, g_strdup(heads[i]));
    ps_table_add_joined(table, PS_VIEW_WHAT_IF_PAGE, page->facts, page->what_if);
    ps_paper_table(page->paper, table, 0);
    ps_paper_gap(page->paper);
    print_line(page, "What if", page->report->what_if_text);
    if (a->clamped || b->clamped)
        print_line(page, "Clamped", describe_clamped(a, b));
}

/* ---- the answer, and what it rests on ------------------------------------------------------ */

static void print_answer(const Page *page)
{
    print_sentences(page, PS_VIEW_ANSWER_PARTIAL);
    if (page->what_if)
        print_side_by_side(page);
    else
        print_sentences(page, PS_VIEW_ANSWER_TIMES);
    print_sentences(page, PS_VIEW_ANSWER_LIMIT);
    if (!(page->report->shows & PS_EXPLAIN_SHOWS_ADVICE))
        print_sentences(page, PS_VIEW_ANSWER_HELP);
}

static void print_listing(const Page *page, const PsAnswer *answer, const char *which)
{
    g_autoptr(PsListing) listing = ps_listing_new(answer, page->report->machine);
    ps_listing_text(listing, which, page->paper);
}

/* Parts on request do not stand below those that everybody gets. */
static void print_asked(const Page *page)
{
    const PsAnswerPage *report = page->report;
    if (report->timeline)
        ps_paper_drawing(page->paper, report->timeline);
    ps_explain_text(report->answer, page->facts, report->shows, report->what_if ? "as it is" : NULL,
                    page->paper);
    if (report->what_if)
        ps_explain_text(report->what_if, page->what_if, report->shows, "what if", page->paper);
    if (report->machine)
        print_listing(page, report->answer, report->what_if ? "as it is" : NULL);
    if (report->machine && report->what_if)
        print_listing(page, report->what_if, "what if");
    if (report->timeline || report->shows || report->machine)
        ps_paper_gap(page->paper);
}

/* ---- pipelines, classes, lines ------------------------------------------------------------- */

/* TRUE if a line's instructions use several pipelines: it can keep all of them busy at once. */
static gboolean is_above_all(const PsAnswer *answer)
{
    for (guint i = 0; answer && i < answer->lines->len; i++)
        if (ps_answer_share(answer, answer->lines->pdata[i]) > 1)
            return TRUE;
    return FALSE;
}

static void print_view(const Page *page, PsViewId view)
{
    (void)ps_paper_view(page->paper, view, page->facts, page->what_if, NULL);
}

static void print_lines(const Page *page)
{
    print_view(page, PS_VIEW_LINES_PAGE);
    if (is_above_all(page->report->answer) || is_above_all(page->report->what_if))
        ps_paper_text(
            page->paper, "  ",
            "busy: how long the line kept pipelines busy, which is above 100 % where it kept "
            "several");
}

static void print_warnings(const Page *page)
{
    const PsAnswer *answer = page->report->answer;
    const GPtrArray *of_code = page->report->alone ? answer->idg->warnings : NULL;
    const guint n = of_code ? of_code->len : 0;
    if (n + answer->warnings->len > 0)
        ps_paper_heading(page->paper, "Warnings");
    for (guint i = 0; i < n; i++)
        ps_paper_text(page->paper, "  - ", of_code->pdata[i]);
    for (guint i = 0; i < answer->warnings->len; i++)
        ps_paper_text(page->paper, "  - ", answer->warnings->pdata[i]);
}

static void print_tables(const Page *page)
{
    const PsAnswer *answer = page->report->answer;
    print_skipped(page);
    if (answer->pipelines->len) {
        g_autofree char *where = ps_sentence_cus(answer);
        g_autofree char *text =
            g_strdup_printf("On %s (wait: mean cycles that a ready instruction queues)", where);
        ps_paper_preface(page->paper, text);
        print_view(page, PS_VIEW_PIPELINES_PAGE);
        if (ps_busiest_server(answer))
            print_view(page, PS_VIEW_LEVELS_PAGE);
        print_view(page, PS_VIEW_CLASSES_PAGE);
    }
    print_lines(page);
    if (ps_has_roofline_values(answer)) {
        ps_paper_heading(page->paper,
                         "Quantitative roofline (operations, bytes, and these per second)");
        ps_put_roofline_values(&answer->roofline, page->paper);
    }
}

void ps_answer_page(const PsAnswerPage *report, const PsPaper *paper)
{
    g_autoptr(PsTold) facts = ps_answer_told(report->answer, report->measured);
    g_autoptr(PsTold) what_if =
        report->what_if ? ps_answer_told(report->what_if, report->measured) : NULL;
    const Page page = {report, facts, what_if, paper};
    print_title(&page);
    print_answer(&page);
    print_asked(&page);
    print_sentences(&page, PS_VIEW_ANSWER_GROUNDS);
    if (report->tables)
        print_tables(&page);
    else if (report->more)
        print_line(&page, "More", report->more);
    print_warnings(&page);
}
