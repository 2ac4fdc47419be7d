/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One line of comma-separated values for each run, quoted as RFC 4180 says but with the line ends
 * of this system. What-ifs are further columns, so that a line still is one point of a sweep.
 */
#include "cli/report.h"

#include "cli/format.h"

#include <string.h>

static void put(GString *out, const char *text)
{
    if (out->len && out->str[out->len - 1] != '\n')
        g_string_append_c(out, ',');
    if (!strpbrk(text, ",\"\r\n")) {
        g_string_append(out, text);
        return;
    }
    g_string_append_c(out, '"');
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            g_string_append_c(out, '"');
        g_string_append_c(out, *c);
    }
    g_string_append_c(out, '"');
}

static void put_int(GString *out, gint64 value)
{
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, value);
    put(out, text);
}

static void put_double(GString *out, double value)
{
    g_autofree char *text = format_plain(value);
    put(out, text);
}

static void put_rational(GString *out, PsRational value)
{
    g_autofree char *text = format_rational(value);
    put(out, text);
}

void report_csv_header(const Report *report, GString *out)
{
    put(out, "kernel");
    put(out, "gpu");
    for (guint i = 0; i < report->vary->len; i++)
        put(out, ((const Vary *)report->vary->pdata[i])->name);
    static const char *const columns[] = {"active_groups", "active_warps", "occupancy", "cycles",
                                          "seconds",       "gflops",       "busiest",   "busy"};
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
        put(out, columns[i]);
    static const char *const more[] = {"what_if_cycles",  "what_if_seconds", "what_if_gflops",
                                       "what_if_busiest", "what_if_busy",    "ratio"};
    for (guint i = 0; report->what_if && i < G_N_ELEMENTS(more); i++)
        put(out, more[i]);
    g_string_append_c(out, '\n');
}

static void put_result(const Answer *answer, GString *out)
{
    put_rational(out, answer->result.cycles);
    put_double(out, answer->seconds);
    if (answer->gflops > 0)
        put_double(out, answer->gflops);
    else
        put(out, "");
    const PsStatsRow *busiest = answer_busiest(answer);
    put(out, busiest ? busiest->name : "");
    put_double(out, answer_busy(answer));
}

void report_csv_row(const Report *report, GString *out)
{
    const Answer *answer = report->answer;
    const PsLaunch *launch = &answer->machine->launch;
    put(out, answer->idg->name);
    put(out, answer->gpu->name);
    for (guint i = 0; i < report->vary->len; i++)
        put_rational(out, report->values[i]);
    put_int(out, launch->active_groups);
    put_int(out, launch->active_groups * launch->warps_per_group);
    put_double(out, launch->occupancy);
    put_result(answer, out);
    if (report->what_if) {
        put_result(report->what_if, out);
        put_double(out, answer_ratio(report->what_if, answer));
    }
    g_string_append_c(out, '\n');
}
