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

#define BLACK "#000000"

static const PsKType types[] = {PS_K_TENSOR, PS_K_FP16, PS_K_FP32, PS_K_FP64, PS_K_INT};

double ps_draw_peak(const PsDrawGpu *gpu, PsKType type)
{
    static const PsPeakKind kinds[] = {[PS_K_FP64] = PS_T_DP,
                                       [PS_K_FP32] = PS_T_SP,
                                       [PS_K_INT] = PS_T_INT,
                                       [PS_K_FP16] = PS_T_HP,
                                       [PS_K_TENSOR] = PS_T_TENSOR};
    const double peak = type == PS_K_UNKNOWN ? NAN : gpu->peaks->value[kinds[type]];
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
    return ps_draw_many_gpus(draw) ? ps_draw_colour(gpu) : BLACK;
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
    ps_draw_see(&chart->y, peak);
    ps_draw_see(&chart->y, peak / SEEN_LEFT);
    for (PsLevel level = first; level < PS_N_LEVELS; level++) {
        const double ridge = peak / ps_draw_bandwidth(gpu, level);
        ps_draw_see(&chart->x, ridge * SEEN_RIGHT);
        ps_draw_see(&chart->x, ridge / SEEN_LEFT);
    }
}

static void see(PsDrawChart *chart, guint i, PsLevel first)
{
    const PsDrawGpu *gpu = ps_draw_gpu(chart->draw, i);
    const Corner corner = corner_of(chart->draw, i, first);
    for (guint t = 0; t < G_N_ELEMENTS(types); t++)
        if (ps_draw_has_type(chart->draw, types[t]))
            see_peak(chart, gpu, ps_draw_peak(gpu, types[t]), first);
    if (isnan(corner.highest) || isnan(corner.steepest))
        ps_draw_see(&chart->x, 1);
    if (isnan(corner.highest))
        ps_draw_see(&chart->y, corner.steepest);
}

/* The names of the peaks that would make a chart of it. */
static char *needed(const PsDraw *draw)
{
    static const char *const peaks[] = {[PS_K_FP64] = "T_DP",
                                        [PS_K_FP32] = "T_SP",
                                        [PS_K_INT] = "T_int",
                                        [PS_K_FP16] = "T_HP",
                                        [PS_K_TENSOR] = "T_tensor"};
    GString *names = g_string_new("B_mem");
    for (guint t = 0; t < G_N_ELEMENTS(types); t++)
        if (ps_draw_has_type(draw, types[t]))
            g_string_append_printf(names, ", %s", peaks[types[t]]);
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
    g_autofree char *letter = ps_draw_gpu_letter(i);
    g_autofree char *name = ps_draw_shorten(ps_draw_gpu(draw, i)->name, PS_DRAW_NAME_COLUMNS);
    char *line =
        g_strdup_printf("linewidth 2 linecolor rgb '%s' dashtype %s", ps_draw_gpu_colour(draw, i),
                        first < PS_LEVEL_DEVICE ? "1" : ps_draw_dash(i));
    char *mark = first < PS_LEVEL_DEVICE
                     ? NULL
                     : ps_draw_mark_style(i, ps_draw_gpu_colour(draw, i), FALSE, FALSE);
    ps_draw_key_add(chart, line, mark, g_strdup_printf("%s  %s", letter, name));
    if (slopes_in_key(draw, first)) {
        g_autofree char *bandwidths = bandwidths_of(ps_draw_gpu(draw, i), first);
        ps_draw_key_add(chart, NULL, NULL, g_strdup_printf("    %s", bandwidths));
    }
}

gboolean ps_draw_roofs_see(PsDrawChart *chart, PsLevel first, GError **error)
{
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
        see(chart, i, first);
        if (ps_draw_many_gpus(draw))
            add_gpu(chart, i, first);
    }
    if (ps_draw_many_gpus(draw))
        ps_draw_key_add(chart, g_strdup("linewidth 0.8 linecolor rgb '" BLACK "'"), NULL,
                        g_strdup("thin: without multiply-add (FMA)"));
    return TRUE;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* From the plot area's lower or left side to the highest horizontal, or the right side. */
static PsDrawSegment slope_of(const PsDrawChart *chart, double bandwidth, double highest)
{
    const double scaled = bandwidth / chart->unit;
    const double left = MAX(pow(10, chart->x.least), pow(10, chart->y.least) / scaled);
    const double right = isnan(highest) ? pow(10, chart->x.most) : highest / bandwidth;
    return (PsDrawSegment){{left, left * scaled}, {right, right * scaled}};
}

static PsDrawSegment level_of(const PsDrawChart *chart, double peak, double steepest)
{
    const double left = isnan(steepest) ? pow(10, chart->x.least) : peak / steepest;
    const double y = peak / chart->unit;
    return (PsDrawSegment){{left, y}, {pow(10, chart->x.most), y}};
}

/* The text of a ceiling of the GPU, with its letter where there are several. */
static char *text_of(const PsDraw *draw, guint gpu, const char *what, const char *amount)
{
    g_autofree char *letter = ps_draw_gpu_letter(gpu);
    return ps_draw_many_gpus(draw) ? g_strdup_printf("%s %s %s", letter, what, amount)
                                   : g_strdup_printf("%s %s", what, amount);
}

