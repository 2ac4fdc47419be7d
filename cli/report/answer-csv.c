/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One line of comma-separated values for each run. What-ifs are further columns, so that a line
 * still is one point of a sweep. A line that is there already can be checked cell by cell: only
 * what is written here passes.
 */
#include "cli/report/csv.h"
#include "cli/report/answer.h"
#include "pipesim-private.h"

#include <math.h>
#include <string.h>

/* ---- columns ------------------------------------------------------------------------------- */

typedef enum {
    CELL_COUNT,    /* from 1 */
    CELL_CYCLES,   /* as ps_format_rational has them */
    CELL_FIGURE,   /* as ps_format_plain has it, not below 0 */
    CELL_KNOWN,    /* the same, or empty */
    CELL_ERROR,    /* of any sign, or empty */
    CELL_MEASURED, /* what was told */
    CELL_FLAG,
    CELL_NAME,
} CellType;

typedef struct {
    const char *name;
    CellType type;
} Column;

static const Column RESULTS[] = {
    {"active_groups", CELL_COUNT},    {"active_warps", CELL_COUNT},
    {"occupancy", CELL_FIGURE},       {"cycles", CELL_CYCLES},
    {"seconds", CELL_FIGURE},         {"gflops", CELL_KNOWN},
    {"busiest", CELL_NAME},           {"busy", CELL_FIGURE},
    {"roofline_seconds", CELL_KNOWN}, {"ceiling_seconds", CELL_KNOWN},
    {"roofline_ratio", CELL_KNOWN},   {"result_seconds", CELL_FIGURE},
    {"clamped", CELL_FLAG},           {"half_width_seconds", CELL_FIGURE},
};

static const Column WHAT_IF[] = {
    {"what_if_cycles", CELL_CYCLES},
    {"what_if_seconds", CELL_FIGURE},
    {"what_if_gflops", CELL_KNOWN},
    {"what_if_busiest", CELL_NAME},
    {"what_if_busy", CELL_FIGURE},
    {"what_if_roofline_ratio", CELL_KNOWN},
    {"what_if_result_seconds", CELL_FIGURE},
    {"what_if_clamped", CELL_FLAG},
    {"what_if_half_width_seconds", CELL_FIGURE},
    {"ratio", CELL_FIGURE},
};

static const Column MEASURED[] = {
    {"measured_seconds", CELL_MEASURED},
    {"error_simulated", CELL_ERROR},
    {"error_roofline", CELL_ERROR},
    {"error_result", CELL_ERROR},
};

/* The i-th column of results; NULL behind the last. */
static const Column *result_column(const Report *report, guint i)
{
    if (i < G_N_ELEMENTS(RESULTS))
        return &RESULTS[i];
    i -= G_N_ELEMENTS(RESULTS);
    if (report->what_if_text) {
        if (i < G_N_ELEMENTS(WHAT_IF))
            return &WHAT_IF[i];
        i -= G_N_ELEMENTS(WHAT_IF);
    }
    return report->measured > 0 && i < G_N_ELEMENTS(MEASURED) ? &MEASURED[i] : NULL;
}

void report_csv_header(const Report *report, GString *out)
{
    const Column *column;
    csv_put(out, "kernel");
    csv_put(out, "gpu");
    for (guint i = 0; i < report->vary->len; i++)
        csv_put(out, ((const PsSweepAxis *)report->vary->pdata[i])->name);
    for (guint i = 0; (column = result_column(report, i)) != NULL; i++)
        csv_put(out, column->name);
    g_string_append_c(out, '\n');
}

/* ---- cells that are there ------------------------------------------------------------------ */

static gboolean is_count(const char *text)
{
    guint64 value;
    return *text != '0' && g_ascii_string_to_unsigned(text, 10, 1, G_MAXINT64, &value, NULL);
}

/* As ps_format_plain writes a number. */
static gboolean is_figure(const char *text, gboolean may_be_negative)
{
    char *end;
    const double value = g_ascii_strtod(text, &end);
    if (end == text || *end || !isfinite(value) || (signbit(value) && !may_be_negative))
        return FALSE;
    g_autofree char *plain = ps_format_plain(value);
    return strcmp(text, plain) == 0;
}

/* A whole number without zeros in front, and perhaps a fraction without zeros behind. */
static gboolean is_decimal(const char *text)
{
    static const char digits[] = "0123456789";
    const gsize whole = strspn(text, digits);
    if (whole == 0 || whole > strlen("9223372036854775807") || (*text == '0' && whole > 1))
        return FALSE;
    if (!text[whole])
        return TRUE;
    const char *fraction = text + whole + 1;
    const gsize places = strspn(fraction, digits);
    return text[whole] == '.' && places > 0 && !fraction[places] && fraction[places - 1] != '0';
}

