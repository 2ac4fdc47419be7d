/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The JSON of one run: its facts (tell/answer.h), and what was asked for besides.
 */
#include "cli/report/answer.h"

#include "cli/report/explain.h"
#include "cli/report/listing.h"

static void put_answer(const PsAnswer *answer, double measured, const PsSassCode *machine,
                       PsJson *json)
{
    g_autoptr(PsTold) facts = ps_answer_told(answer, measured);
    ps_json_told(json, facts);
    explain_json(answer, json);
    g_autoptr(PsListing) listing = machine ? ps_listing_new(answer, machine) : NULL;
    if (listing)
        listing_json(listing, json);
}

void report_json_varied(const GPtrArray *vary, const PsRational *values, guint n, PsJson *json)
{
    for (guint i = 0; i < n; i++) {
        const PsSweepAxis *axis = vary->pdata[i];
        if (axis->words)
            ps_json_text(json, axis->name, axis->words->pdata[values[i].num]);
        else
            ps_json_exact(json, axis->name, values[i]);
    }
}

void report_json(const Report *report, PsJson *json)
{
    ps_json_open(json, NULL, '{', PS_JSON_LINES);
    put_answer(report->answer, report->measured, report->machine, json);
    if (report->vary->len) {
        ps_json_open(json, "varied", '{', PS_JSON_LINE);
        report_json_varied(report->vary, report->values, report->vary->len, json);
        ps_json_close(json, '}');
    }
    if (report->what_if) {
        ps_json_open(json, "what_if", '{', PS_JSON_LINES);
        put_answer(report->what_if, report->measured, report->machine, json);
        ps_json_text(json, "latencies", report->what_if_text);
        ps_json_close(json, '}');
    }
    ps_json_close(json, '}');
}

void report_json_answer(const char *key, const PsAnswer *answer, const PsSassCode *machine,
                        PsJson *json)
{
    ps_json_open(json, key, '{', PS_JSON_LINES);
    put_answer(answer, 0, machine, json);
    ps_json_close(json, '}');
}
