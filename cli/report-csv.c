/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One line of comma-separated values for each run. What-ifs are further columns, so that a line
 * still is one point of a sweep.
 */
#include "cli/csv.h"
#include "cli/format.h"
#include "cli/report.h"

static void put_int(GString *out, gint64 value)
{
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, value);
    csv_put(out, text);
}

static void put_double(GString *out, double value)
{
    g_autofree char *text = format_plain(value);
    csv_put(out, text);
}

static void put_rational(GString *out, PsRational value)
{
    g_autofree char *text = format_rational(value);
    csv_put(out, text);
}

void report_csv_header(const Report *report, GString *out)
{
    csv_put(out, "kernel");
    csv_put(out, "gpu");
    for (guint i = 0; i < report->vary->len; i++)
        csv_put(out, ((const Vary *)report->vary->pdata[i])->name);
    static const char *const columns[] = {"active_groups", "active_warps", "occupancy", "cycles",
                                          "seconds",       "gflops",       "busiest",   "busy"};
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
        csv_put(out, columns[i]);
    static const char *const more[] = {"what_if_cycles",  "what_if_seconds", "what_if_gflops",
                                       "what_if_busiest", "what_if_busy",    "ratio"};
    for (guint i = 0; report->what_if_text && i < G_N_ELEMENTS(more); i++)
        csv_put(out, more[i]);
    g_string_append_c(out, '\n');
}

static void put_result(const Answer *answer, GString *out)
{
    put_rational(out, answer->result.cycles);
    put_double(out, answer->seconds);
    if (answer->gflops > 0)
        put_double(out, answer->gflops);
    else
        csv_put(out, "");
    const PsStatsRow *busiest = answer_busiest(answer);
    csv_put(out, busiest ? busiest->name : "");
    put_double(out, answer_busy(answer));
}

void report_csv_key(const PsIdg *idg, const PsGpu *gpu, const PsRational *values, guint n,
                    GString *out)
{
    csv_put(out, idg->name);
    csv_put(out, gpu->name);
    for (guint i = 0; i < n; i++)
        put_rational(out, values[i]);
}

void report_csv_row(const Report *report, GString *out)
{
    const Answer *answer = report->answer;
    const PsLaunch *launch = &answer->machine->launch;
    report_csv_key(answer->idg, answer->gpu, report->values, report->vary->len, out);
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