/* Whether it is quoted as csv_put quotes. */
static gboolean is_name(const char *cell)
{
    g_autoptr(GString) text = g_string_new(NULL), again = g_string_new(NULL);
    const gboolean quoted = *cell == '"';
    const gsize length = strlen(cell);
    if (quoted && (length < 2 || cell[length - 1] != '"'))
        return FALSE;
    g_string_append_len(text, cell + quoted, (gssize)(length - 2 * (gsize)quoted));
    g_string_replace(text, "\"\"", "\"", 0);
    csv_put(again, text->str);
    return strcmp(cell, again->str) == 0;
}

static gboolean is_measured(const char *cell, double measured)
{
    g_autofree char *text = ps_format_plain(measured);
    return strcmp(cell, text) == 0;
}

gboolean report_csv_is_result(const Report *report, guint i, const char *cell, const char **name)
{
    const Column *column = result_column(report, i);
    *name = column->name;
    switch (column->type) {
    case CELL_COUNT:
        return is_count(cell);
    case CELL_CYCLES:
        return is_decimal(cell) || is_figure(cell, FALSE);
    case CELL_FIGURE:
        return is_figure(cell, FALSE);
    case CELL_KNOWN:
        return !*cell || is_figure(cell, FALSE);
    case CELL_ERROR:
        return !*cell || is_figure(cell, TRUE);
    case CELL_MEASURED:
        return is_measured(cell, report->measured);
    case CELL_FLAG:
        return strcmp(cell, "true") == 0 || strcmp(cell, "false") == 0;
    case CELL_NAME:
        return is_name(cell);
    }
    return FALSE;
}

/* ---- writing ------------------------------------------------------------------------------- */

static void put_int(GString *out, gint64 value)
{
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, value);
    csv_put(out, text);
}

static void put_double(GString *out, double value)
{
    g_autofree char *text = ps_format_plain(value);
    csv_put(out, text);
}

static void put_rational(GString *out, PsRational value)
{
    g_autofree char *text = ps_format_rational(value);
    csv_put(out, text);
}

/* Empty where it is not known. */
static void put_known(GString *out, double value)
{
    if (isfinite(value))
        put_double(out, value);
    else
        csv_put(out, "");
}

static void put_simulated(const PsAnswer *answer, GString *out)
{
    const double gflops = ps_answer_gflops(answer, answer->simulated);
    put_rational(out, answer->result.cycles);
    put_double(out, answer->simulated);
    put_known(out, gflops > 0 ? gflops : NAN);
    const PsBusiest busiest = ps_answer_busiest_part(answer);
    const char *name = ps_busiest_name(&busiest);
    csv_put(out, name ? name : "");
    put_double(out, busiest.load);
}

static void put_result(const PsAnswer *answer, GString *out)
{
    put_known(out, answer->ratio);
    put_double(out, answer->seconds);
    csv_put(out, answer->clamped ? "true" : "false");
    put_double(out, answer->half_width);
}

static void put_measured(const PsAnswer *answer, double measured, GString *out)
{
    const PsAnswerErrors errors = ps_answer_errors(answer, measured);
    put_double(out, measured);
    put_known(out, errors.simulated);
    put_known(out, errors.roofline);
    put_known(out, errors.result);
}

void report_csv_key(const char *name, const PsGpu *gpu, const GPtrArray *vary,
                    const PsRational *values, guint n, GString *out)
{
    csv_put(out, name);
    csv_put(out, gpu->name);
    for (guint i = 0; i < n; i++) {
        const PsSweepAxis *axis = vary->pdata[i];
        if (axis->words)
            csv_put(out, axis->words->pdata[values[i].num]);
        else
            put_rational(out, values[i]);
    }
}

void report_csv_row(const Report *report, GString *out)
{
    const PsAnswer *answer = report->answer;
    const PsLaunch *launch = &answer->machine->launch;
    report_csv_key(answer->idg->name, answer->gpu, report->vary, report->values, report->vary->len,
                   out);
    put_int(out, launch->active_groups);
    put_int(out, launch->active_groups * launch->warps_per_group);
    put_double(out, launch->occupancy);
    put_simulated(answer, out);
    put_known(out, answer->roofline.prediction.seconds);
    put_known(out, answer->roofline.prediction.ceiling_seconds);
    put_result(answer, out);
    if (report->what_if) {
        put_simulated(report->what_if, out);
        put_result(report->what_if, out);
        put_double(out, ps_answer_ratio(report->what_if, answer));
    }
    if (report->measured > 0)
        put_measured(answer, report->measured, out);
    g_string_append_c(out, '\n');
}
