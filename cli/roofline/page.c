/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One kernel on one GPU for people: the answer, and every value on the way to it under the paper's
 * symbol and with the number of its equation, so that each can be checked by hand.
 */
#include "cli/roofline/format.h"

#include "pipesim-private.h"

#include <math.h>

typedef struct {
    const PsProfileKernel *of;
    const PsRooflineGpu *on;
    const PsRooflineResult *result;
    const PsPaper *paper;
} Page;

/* ---- numbers ------------------------------------------------------------------------------- */

/* Two times are one but for how they were rounded. */
#define NEARLY (1 - 1e-9)

/* "" for what is not known. */
static char *text_of(double value, char *(*format)(double))
{
    return isnan(value) ? g_strdup("") : isinf(value) ? g_strdup("infinite") : format(value);
}

/* 10^9 of them per second. */
static char *giga(double value)
{
    return ps_format_number(value / 1e9);
}

/* "GFLOP/s", or for integers "GIOP/s". */
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

/* What the time is taken for, and where it comes from; a ceiling that the equations leave out may
 * decide. */
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

/* Integers may all be additions. */
static gboolean is_int(const Page *page)
{
    return page->of->params.K_type == PS_K_INT;
}

/* The plain roofline, and how much of it was reached if somebody measured that. */
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
            g_strdup_printf("%s of the plain roofline%s%s; headroom: a factor of %s", share,
                            *roof->str ? " " : "", roof->str, room);
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

/* Once, what to measure: no table below has a row of what is not known. */
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

/* A value under its symbol; equation is "" for what has none. */
typedef struct {
    const char *symbol, *equation;
    double value;
    char *(*format)(double);
    const char *what;
} Line;

/* Prints the lines whose value is known. */
static void put_lines(const Page *page, const char *heading, const Line *lines, gsize n)
{
    g_autoptr(PsTable) table = ps_table_new("llrl");
    gboolean is_any_known = FALSE;
    for (gsize i = 0; i < n; i++) {
        if (isnan(lines[i].value))
            continue;
        is_any_known = TRUE;
        ps_table_add(table, g_strdup(lines[i].symbol));
        ps_table_add(table, g_strdup(lines[i].equation));
        ps_table_add(table, text_of(lines[i].value, lines[i].format));
        ps_table_add(table, g_strdup(lines[i].what));
    }
    if (!is_any_known)
        return;
    ps_table_omit_head(table);
    ps_paper_heading(page->paper, heading);
    ps_paper_table(page->paper, table, 2);
}

/* As Table 1 has it, and what was measured beyond it. */
static void put_metrics(const Page *page)
{
    static const char *const what[PS_N_METRICS] = {
        [PS_M_FP64] = "double-precision instructions of threads",
        [PS_M_FMA64] = "of which multiply-adds",
        [PS_M_FP32] = "single-precision instructions",
        [PS_M_FMA32] = "of which multiply-adds",
        [PS_M_INT] = "integer instructions",
        [PS_M_LDST] = "loads and stores",
        [PS_M_INST] = "all instructions: the paper's, times the warp size",
        [PS_M_TRAN_R] = "bytes read: the paper's transactions, times 32",
        [PS_M_TRAN_W] = "bytes written, likewise",
        [PS_M_FP16] = "half-precision instructions (beyond the paper)",
        [PS_M_OPS16] = "operations that they do (beyond the paper)",
        [PS_M_TENSOR] = "tensor-core instructions (beyond the paper)",
        [PS_M_OPS_TENSOR] = "operations that they do (beyond the paper)",
        [PS_M_L1] = "bytes between CUs and L1 (beyond the paper)",
        [PS_M_L2] = "bytes between L1 and L2 (beyond the paper)",
        [PS_M_OPS64] = "double-precision operations (beyond the paper)",
        [PS_M_OPS32] = "single-precision operations (beyond the paper)",
        [PS_M_FMA_PIPE] = "instructions of the pipeline of multiply-adds (beyond the paper)",
        [PS_M_SPECIAL] = "of special functions (beyond the paper)",
        [PS_M_CYCLES] = "cycles of the CUs' clock (beyond the paper)",
        [PS_M_LOCAL] = "bytes of local memory, 128 a pass (beyond the paper)",
        [PS_M_L3] = "bytes between L2 and L3 (beyond the paper)",
        [PS_M_L4] = "bytes between L3 and L4 (beyond the paper)"};
    Line lines[PS_N_METRICS];
    gsize n = 0;
    for (PsMetric metric = 0; page->of->has_metrics && metric < PS_N_METRICS; metric++) {
        const double value = page->of->metrics.value[metric];
        const gboolean is_beyond = metric >= PS_M_FP16;
        const gboolean is_shared = metric == PS_M_LOCAL && page->of->says_shared;
        if (what[metric] && !(is_beyond && value == 0))
            lines[n++] = (Line){ps_metric_name(metric), "", value, ps_format_number,
                                is_shared ? "bytes of shared memory, 128 a pass (beyond the paper)"
                                          : what[metric]};
    }
    put_lines(page, "Metrics (Table 1), of all threads", lines, n);
}

