/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ceilings: bandwidths as slopes, and peaks of each type as horizontals, with multiply-add and, at
 * half of it, without. One GPU's are black; several are told apart by colour, dash and letter.
 */
#include "roofline/draw/chart.h"

#include <math.h>

/* From a ridge so far to the left, and to the right, is seen. */
#define SEEN_LEFT 12
#define SEEN_RIGHT 6

static const PsKType types[] = {PS_K_TENSOR, PS_K_FP16, PS_K_FP32, PS_K_FP64, PS_K_INT};

static const PsPeakKind peak_of_type[] = {[PS_K_FP64] = PS_T_DP,
                                          [PS_K_FP32] = PS_T_SP,
                                          [PS_K_INT] = PS_T_INT,
                                          [PS_K_FP16] = PS_T_HP,
                                          [PS_K_TENSOR] = PS_T_TENSOR};

double ps_draw_peak(const PsDrawGpu *gpu, PsKType type)
{
    const double peak = type == PS_K_UNKNOWN ? NAN : gpu->peaks->value[peak_of_type[type]];
    return ps_draw_drawable(peak) ? peak : NAN;
}

double ps_draw_bandwidth(const PsDrawGpu *gpu, PsLevel level)
{
    static const PsPeakKind kinds[PS_N_LEVELS] = {
        [PS_LEVEL_L1] = PS_B_L1, [PS_LEVEL_L2] = PS_B_L2, [PS_LEVEL_DEVICE] = PS_B_MEM};
    if (level == PS_LEVEL_L3 || level == PS_LEVEL_L4) /* no peak has their names */
        return NAN;
    const double bandwidth = gpu->peaks->value[kinds[level]];
    return ps_draw_drawable(bandwidth) ? bandwidth : NAN;
}

const char *ps_draw_level_name(PsLevel level)
{
    static const char *const names[] = {[PS_LEVEL_L1] = "L1",
                                        [PS_LEVEL_L2] = "L2",
                                        [PS_LEVEL_L3] = "L3",
                                        [PS_LEVEL_L4] = "L4",
                                        [PS_LEVEL_DEVICE] = "device memory"};
    return names[level];
}

gboolean ps_draw_has_type(const PsDraw *draw, PsKType type)
{
    gboolean any = FALSE;
    for (guint i = 0; i < draw->kernels->len; i++) {
        const PsKType its = ps_draw_kernel(draw, i)->params->K_type;
        if (its == type)
            return TRUE;
        any = any || its != PS_K_UNKNOWN;
    }
    return !any && type != PS_K_INT; /* which is no FLOP */
}

gboolean ps_draw_many_gpus(const PsDraw *draw)
{
    return draw->gpus->len > 1;
}

/* A to Z, then A1 to Z1, ... */
char *ps_draw_gpu_letter(guint gpu)
{
    const char letter = (char)('A' + gpu % 26);
    return gpu < 26 ? g_strdup_printf("%c", letter) : g_strdup_printf("%c%u", letter, gpu / 26);
}

const char *ps_draw_gpu_colour(const PsDraw *draw, guint gpu)
{
    return ps_draw_many_gpus(draw) ? ps_look_colour(gpu) : PS_DRAW_BLACK;
}

/* ---- what of them must be seen -------------------------------------------------------------- */

typedef struct {
    double steepest; /* the widest bandwidth of those drawn; NaN: none */
    double highest;  /* peak; NaN: none */
} Corner;

static Corner corner_of(const PsDraw *draw, guint i, PsLevel first)
{
    const PsDrawGpu *gpu = ps_draw_gpu(draw, i);
    Corner corner = {NAN, NAN};
    for (PsLevel level = first; level < PS_N_LEVELS; level++)
        corner.steepest = fmax(corner.steepest, ps_draw_bandwidth(gpu, level));
    for (guint t = 0; t < G_N_ELEMENTS(types); t++)
        if (ps_draw_has_type(draw, types[t]))
            corner.highest = fmax(corner.highest, ps_draw_peak(gpu, types[t]));
    return corner;
}

static void see_peak(PsDrawChart *chart, const PsDrawGpu *gpu, double peak, PsLevel first)
{
    ps_chart_see(chart->chart, NAN, peak);
    ps_chart_see(chart->chart, NAN, peak / SEEN_LEFT);
    for (PsLevel level = first; level < PS_N_LEVELS; level++) {
        const double ridge = peak / ps_draw_bandwidth(gpu, level);
        ps_chart_see(chart->chart, ridge * SEEN_RIGHT, NAN);
        ps_chart_see(chart->chart, ridge / SEEN_LEFT, NAN);
    }
}

