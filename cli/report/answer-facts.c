/* SPDX-License-Identifier: BSD-3-Clause */
/* The facts of one run and of what was asked for besides, and what programs read of them. */
#include "cli/report/answer.h"

#include <math.h>

static void tell_answer(const PsAnswer *answer, double measured, const PsSassCode *machine,
                        PsTold *facts)
{
    g_autoptr(PsListing) listing = machine ? ps_listing_new(answer, machine) : NULL;
    ps_tell_answer(answer, measured, facts);
    if (listing)
        ps_tell_listing(listing, facts);
}

static void tell_vary(const Report *report, guint known, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_RUN_VARIED);
    ps_tell_varied(report->vary, report->values, known, facts);
    for (guint i = known; i < report->vary->len; i++)
        ps_tell_entry_number(facts, ((const PsSweepAxis *)report->vary->pdata[i])->name, NAN);
    ps_tell_close(facts);
}

PsTold *report_told(const Report *report)
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

PsTold *report_told_blank(const Report *report, const char *kernel, const char *gpu, guint known)
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

/* What else a page can have. */
#define MORE                                                                                       \
    "--tables (by pipeline, class and line), --explain (where the time goes), --advise (what "     \
    "each change would give)"

void report_text(const Report *report, const PsPaper *paper)
{
    const PsAnswerPage page = {.answer = report->answer,
                               .what_if = report->what_if,
                               .what_if_text = report->what_if_text,
                               .measured = report->measured,
                               .shows = report->shows,
                               .timeline = report->timeline,
                               .tables = report->tables,
                               .alone = paper->form != PS_PAPER_TEXT,
                               .more = paper->form == PS_PAPER_TEXT ? MORE : NULL,
                               .machine = report->machine};
    ps_answer_page(&page, paper);
}

void report_json(const Report *report, PsJson *json)
{
    g_autoptr(PsTold) facts = report_told(report);
    ps_json_told_object(json, facts);
}

void report_csv(const Report *report, GString *out)
{
    static const struct {
        guint shows;
        PsViewId view;
    } views[] = {{PS_EXPLAIN_SHOWS_PATH, PS_VIEW_EXPLAIN},
                 {PS_EXPLAIN_SHOWS_SENSITIVITY, PS_VIEW_SENSITIVITY},
                 {PS_EXPLAIN_SHOWS_ADVICE, PS_VIEW_ADVISE}};
    g_autoptr(PsTold) facts = report_told(report);
    PsViewId view = PS_VIEW_RUN;
    for (guint i = 0; i < G_N_ELEMENTS(views); i++)
        if (report->shows == views[i].shows)
            view = views[i].view;
    ps_csv_told(out, view, facts);
}

PsTold *report_answer_told(const PsAnswer *answer, const PsSassCode *machine)
{
    PsTold *facts = ps_told_new();
    tell_answer(answer, 0, machine, facts);
    return facts;
}
