/* SPDX-License-Identifier: BSD-3-Clause */
/* The formats of a sweep that programs read; see format.h. */
#include "cli/sweep/format.h"

static void nothing(SweepPage *page)
{
    (void)page;
}

static void csv_begin_page(SweepPage *page)
{
    g_string_append(page->out, page->csv->header);
}

static void csv_row(SweepPage *page, const Point *point, const Report *report)
{
    sweep_csv_row(page->csv, point, report, page->out);
}

static void csv_failed(SweepPage *page, const Point *point)
{
    sweep_csv_failed(page->csv, point, "", page->out);
}

static void csv_refused(SweepPage *page, const Point *point, const Report *blank, const char *why)
{
    (void)blank;
    sweep_csv_failed(page->csv, point, why, page->out);
}

static void json_begin(SweepPage *page)
{
    g_string_append(page->out, "[\n");
}

static void json_row(SweepPage *page, const Point *point, const Report *report)
{
    PsJson json = {.out = page->out};
    (void)point;
    g_string_append(page->out, page->rows ? ",\n" : "");
    report_json(report, &json);
}

static void json_refused(SweepPage *page, const Point *point, const Report *blank, const char *why)
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

static void json_end(SweepPage *page)
{
    g_string_append(page->out, page->rows ? "\n]\n" : "]\n");
}

const SweepFormat *sweep_format(Format format)
{
    static const SweepFormat formats[] = {
        [FORMAT_TEXT] = {nothing, sweep_text_row, NULL, sweep_text_refused, sweep_text_end, FALSE},
        [FORMAT_JSON] = {json_begin, json_row, NULL, json_refused, json_end, TRUE},
        [FORMAT_MARKDOWN] = {nothing, sweep_text_row, NULL, sweep_text_refused, sweep_text_end,
                             FALSE},
        [FORMAT_CSV] = {csv_begin_page, csv_row, csv_failed, csv_refused, nothing, FALSE},
    };
    return &formats[format];
}