static void see(PsDrawChart *chart, guint i, const Corner *corner, PsLevel first)
{
    const PsDrawGpu *gpu = ps_draw_gpu(chart->draw, i);
    for (guint t = 0; t < G_N_ELEMENTS(types); t++)
        if (ps_draw_has_type(chart->draw, types[t]))
            see_peak(chart, gpu, ps_draw_peak(gpu, types[t]), first);
    if (isnan(corner->highest) || isnan(corner->steepest))
        ps_chart_see(chart->chart, 1, NAN);
    if (isnan(corner->highest))
        ps_chart_see(chart->chart, NAN, corner->steepest);
}

/* The names of the peaks that would make a chart of it. */
static char *needed(const PsDraw *draw)
{
    GString *names = g_string_new("B_mem");
    for (guint t = 0; t < G_N_ELEMENTS(types); t++)
        if (ps_draw_has_type(draw, types[t]))
            g_string_append_printf(names, ", %s", ps_peak_kind_name(peak_of_type[types[t]]));
    return g_string_free(names, FALSE);
}

/* "L1 6.37 TB/s, L2 2.15 TB/s, device memory 867 GB/s" */
static char *bandwidths_of(const PsDrawGpu *gpu, PsLevel first)
{
    GString *text = g_string_new(NULL);
    for (PsLevel level = first; level < PS_N_LEVELS; level++) {
        const double bandwidth = ps_draw_bandwidth(gpu, level);
        g_autofree char *amount = ps_draw_amount(bandwidth, "B/s");
        if (!isnan(bandwidth))
            g_string_append_printf(text, "%s%s %s", text->len ? ", " : "",
                                   level == PS_LEVEL_DEVICE ? "memory" : ps_draw_level_name(level),
                                   amount);
    }
    return g_string_free(text, FALSE);
}

/* Slopes of several levels on several GPUs lie too near to each other for texts: these are in the
 * key. */
static gboolean slopes_in_key(const PsDraw *draw, PsLevel first)
{
    return ps_draw_many_gpus(draw) && first < PS_LEVEL_DEVICE;
}

static void add_gpu(PsDrawChart *chart, guint i, PsLevel first)
{
    const PsDraw *draw = chart->draw;
    const gboolean by_level = first < PS_LEVEL_DEVICE;
    g_autofree char *letter = ps_draw_gpu_letter(i);
    g_autofree char *name = ps_draw_shorten(ps_draw_gpu(draw, i)->name, PS_DRAW_NAME_COLUMNS);
    const PsLook look = {.colour = ps_draw_gpu_colour(draw, i),
                         .width = 2,
                         .dash = by_level ? NULL : ps_look_dash(i),
                         .marker = by_level ? 0 : ps_look_marker(i, FALSE),
                         .size = 0.9};
    ps_chart_key(chart->chart, &look, "%s  %s", letter, name);
    if (slopes_in_key(draw, first)) {
        g_autofree char *bandwidths = bandwidths_of(ps_draw_gpu(draw, i), first);
        ps_chart_key(chart->chart, NULL, "    %s", bandwidths);
    }
}

/* ---- lines ---------------------------------------------------------------------------------- */

typedef struct {
    const char *what, *unit; /* of the text: what it is, the unit of its amount */
    double amount;
    PsXY from, to;
} Ceiling;

PsLook ps_draw_level_look(PsLevel level, const char *colour)
{
    static const char *const dashes[] = {[PS_LEVEL_L1] = "4",
                                         [PS_LEVEL_L2] = "2",
                                         [PS_LEVEL_L3] = "3",
                                         [PS_LEVEL_L4] = "5",
                                         [PS_LEVEL_DEVICE] = "1"};
    return (PsLook){
        .colour = colour, .width = level == PS_LEVEL_DEVICE ? 2 : 1.6, .dash = dashes[level]};
}

/* A line with its text, which on several GPUs has the letter. Slopes bear it at the lower end,
 * horizontals at the right one; thin lines of several GPUs bear none. */
