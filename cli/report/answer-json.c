/* SPDX-License-Identifier: BSD-3-Clause */
/* The facts of one run and of what was asked for besides, and their JSON. */
#include "cli/report/answer.h"

static void tell_answer(const PsAnswer *answer, double measured, const PsSassCode *machine,
                        PsTold *facts)
{
    g_autoptr(PsListing) listing = machine ? ps_listing_new(answer, machine) : NULL;
    ps_tell_answer(answer, measured, facts);
    if (listing)
        ps_tell_listing(listing, facts);
}

void report_tell_varied(const GPtrArray *vary, const PsRational *values, guint n, PsTold *facts)
{
    for (guint i = 0; i < n; i++) {
        const PsSweepAxis *axis = vary->pdata[i];
        if (axis->words)
            ps_tell_entry_text(facts, axis->name, axis->words->pdata[values[i].num]);
        else
            ps_tell_entry_exact(facts, axis->name, values[i]);
    }
}

void report_json(const Report *report, PsJson *json)
{
    g_autoptr(PsTold) facts = ps_told_new();
    tell_answer(report->answer, report->measured, report->machine, facts);
    if (report->vary->len) {
        ps_tell_open(facts, PS_FACT_VARIED);
        report_tell_varied(report->vary, report->values, report->vary->len, facts);
        ps_tell_close(facts);
    }
    if (report->what_if) {
        ps_tell_open(facts, PS_FACT_WHAT_IF);
        tell_answer(report->what_if, report->measured, report->machine, facts);
        ps_tell(facts, PS_FACT_WHAT_IF_LATENCIES, report->what_if_text);
        ps_tell_close(facts);
    }
    ps_json_told_object(json, facts);
}

void report_tell_answer(PsGroupFact key, const PsAnswer *answer, const PsSassCode *machine,
                        PsTold *facts)
{
    ps_tell_open(facts, key);
    tell_answer(answer, 0, machine, facts);
    ps_tell_close(facts);
}
