/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One kernel on one GPU as text: the answer, and every intermediate value under the paper's symbol
 * and with the number of its equation, so that each can be checked by hand.
 */
#include "tell/roofline-page.h"

#include "gpu/rows.h"
#include "tell/format.h"
#include "tell/roofline-facts.h"
#include "tell/roofline.h"

#include <math.h>

typedef struct {
    const PsProfileKernel *of;
    const PsRooflineGpu *on;
    const PsRooflineResult *result;
    const PsPaper *paper;
} Page;

/* ---- numbers ------------------------------------------------------------------------------- */

/* Ratio above which two times are equal but for rounding. */
#define NEARLY (1 - 1e-9)

/* "" for an unknown value. */
static char *text_of(double value, char *(*format)(double))
{
    return isnan(value) ? g_strdup("") : isinf(value) ? g_strdup("infinite") : format(value);
}

/* A rate in 10^9 per second. */
static char *giga(double value)
{
    return ps_format_number(value / 1e9);
}

/* "GFLOP/s", or "GIOP/s" for integers. */
static const char *rate_unit(PsKType type)
{
    return type == PS_K_INT ? "GIOP/s" : "GFLOP/s";
}

/* ---- the answer ---------------------------------------------------------------------------- */

static void put_title(const Page *page)
{
    g_autofree char *name = ps_text_clean(page->of->name);
    g_autofree char *chip = ps_format_chip(page->on->gpu, page->result->clock);
    g_autofree char *text = g_strdup_printf("%s on %s (%s)", name, page->on->gpu->name, chip);
    ps_paper_wrapped_title(page->paper, text);
    ps_paper_gap(page->paper);
}

/* "5.213 ms, 201.1 GFLOP/s". */
static char *time_and_rate(const Page *page, double seconds, double rate)
{
    g_autofree char *time = text_of(seconds, ps_format_time);
    if (!(rate > 0) || isinf(rate))
        return g_steal_pointer(&time);
    g_autofree char *number = giga(rate);
    return g_strdup_printf("%s, %s %s", time, number, rate_unit(page->of->params.K_type));
}

/* Tells what the time is spent on, and where it comes from; a ceiling that the equations leave out
 * may decide. */
static char *say_prediction(const Page *page, const char *time)
{
    const PsPrediction *p = &page->result->prediction;
    if (p->bound != PS_BOUND_CEILING)
        return g_strdup_printf("%s, for its %s (equation 19)%s", time, ps_predicted_for(p->bound),
                               ps_predicted_without(p->bound));
    g_autofree char *less = ps_format_time(p->equations_seconds);
    return g_strdup_printf("%s, the ceiling of %s (equations 10 to 19 leave that out: %s, for its "
                           "%s%s)",
                           time, ps_roofline_highest_words(page->of, page->result), less,
                           ps_predicted_for(p->equations_bound),
                           ps_predicted_without(p->equations_bound));
}

static void put_predicted(const Page *page)
{
    const PsPrediction *p = &page->result->prediction;
    if (!ps_predicted_for(p->bound)) {
        ps_paper_text(page->paper, "Predicted     ", "nothing, see below");
        return;
    }
    g_autofree char *time = time_and_rate(page, p->seconds, p->T_predicted);
    g_autofree char *text = isfinite(p->seconds) ? say_prediction(page, time) : NULL;
    ps_paper_text(page->paper, "Predicted     ", text ? text : "no time, see below");
}

static void put_measured(const Page *page)
{
    const double seconds = page->of->seconds;
    if (isnan(seconds))
        return;
    g_autofree char *time = time_and_rate(page, seconds, page->of->params.W_comp / seconds);
    g_autoptr(GString) text = g_string_new(time);
    if (ps_roofline_is_device(page->of->device)) {
        g_autofree char *device = ps_text_clean(page->of->device);
        g_string_append_printf(text, " on %s", device);
    }
    if (!isnan(page->result->error))
        g_string_append_printf(text, "; the prediction's error is %+.1f %%",
                               100 * page->result->error);
    ps_paper_text(page->paper, "Measured      ", text->str);
}

/* TRUE if all operations may be integer additions. */
static gboolean is_int(const Page *page)
{
    return page->of->params.K_type == PS_K_INT;
}