static void put_parameters(const Page *page)
{
    const PsParams *k = &page->of->params;
    const gboolean is_beyond = ps_k_type_is_beyond(k->K_type);
    const char *type = ps_k_type_name(k->K_type);
    g_autofree char *heading =
        g_strdup_printf("Kernel parameters (Table 2), K_type %s%s", type ? type : "not known",
                        is_beyond ? " (beyond the paper)" : "");
    const Line lines[] = {
        {"W_comp", "(2)", k->W_comp, ps_format_number, "operations"},
        {"W_traf", "(3)", k->W_traf, ps_format_number, "bytes of device memory"},
        {"E_mix", "(4)", k->E_mix, ps_format_share,
         "of the operations that its instructions could do"},
        {"D_ops", "(5)", k->D_ops, ps_format_share, "of the instructions compute"},
        {"D_ldst", "(6)", k->D_ldst, ps_format_share, "load or store"},
        {"D_other", "(7)", k->D_other, ps_format_share, "are others"},
        {"O_krn", "", k->O_krn, ps_format_number, "operations per byte: W_comp / W_traf"}};
    put_lines(page, heading, lines, G_N_ELEMENTS(lines));
}

/* The row of a unit: what the kernel asks of it. */
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

/* Without a peak there is only how much of it was reached in the measured time. */
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
                     "Ceilings: what is asked of each unit and level of memory, alone");
    ps_paper_table(page->paper, table, 2);
    const PsCeiling *device = &page->result->ceilings.of[PS_CEILING_DEVICE];
    if (page->result->params.stored > 0 && device->seconds < NEARLY * device->work / device->peak)
        ps_paper_text(page->paper, "  ",
                      "device: at least without what caches may keep when the kernel ends");
}

static const char *origin_text(PsPeakOrigin origin)
{
    static const char *const texts[] = {[PS_PEAK_STATED] = "stated by the description",
                                        [PS_PEAK_DERIVED] = "derived from an issue latency",
                                        [PS_PEAK_DATASHEET] =
                                            "from the vendor's data sheet, not measured"};
    return texts[origin];
}

/* Table 3, and what is known beyond it. */
static void put_peaks(const Page *page)
{
    Line lines[PS_N_PEAKS];
    g_autoptr(GString) unknown = g_string_new(NULL);
    for (PsPeakKind kind = 0; kind < PS_N_PEAKS; kind++) {
        const gboolean in_table = kind != PS_T_HP && kind != PS_T_TENSOR && kind <= PS_B_MEM;
        const double value = page->result->peaks.value[kind];
        const gboolean mixed = kind == PS_B_MEM && value < page->on->peaks.value[kind];
        lines[kind] = (Line){ps_peak_kind_name(kind), "", value, giga,
                             mixed ? "as stated for reads and writes mixed like this kernel's"
                                   : origin_text(page->result->peaks.origin[kind])};
        if (in_table && isnan(value))
            list_name(unknown, lines[kind].symbol, NULL);
    }
    put_lines(page, "GPU parameters (Table 3), in 10^9 operations or bytes per second", lines,
              G_N_ELEMENTS(lines));
    if (unknown->len)
        ps_paper_text(page->paper, "  not known: ", unknown->str);
}

/* The value, where the one that it is for is known. */
static double towards(double value, double goal)
{
    return isnan(goal) ? NAN : value;
}

static void put_steps(const Page *page)
{
    const PsPrediction *p = &page->result->prediction;
    const Line lines[] = {
        {"T_op", "(10)", p->T_op, giga, "in 10^9/s: the peak for K_type"},
        {"W_op", "(11)", towards(p->W_op, p->C_op), ps_format_number,
         "weight of a computing instruction"},
        {"W_ldst", "(12)", towards(p->W_ldst, p->C_ldst), ps_format_number, "of a load or store"},
        {"W_other", "(13)", towards(p->W_other, p->C_other), ps_format_number, "of another"},
        {"C_op", "(14)", p->C_op, ps_format_number, "cost: D_ops * W_op"},
        {"C_ldst", "(15)", p->C_ldst, ps_format_number, "D_ldst * W_ldst"},
        {"C_other", "(16)", p->C_other, ps_format_number, "D_other * W_other"},
        {"E_instr", "(17)", p->E_instr, ps_format_share, "C_op / (C_op + C_ldst + C_other)"},
        {"T'_op", "(18)", p->T_adjusted, giga, "in 10^9/s: E_mix * E_instr * T_op"},
        {"O_dev", "", p->O_dev, ps_format_number, "operations per byte: T'_op / B_mem"},
        {"T_predicted", "(19)", p->T_predicted, giga,
         p->bound == PS_BOUND_CEILING         ? "in 10^9/s: W_comp / the highest ceiling's time"
         : p->bound == PS_BOUND_COMPUTE_LEAST ? "in 10^9/s: the ceiling, E_mix * T_op"
         : p->bound == PS_BOUND_COMPUTE || p->bound == PS_BOUND_COMPUTE_ONLY
             ? "in 10^9/s: T'_op"
             : "in 10^9/s: O_krn * B_mem"},
        {"compute time", "", p->compute_seconds, ps_format_time, "W_comp / T'_op"},
        {"memory time", "", p->memory_seconds, ps_format_time, "W_traf / B_mem"}};
    put_lines(page, "Prediction (equations 10 to 19)", lines, G_N_ELEMENTS(lines));
}

void roofline_text_one(const PsRooflineKernel *kernel, const PsRooflineGpu *on,
                       const PsPaper *paper)
{
    const Page page = {kernel->kernel, on, ps_roofline_result(kernel, 0), paper};
    put_title(&page);
    put_predicted(&page);
    put_measured(&page);
    put_efficiency(&page);
    put_ceiling(&page);
    put_launches(&page);
    put_missing(&page);
    put_ceilings(&page);
    put_metrics(&page);
    put_parameters(&page);
    put_peaks(&page);
    put_steps(&page);
}
