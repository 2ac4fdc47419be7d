/* SPDX-License-Identifier: BSD-3-Clause */
/* The facts of one run and of everything asked for in addition, and programs' view of them. */
#include "tell/reported.h"

#include "answer/explain.h"
#include "answer/figures.h"
#include "tell/answer-page.h"
#include "tell/answer.h"
#include "tell/facts-csv.h"
#include "tell/listing-text.h"
#include "tell/varied.h"

#include <math.h>

static void tell_answer(const PsAnswer *answer, double measured, const PsSassCode *machine,
                        PsTold *facts)
{
    g_autoptr(PsListing) listing = machine ? ps_listing_new(answer, machine) : NULL;
    ps_tell_answer(answer, measured, facts);
    if (listing)
        ps_tell_listing(listing, facts);
}

static void tell_vary(const PsReported *report, guint known, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_RUN_VARIED);
    ps_tell_varied(report->vary, report->values, known, facts);
    for (guint i = known; i < report->vary->len; i++)
        ps_tell_entry_number(facts, ((const PsSweepAxis *)report->vary->pdata[i])->name, NAN);
    ps_tell_close(facts);
}

PsTold *ps_reported_told(const PsReported *report)
{
    PsTold *facts = ps_told_new();
    tell_answer(report->answer, report->measured, report->machine, facts);
    if (report->vary->len)
        tell_vary(report, report->vary->len, facts);
    if (report->what_if) {
        ps_tell_open(facts, PS_FACT_RUN_WHAT_IF);
        tell_answer(report->what_if, report->measured, report->machine, facts);
        ps_tell(facts, PS_FACT_RUN_WHAT_IF_LATENCIES, report->what_if_text);
        ps_tell(facts, PS_FACT_RUN_WHAT_IF_RATIO, ps_answer_ratio(report->what_if, report->answer));
        ps_tell_close(facts);
    }
    return facts;
}

PsTold *ps_reported_blank(const PsReported *report, const char *kernel, const char *gpu,
                          guint known)
{
    PsTold *facts = ps_told_new();
    ps_tell(facts, PS_FACT_KERNEL, kernel);
    ps_tell(facts, PS_FACT_GPU, gpu);
    tell_vary(report, known, facts);
    if (report->what_if_text) {
        ps_tell_open(facts, PS_FACT_RUN_WHAT_IF);
        ps_tell_close(facts);
    }
    if (report->measured > 0) {
        ps_tell_open(facts, PS_FACT_MEASURED);
        if (!kernel)
            ps_tell(facts, PS_FACT_MEASURED_SECONDS, report->measured);
        ps_tell_close(facts);
    }
    return facts;
}

void ps_reported_text(const PsReported *report, const PsPaper *paper)
{
    const PsAnswerPage page = {.answer = report->answer,
                               .what_if = report->what_if,
                               .what_if_text = report->what_if_text,
                               .measured = report->measured,
                               .shows = report->shows,
                               .timeline = report->timeline,
                               .tables = report->tables,
                               .alone = paper->form != PS_PAPER_TEXT,
                               .more = paper->form == PS_PAPER_TEXT ? report->more : NULL,
                               .machine = report->machine};
    ps_answer_page(&page, paper);
}

void ps_reported_json(const PsReported *report, PsJson *json)
{
    g_autoptr(PsTold) facts = ps_reported_told(report);
    ps_json_told_object(json, facts);
}

void ps_reported_csv(const PsReported *report, GString *out)
{
    static const struct {
        guint shows;
        PsViewId view;
    } views[] = {{PS_EXPLAIN_SHOWS_PATH, PS_VIEW_EXPLAIN},
                 {PS_EXPLAIN_SHOWS_SENSITIVITY, PS_VIEW_SENSITIVITY},
                 {PS_EXPLAIN_SHOWS_ADVICE, PS_VIEW_ADVISE}};
    g_autoptr(PsTold) facts = ps_reported_told(report);
    PsViewId view = PS_VIEW_RUN;
    for (guint i = 0; i < G_N_ELEMENTS(views); i++)
        if (report->shows == views[i].shows)
            view = views[i].view;
    ps_csv_told(out, view, facts);
}

PsTold *ps_reported_answer_told(const PsAnswer *answer, const PsSassCode *machine)
{
    PsTold *facts = ps_told_new();
    tell_answer(answer, 0, machine, facts);
    return facts;
}