/* Puts the plain roofline, and the share of it that was reached, if the kernel was measured. */
static void put_efficiency(const Page *page)
{
    const PsPrediction *p = &page->result->prediction;
    if (isnan(page->result->efficiency))
        return;
    g_autoptr(GString) roof = g_string_new(NULL);
    if (p->attainable > 0 && !isinf(p->attainable)) {
        g_autofree char *rate = giga(p->attainable);
        g_string_append_printf(roof, "min(%s, O_krn * B_mem) = %s %s",
                               is_int(page) ? "max(T_op, T_add)" : "T_op", rate,
                               rate_unit(page->of->params.K_type));
    }
    if (!page->result->estimated) {
        g_autofree char *share = ps_format_share(page->result->efficiency);
        g_autofree char *room = ps_format_number(page->result->headroom);
        g_autofree char *text =
            g_strdup_printf("%s of the plain roofline%s%s; headroom: a factor of %s%s", share,
                            *roof->str ? " " : "", roof->str, room,
                            page->result->is_headroom_of_ceiling ? ", to the ceiling" : "");
        ps_paper_text(page->paper, "Efficiency    ", text);
    } else if (*roof->str) {
        ps_paper_text(page->paper, "Roofline      ", roof->str);
    }
}

static void put_ceiling(const Page *page)
{
    const PsCeilings *ceilings = &page->result->ceilings;
    if (ceilings->highest < 0)
        return;
    g_autofree char *time = ps_format_time(ceilings->seconds);
    g_autofree char *text = g_strdup_printf("%s at least, by %s: see Ceilings", time,
                                            ps_roofline_highest_words(page->of, page->result));
    ps_paper_text(page->paper, "Ceiling       ", text);
}

static void put_launches(const Page *page)
{
    if (page->of->launch) {
        g_autofree char *text = g_strdup_printf("number %" G_GINT64_FORMAT, page->of->launch);
        ps_paper_text(page->paper, "Launch        ", text);
    } else if (page->of->launches > 1) {
        g_autofree char *count = ps_format_count(page->of->launches);
        g_autofree char *text =
            g_strdup_printf("%s; times and counts are of all of them together", count);
        ps_paper_text(page->paper, "Launches      ", text);
    }
}

/* ---- what was not measured ----------------------------------------------------------------- */

/* Adds a name to a list of them. */
static void list_name(GString *names, const char *name, const char *what)
{
    g_string_append_printf(names, "%s%s", names->len ? ", " : "", what ? what : name);
    if (what)
        g_string_append_printf(names, " (%s)", name);
}

static void list_metrics(const PsMetrics *metrics, GString *names)
{
    static const char *const what[] = {
        [PS_M_FP64] = "double precision", [PS_M_FMA64] = "its multiply-adds",
        [PS_M_FP32] = "single precision", [PS_M_FMA32] = "its multiply-adds",
        [PS_M_INT] = "integers",          [PS_M_LDST] = "loads and stores",
        [PS_M_INST] = "all instructions", [PS_M_TRAN_R] = "bytes read",
        [PS_M_TRAN_W] = "bytes written"};
    for (PsMetric metric = 0; metric < G_N_ELEMENTS(what); metric++)
        if (isnan(metrics->value[metric]))
            list_name(names, ps_metric_name(metric), what[metric]);
}

static void list_parameters(const PsParams *k, GString *names)
{
    const struct {
        const char *name;
        double value;
    } parameters[] = {{"K_type", k->K_type == PS_K_UNKNOWN ? NAN : 0},
                      {"W_comp", k->W_comp},
                      {"W_traf", k->W_traf},
                      {"E_mix", k->E_mix},
                      {"D_ops", k->D_ops},
                      {"D_ldst", k->D_ldst}};
    for (guint i = 0; i < G_N_ELEMENTS(parameters); i++)
        if (isnan(parameters[i].value))
            list_name(names, parameters[i].name, NULL);
}

/* Tells once what to measure: tables below have no rows for unknown values. */
static void put_missing(const Page *page)
{
    g_autoptr(GString) names = g_string_new(NULL);
    if (page->of->has_metrics)
        list_metrics(&page->of->metrics, names);
    else
        list_parameters(&page->of->params, names);
    if (!names->len)
        return;
    g_string_append(names, "; what follows from these is not shown");
    ps_paper_text(page->paper, "Not measured  ", names->str);
}

/* ---- values -------------------------------------------------------------------------------- */