typedef void (*Put)(PsDrawChart *chart, guint gpu, const char *text, const char *style,
                    const PsDrawSegment *line);

static void put_line(PsDrawChart *chart, guint gpu, const char *text, const char *style,
                     const PsDrawSegment *line)
{
    g_autofree char *what = g_strdup_printf("%s: %s", ps_draw_gpu(chart->draw, gpu)->name, text);
    g_autofree char *coloured =
        g_strdup_printf("%s linecolor rgb '%s'", style, ps_draw_gpu_colour(chart->draw, gpu));
    ps_draw_line(chart, what, coloured, line->from, line->to);
}

/* Slopes bear their text at the lower end, horizontals at the right one; thin lines of several
 * GPUs bear none. */
static void put_text(PsDrawChart *chart, guint gpu, const char *text, const char *style,
                     const PsDrawSegment *line)
{
    if (ps_draw_many_gpus(chart->draw) && g_str_has_prefix(style, "linewidth 0.8"))
        return;
    const gboolean level = line->from.y >= line->to.y;
    ps_draw_along(chart, text, ps_draw_gpu_colour(chart->draw, gpu), level ? line->to : line->from,
                  level ? line->from : line->to);
}

const char *ps_draw_level_style(PsLevel level)
{
    static const char *const styles[] = {[PS_LEVEL_L1] = "linewidth 1.6 dashtype 4",
                                         [PS_LEVEL_L2] = "linewidth 1.6 dashtype 2",
                                         [PS_LEVEL_L3] = "linewidth 1.6 dashtype 3",
                                         [PS_LEVEL_L4] = "linewidth 1.6 dashtype 5",
                                         [PS_LEVEL_DEVICE] = "linewidth 2 dashtype 1"};
    return styles[level];
}

static void each_slope(PsDrawChart *chart, guint i, PsLevel first, Put put)
{
    const PsDrawGpu *gpu = ps_draw_gpu(chart->draw, i);
    const gboolean by_gpu = first == PS_LEVEL_DEVICE && ps_draw_many_gpus(chart->draw);
    const Corner corner = corner_of(chart->draw, i, first);
    for (PsLevel level = first; level < PS_N_LEVELS; level++) {
        const double bandwidth = ps_draw_bandwidth(gpu, level);
        if (isnan(bandwidth))
            continue;
        const PsDrawSegment line = slope_of(chart, bandwidth, corner.highest);
        g_autofree char *amount = ps_draw_amount(bandwidth, "B/s");
        g_autofree char *text = text_of(chart->draw, i, ps_draw_level_name(level), amount);
        g_autofree char *style = by_gpu
                                     ? g_strdup_printf("linewidth 2 dashtype %s", ps_draw_dash(i))
                                     : g_strdup(ps_draw_level_style(level));
        put(chart, i, text, style, &line);
    }
}

static void each_level(PsDrawChart *chart, guint i, PsLevel first, Put put)
{
    const PsDrawGpu *gpu = ps_draw_gpu(chart->draw, i);
    const gboolean many = ps_draw_many_gpus(chart->draw);
    const char *dash = many && first == PS_LEVEL_DEVICE ? ps_draw_dash(i) : "1";
    const Corner corner = corner_of(chart->draw, i, first);
    for (guint t = 0; t < G_N_ELEMENTS(types); t++) {
        const double peak = ps_draw_peak(gpu, types[t]);
        if (isnan(peak) || !ps_draw_has_type(chart->draw, types[t]))
            continue;
        g_autofree char *style = g_strdup_printf("linewidth 2 dashtype %s", dash);
        g_autofree char *amount = ps_draw_rate(chart, peak);
        g_autofree char *text = text_of(chart->draw, i, ps_k_type_name(types[t]), amount);
        const PsDrawSegment line = level_of(chart, peak, corner.steepest);
        put(chart, i, text, style, &line);
        if (types[t] == PS_K_TENSOR)
            continue;
        g_autofree char *thin = g_strdup_printf("linewidth 0.8 dashtype %s", many ? dash : "2");
        g_autofree char *half = ps_draw_rate(chart, peak / 2);
        g_autofree char *what = g_strdup_printf("%s, no %s", ps_k_type_name(types[t]),
                                                types[t] == PS_K_INT ? "multiply-add" : "FMA");
        g_autofree char *lower = text_of(chart->draw, i, what, half);
        const PsDrawSegment below = level_of(chart, peak / 2, corner.steepest);
        put(chart, i, lower, thin, &below);
    }
}

void ps_draw_roofs_lines(PsDrawChart *chart, PsLevel first)
{
    for (guint i = 0; i < chart->draw->gpus->len; i++) {
        each_slope(chart, i, first, put_line);
        each_level(chart, i, first, put_line);
    }
}

void ps_draw_roofs_texts(PsDrawChart *chart, PsLevel first)
{
    for (guint i = 0; i < chart->draw->gpus->len; i++) {
        if (!slopes_in_key(chart->draw, first))
            each_slope(chart, i, first, put_text);
        each_level(chart, i, first, put_text);
    }
}
