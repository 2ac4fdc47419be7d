/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One line of comma-separated values for each run. What-ifs are further columns, so that a line
 * still is one point of a sweep.
 */
#include "cli/csv.h"
#include "cli/format.h"
#include "cli/loads.h"
#include "cli/report.h"

#include <math.h>

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

/* Columns that follow others, as they are to be written. */
static void put_words(GString *out, const char *words)
{
    g_string_append_printf(out, ",%s", words);
}

void report_csv_header(const Report *report, GString *out)
{
    csv_put(out, "kernel");
    csv_put(out, "gpu");
    for (guint i = 0; i < report->vary->len; i++)
        csv_put(out, ((const Vary *)report->vary->pdata[i])->name);
    put_words(out, "active_groups,active_warps,occupancy,cycles,seconds,gflops,busiest,busy,"
                   "roofline_seconds,ceiling_seconds,roofline_ratio,result_seconds,clamped");
    if (report->what_if_text)
        put_words(out, "what_if_cycles,what_if_seconds,what_if_gflops,what_if_busiest,"
                       "what_if_busy,what_if_roofline_ratio,what_if_result_seconds,"
                       "what_if_clamped,ratio");
    if (report->measured > 0)
        put_words(out, "measured_seconds,error_simulated,error_roofline,error_result");
    g_string_append_c(out, '\n');
}

/* Empty where it is not known. */
static void put_known(GString *out, double value)
{
    if (isfinite(value))
        put_double(out, value);
    else
        csv_put(out, "");
}

static void put_simulated(const Answer *answer, GString *out)
{
    const double gflops = answer_gflops(answer, answer->simulated);
    put_rational(out, answer->result.cycles);
    put_double(out, answer->simulated);
    put_known(out, gflops > 0 ? gflops : NAN);
    double load;
    const char *busiest = load_busiest(answer, &load);
    csv_put(out, busiest ? busiest : "");
    put_double(out, load);
}

static void put_result(const Answer *answer, GString *out)
{
    put_known(out, answer->ratio);
    put_double(out, answer->seconds);
    csv_put(out, answer->clamped ? "true" : "false");
}

static void put_measured(const Answer *answer, double measured, GString *out)
{
    const AnswerErrors errors = answer_errors(answer, measured);
    put_double(out, measured);
    put_known(out, errors.simulated);
    put_known(out, errors.roofline);
    put_known(out, errors.result);
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
    put_simulated(answer, out);
    put_known(out, answer->bound.prediction.seconds);
    put_known(out, answer->bound.prediction.ceiling_seconds);
    put_result(answer, out);
    if (report->what_if) {
        put_simulated(report->what_if, out);
        put_result(report->what_if, out);
        put_double(out, answer_ratio(report->what_if, answer));
    }
    if (report->measured > 0)
        put_measured(answer, report->measured, out);
    g_string_append_c(out, '\n');
}