/* Puts a unit's row: the kernel's demand on it. */
static void put_unit(const Page *page, PsCeilingKind kind, double measured, PsTable *table)
{
    const PsCeiling *of = &page->result->ceilings.of[kind];
    ps_table_add(table, g_strdup(ps_roofline_ceiling_words(page->of, kind)));
    ps_table_add(table, text_of(of->work, ps_format_number));
    ps_table_add(table, g_strdup(ps_ceiling_is_bytes(kind) ? "B" : ""));
    ps_table_add(table, text_of(of->peak, giga));
    ps_table_add(table, text_of(of->seconds, ps_format_time));
    if (isnan(measured))
        return;
    ps_table_add(table, text_of(of->work / measured, giga));
    ps_table_add(table, text_of(of->seconds / measured, ps_format_share));
}

/* Without a peak a row only shows the rate in the measured time. */
static gboolean is_shown(const PsCeiling *of, double measured)
{
    return (of->work > 0 || of->seconds > 0) && !(isnan(of->peak) && isnan(measured));
}

static void put_ceilings(const Page *page)
{
    static const char *const heads[] = {"",         "asked",   "",           "of 10^9/s",
                                        "at least", "reached", "of the time"};
    const double measured = page->result->estimated ? NAN : page->of->seconds;
    const guint columns = isnan(measured) ? 5 : 7;
    g_autoptr(PsTable) table = ps_table_new(isnan(measured) ? "lrlrr" : "lrlrrrr");
    for (guint i = 0; i < columns; i++)
        ps_table_add(table, g_strdup(heads[i]));
    guint n = 0;
    for (PsCeilingKind kind = 0; kind < PS_N_CEILINGS; kind++)
        if (is_shown(&page->result->ceilings.of[kind], measured)) {
            put_unit(page, kind, measured, table);
            n++;
        }
    if (!n)
        return;
    ps_paper_heading(page->paper,
                     "Ceilings: the time that each unit and level of memory needs, alone");
    ps_paper_table(page->paper, table, 2);
    const PsCeiling *device = &page->result->ceilings.of[PS_CEILING_DEVICE];
    if (page->result->params.stored > 0 && device->seconds < NEARLY * device->work / device->peak)
        ps_paper_text(
            page->paper, "  ",
            "device: at least, without the bytes that caches may keep when the kernel ends");
}

/* Puts the peaks of Table 3 that the description lacks, and those that differ from it. */
static void put_peaks(const Page *page, const PsTold *facts)
{
    static const PsPeakKind table[] = {PS_T_SP, PS_T_DP, PS_T_INT, PS_T_ADD, PS_T_LDST, PS_B_MEM};
    const double *peaks = page->result->peaks.value;
    g_autoptr(GString) unknown = g_string_new(NULL);
    ps_paper_view(page->paper, PS_VIEW_ROOFLINE_PEAKS_PAGE, facts, NULL, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(table); i++)
        if (isnan(peaks[table[i]]))
            list_name(unknown, ps_peak_kind_name(table[i]), NULL);
    if (unknown->len)
        ps_paper_text(page->paper, "  not known: ", unknown->str);
    if (peaks[PS_B_MEM] < page->on->peaks.value[PS_B_MEM])
        ps_paper_text(page->paper, "  ", "B_mem: for reads and writes mixed like this kernel's");
}

static void put_parameters(const Page *page, const PsTold *facts)
{
    const PsKType of = page->of->params.K_type;
    const char *type = ps_k_type_name(of);
    g_autofree char *which = g_strdup_printf("Table 2, K_type %s%s", type ? type : "not known",
                                             ps_k_type_is_beyond(of) ? ", beyond the paper" : "");
    ps_paper_view(page->paper, PS_VIEW_ROOFLINE_PARAMETERS_PAGE, facts, NULL, which);
}

void ps_roofline_page_one(PsRooflineKernel *kernel, const GArray *gpus, const PsPaper *paper)
{
    const Page page = {kernel->kernel, ps_roofline_gpu(gpus, 0), ps_roofline_result(kernel, 0),
                       paper};
    g_autoptr(PsTold) facts = ps_roofline_told(kernel, gpus, FALSE);
    ps_tell_peaks(&page.result->peaks, facts);
    put_title(&page);
    put_predicted(&page);
    put_measured(&page);
    put_efficiency(&page);
    put_ceiling(&page);
    put_launches(&page);
    put_missing(&page);
    put_ceilings(&page);
    ps_paper_view(paper, PS_VIEW_ROOFLINE_METRICS_PAGE, facts, NULL, NULL);
    put_parameters(&page, facts);
    put_peaks(&page, facts);
    if (page.result->prediction.bound != PS_BOUND_UNKNOWN)
        ps_paper_view(paper, PS_VIEW_ROOFLINE_STEPS_PAGE, facts, NULL, NULL);
}