static void put_ceiling(PsDrawChart *chart, guint gpu, const Ceiling *ceiling, const PsLook *look,
                        gboolean with_text)
{
    const gboolean many = ps_draw_many_gpus(chart->draw);
    const gboolean level = ceiling->from.y >= ceiling->to.y;
    g_autofree char *letter = ps_draw_gpu_letter(gpu);
    g_autofree char *amount = ps_draw_amount(ceiling->amount, ceiling->unit);
    g_autofree char *text =
        g_strdup_printf("%s%s%s %s", many ? letter : "", many ? " " : "", ceiling->what, amount);
    g_autofree char *what = g_strdup_printf("%s: %s", ps_draw_gpu(chart->draw, gpu)->name, text);
    ps_chart_segment(chart->chart, what, look, ceiling->from, ceiling->to);
    if (with_text && (!many || look->width > 1))
        ps_chart_label_along(chart->chart, text, look->colour, level ? ceiling->to : ceiling->from,
                             level ? ceiling->from : ceiling->to);
}

/* Up to the highest horizontal. */
static void put_slopes(PsDrawChart *chart, guint i, const Corner *corner, PsLevel first)
{
    const PsDraw *draw = chart->draw;
    for (PsLevel level = first; level < PS_N_LEVELS; level++) {
        const double bandwidth = ps_draw_bandwidth(ps_draw_gpu(draw, i), level);
        if (isnan(bandwidth))
            continue;
        PsLook look = ps_draw_level_look(level, ps_draw_gpu_colour(draw, i));
        if (first == PS_LEVEL_DEVICE && ps_draw_many_gpus(draw))
            look.dash = ps_look_dash(i);
        const double right = isnan(corner->highest) ? PS_CHART_FAR : corner->highest / bandwidth;
        const Ceiling slope = {ps_draw_level_name(level),
                               "B/s",
                               bandwidth,
                               {PS_CHART_NEAR, PS_CHART_NEAR * bandwidth},
                               {right, right * bandwidth}};
        put_ceiling(chart, i, &slope, &look, !slopes_in_key(draw, first));
    }
}

static void put_level(PsDrawChart *chart, guint gpu, const Corner *corner, const char *what,
                      double peak, const PsLook *look)
{
    const double left = isnan(corner->steepest) ? PS_CHART_NEAR : peak / corner->steepest;
    const Ceiling level = {
        what, chart->flop ? "FLOP/s" : "op/s", peak, {left, peak}, {PS_CHART_FAR, peak}};
    put_ceiling(chart, gpu, &level, look, TRUE);
}

static void put_levels(PsDrawChart *chart, guint i, const Corner *corner, PsLevel first)
{
    const gboolean many = ps_draw_many_gpus(chart->draw);
    const char *dash = many && first == PS_LEVEL_DEVICE ? ps_look_dash(i) : "1";
    const char *colour = ps_draw_gpu_colour(chart->draw, i);
    const PsLook thick = {.colour = colour, .width = 2, .dash = dash};
    const PsLook thin = {.colour = colour, .width = 0.8, .dash = many ? dash : "2"};
    for (guint t = 0; t < G_N_ELEMENTS(types); t++) {
        const double peak = ps_draw_peak(ps_draw_gpu(chart->draw, i), types[t]);
        if (isnan(peak) || !ps_draw_has_type(chart->draw, types[t]))
            continue;
        const char *name = ps_k_type_name(types[t]);
        put_level(chart, i, corner, name, peak, &thick);
        g_autofree char *without =
            g_strdup_printf("%s, no %s", name, types[t] == PS_K_INT ? "multiply-add" : "FMA");
        if (types[t] != PS_K_TENSOR)
            put_level(chart, i, corner, without, peak / 2, &thin);
    }
}

gboolean ps_draw_roofs(PsDrawChart *chart, PsLevel first, GError **error)
{
    static const PsLook thin = {.colour = PS_DRAW_BLACK, .width = 0.8};
    const PsDraw *draw = chart->draw;
    for (guint i = 0; i < draw->gpus->len; i++) {
        const Corner corner = corner_of(draw, i, first);
        if (isnan(corner.highest) && isnan(corner.steepest)) {
            g_autofree char *peaks = needed(draw);
            g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                        "the chart has no ceiling of '%s': its description gives none of %s",
                        ps_draw_gpu(draw, i)->name, peaks);
            return FALSE;
        }
        see(chart, i, &corner, first);
        if (ps_draw_many_gpus(draw))
            add_gpu(chart, i, first);
        put_slopes(chart, i, &corner, first);
        put_levels(chart, i, &corner, first);
    }
    if (ps_draw_many_gpus(draw))
        ps_chart_key(chart->chart, &thin, "thin: without multiply-add (FMA)");
    return TRUE;
}
