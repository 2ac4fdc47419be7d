/* SPDX-License-Identifier: BSD-3-Clause */
/* The formats of a sweep that programs read; see sweep-format.h. */
#include "cli/sweep-format.h"

static void nothing(SweepPage *page)
{
    (void)page;
}

static void csv_row(SweepPage *page, const Report *report)
{
    if (!page->rows)
        report_csv_header(report, page->out);
    report_csv_row(report, page->out);
}

static void json_begin(SweepPage *page)
{
    g_string_append(page->out, "[\n");
}

static void json_row(SweepPage *page, const Report *report)
{
    Json json = {.out = page->out};
    g_string_append(page->out, page->rows ? ",\n" : "");
    report_json(report, &json);
}

static void json_end(SweepPage *page)
{
    g_string_append(page->out, page->rows ? "\n]\n" : "]\n");
}

const SweepFormat *sweep_format(Format format)
{
    static const SweepFormat formats[] = {
        [FORMAT_TEXT] = {nothing, sweep_text_row, nothing, FALSE},
        [FORMAT_JSON] = {json_begin, json_row, json_end, TRUE},
        [FORMAT_CSV] = {nothing, csv_row, nothing, FALSE},
    };
    return &formats[format];
}
