/* SPDX-License-Identifier: BSD-3-Clause */
/* The formats of a sweep for programs; see format.h. */
#include "sweep/format.h"

#include "tell/varied.h"

static void nothing(PsSweepPage *page)
{
    (void)page;
}

static void csv_begin_page(PsSweepPage *page)
{
    g_string_append(page->out, page->csv->header);
}

static void csv_row(PsSweepPage *page, const PsSweepPoint *point, const PsReported *report)
{
    ps_sweep_csv_row(page->csv, point, report, page->out);
}

static void csv_failed(PsSweepPage *page, const PsSweepPoint *point)
{
    ps_sweep_csv_failed(page->csv, point, "", page->out);
}

static void csv_refused(PsSweepPage *page, const PsSweepPoint *point, const PsReported *blank,
                        const char *why)
{
    (void)blank;
    ps_sweep_csv_failed(page->csv, point, why, page->out);
}

static void json_begin(PsSweepPage *page)
{
    g_string_append(page->out, "[\n");
}

static void json_row(PsSweepPage *page, const PsSweepPoint *point, const PsReported *report)
{
    PsJson json = {.out = page->out};
    (void)point;
    g_string_append(page->out, page->rows ? ",\n" : "");
    ps_reported_json(report, &json);
}

static void json_refused(PsSweepPage *page, const PsSweepPoint *point, const PsReported *blank,
                         const char *why)
{
    g_autoptr(PsTold) facts = ps_told_new();
    PsJson json = {.out = page->out};
    ps_tell(facts, PS_FACT_REFUSED_REFUSED, point->name);
    ps_tell(facts, PS_FACT_REFUSED_ON, point->gpu->name);
    ps_tell_open(facts, PS_FACT_RUN_VARIED);
    ps_tell_varied(blank->vary, point->values, point->known, facts);
    ps_tell_close(facts);
    ps_tell(facts, PS_FACT_REFUSED_ERROR, why);
    g_string_append(page->out, page->rows ? ",\n" : "");
    ps_json_told_object(&json, facts);
}

static void json_end(PsSweepPage *page)
{
    g_string_append(page->out, page->rows ? "\n]\n" : "]\n");
}

const PsSweepFormat *ps_sweep_format(PsSweepForm form)
{
    static const PsSweepFormat formats[] = {
        [PS_SWEEP_TEXT] = {nothing, ps_sweep_text_row, NULL, ps_sweep_text_refused,
                           ps_sweep_text_end, FALSE},
        [PS_SWEEP_JSON] = {json_begin, json_row, NULL, json_refused, json_end, TRUE},
        [PS_SWEEP_MARKDOWN] = {nothing, ps_sweep_text_row, NULL, ps_sweep_text_refused,
                               ps_sweep_text_end, FALSE},
        [PS_SWEEP_CSV] = {csv_begin_page, csv_row, csv_failed, csv_refused, nothing, FALSE},
    };
    return &formats[form];
}
