/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Roofs as lines: bandwidths as slopes, and peaks of each type as horizontals, with multiply-add
 * and, at half the height, without. The lines of one GPU are black; those of several differ by
 * colour, dash and letter.
 */
#include "roofline/draw/chart.h"

#include <math.h>

/* The chart shows this factor to the left of a ridge, and to the right. */
#define SEEN_LEFT 12
#define SEEN_RIGHT 6

/* Roofs that differ by less are one line. */
#define ONE_LINE 0.005

static const PsKType types[] = {PS_K_TENSOR, PS_K_FP16, PS_K_FP32, PS_K_FP64, PS_K_INT};

gboolean ps_draw_many_gpus(const PsDraw *draw)
{
    return draw->gpus->len > 1;
}

/* Letters of GPUs: A to Z, then A1 to Z1, ... */
char *ps_draw_gpu_letter(guint gpu)
{
    const char letter = (char)('A' + gpu % 26);
    return gpu < 26 ? g_strdup_printf("%c", letter) : g_strdup_printf("%c%u", letter, gpu / 26);
}

const char *ps_draw_gpu_colour(const PsDraw *draw, guint gpu)
{
    return ps_draw_many_gpus(draw) ? ps_look_colour(gpu) : PS_DRAW_BLACK;
}

/* ---- the roofs of a GPU ---------------------------------------------------------------------- */

/* A line: one roof, or several of the same height. */
typedef struct {
    GString *what; /* names of the roofs */
    double amount;
    gboolean is_slope;
    PsLook look;
} Line;

typedef struct {
    GArray *lines;   /* Line */
    double steepest; /* the highest bandwidth; NaN: none */
    double highest;  /* the highest peak; NaN: none */
} Roofs;

static void clear_line(void *line)
{
    g_string_free(((Line *)line)->what, TRUE);
}

/* Adds a line. Of several lines at one place the thickest is drawn; of equally thick ones, the
 * last. */
static void add_line(Roofs *roofs, const char *what, double amount, gboolean is_slope,
                     const PsLook *look)
{
    double *most = is_slope ? &roofs->steepest : &roofs->highest;
    *most = fmax(*most, amount);
    for (guint i = 0; i < roofs->lines->len; i++) {
        Line *line = &g_array_index(roofs->lines, Line, i);
        if (line->is_slope != is_slope || !(fabs(line->amount / amount - 1) < ONE_LINE))
            continue;
        g_string_append_printf(line->what, ", %s", what);
        if (look->width >= line->look.width)
            line->look = *look;
        return;
    }
    const Line line = {g_string_new(what), amount, is_slope, *look};
    g_array_append_val(roofs->lines, line);
}

PsLook ps_draw_level_look(guint level, const char *colour)
{
    return (PsLook){.colour = colour,
                    .width = level == PS_DRAW_DEVICE ? 2 : 1.6,
                    .dash = ps_draw_level(level)->dash};
}

static void add_slopes(const PsDraw *draw, guint gpu, guint first, Roofs *roofs)
{
    for (guint level = first; level < PS_DRAW_LEVELS; level++) {
        const double bandwidth = ps_draw_bandwidth(draw, gpu, level);
        PsLook look = ps_draw_level_look(level, ps_draw_gpu_colour(draw, gpu));
        if (first == PS_DRAW_DEVICE && ps_draw_many_gpus(draw))
            look.dash = ps_look_dash(gpu);
        if (!isnan(bandwidth))
            add_line(roofs, ps_draw_level_name(draw, level), bandwidth, TRUE, &look);
    }
}

/* The kernel's colour, where the roof belongs to one kernel and colours distinguish kernels. */
static const char *roof_colour(const PsDrawChart *chart, guint gpu, const PsDrawRoof *roof)
{
    if (roof->kernel < 0 || ps_draw_many_gpus(chart->draw) || chart->drawn > PS_DRAW_FEW)
        return ps_draw_gpu_colour(chart->draw, gpu);
    const guint number = ps_draw_entry_of(chart, (guint)roof->kernel)->number;
    return number ? ps_look_colour(number - 1) : PS_DRAW_GREY;
}

/* Adds the horizontals of a type. A type that is not the main one of any kernel has a thin line. */
static void add_horizontals(const PsDrawChart *chart, guint gpu, guint first, PsKType type,
                            Roofs *roofs)
{
    const gboolean many = ps_draw_many_gpus(chart->draw);
    const gboolean is_about = ps_draw_has_type(chart->draw, type);
    const char *dash = many && first == PS_DRAW_DEVICE ? ps_look_dash(gpu) : "1";
    g_autoptr(GArray) of_type = ps_draw_unit_roofs(chart->draw, gpu, type);
    g_autofree char *without = g_strconcat(ps_k_type_name(type), " no FMA", NULL);
    for (guint i = 0; i < of_type->len; i++) {
        const PsDrawRoof *roof = &g_array_index(of_type, PsDrawRoof, i);
        const char *colour = roof_colour(chart, gpu, roof);
        const PsLook look = {.colour = colour, .width = is_about ? 2 : 1.2, .dash = dash};
        const PsLook thin = {.colour = colour, .width = 0.8, .dash = many ? dash : "2"};
        add_line(roofs, ps_k_type_name(type), roof->peak, FALSE, &look);
        if (is_about && type != PS_K_TENSOR && type != PS_K_INT)
            add_line(roofs, without, roof->peak / 2, FALSE, &thin);
    }
}

static Roofs find_roofs(const PsDrawChart *chart, guint gpu, guint first)
{
    Roofs roofs = {g_array_new(FALSE, FALSE, sizeof(Line)), NAN, NAN};
    g_array_set_clear_func(roofs.lines, clear_line);
    add_slopes(chart->draw, gpu, first, &roofs);
    for (guint t = 0; t < G_N_ELEMENTS(types); t++)
        add_horizontals(chart, gpu, first, types[t], &roofs);
    return roofs;
}

/* ---- what of them must be seen -------------------------------------------------------------- */

static void see_peak(PsDrawChart *chart, const Roofs *roofs, double peak)
{
    ps_chart_see(chart->chart, NAN, peak);
    ps_chart_see(chart->chart, NAN, peak / SEEN_LEFT);
    for (guint i = 0; i < roofs->lines->len; i++) {
        const Line *line = &g_array_index(roofs->lines, Line, i);
        if (!line->is_slope)
            continue;
        ps_chart_see(chart->chart, peak / line->amount * SEEN_RIGHT, NAN);
        ps_chart_see(chart->chart, peak / line->amount / SEEN_LEFT, NAN);
    }
}

static void see(PsDrawChart *chart, const Roofs *roofs)
{
    for (guint i = 0; i < roofs->lines->len; i++) {
        const Line *line = &g_array_index(roofs->lines, Line, i);
        if (!line->is_slope && line->look.width > 1)
            see_peak(chart, roofs, line->amount);
    }
    if (isnan(roofs->highest) || isnan(roofs->steepest))
        ps_chart_see(chart->chart, 1, NAN);
    if (isnan(roofs->highest))
        ps_chart_see(chart->chart, NAN, roofs->steepest);
}

/* The names of the peaks that a chart would need. */
static char *needed(const PsDraw *draw)
{
    GString *names = g_string_new("B_mem");
    for (guint t = 0; t < G_N_ELEMENTS(types); t++)
        if (ps_draw_has_type(draw, types[t]))
            g_string_append_printf(names, ", %s", ps_draw_peak_name(types[t]));
    return g_string_free(names, FALSE);
}

/* ---- several GPUs in the key ------------------------------------------------------------------
 */

/* "L1 6.37 TB/s, L2 2.15 TB/s, device memory 867 GB/s" */
static char *bandwidths_of(const Roofs *roofs)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < roofs->lines->len; i++) {
        const Line *line = &g_array_index(roofs->lines, Line, i);
        g_autofree char *amount = ps_draw_amount(line->amount, "B/s");
        if (line->is_slope)
            g_string_append_printf(text, "%s%s %s", text->len ? ", " : "", line->what->str, amount);
    }
    return g_string_free(text, FALSE);
}

/* TRUE if texts of slopes are in the key: slopes of several levels on several GPUs lie too near to
 * each other for texts. */
static gboolean slopes_in_key(const PsDraw *draw, guint first)
{
    return ps_draw_many_gpus(draw) && first < PS_DRAW_DEVICE;
}

static void add_gpu(PsDrawChart *chart, guint i, guint first, const Roofs *roofs)
{
    const PsDraw *draw = chart->draw;
    const gboolean by_level = first < PS_DRAW_DEVICE;
    g_autofree char *letter = ps_draw_gpu_letter(i);
    g_autofree char *name = ps_draw_shorten(ps_draw_gpu(draw, i)->name, PS_DRAW_NAME_COLUMNS);
    const PsLook look = {.colour = ps_draw_gpu_colour(draw, i),
                         .width = 2,
                         .dash = by_level ? NULL : ps_look_dash(i),
                         .marker = by_level ? 0 : ps_look_marker(i, FALSE),
                         .size = 0.9};
    ps_chart_key(chart->chart, &look, "%s  %s", letter, name);
    if (slopes_in_key(draw, first)) {
        g_autofree char *bandwidths = bandwidths_of(roofs);
        ps_chart_key(chart->chart, NULL, "    %s", bandwidths);
    }
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* Puts a line with its text, which on several GPUs has the letter. Slopes go up to the highest
 * horizontal, and have their text at the lower end, horizontals at the right one; thin lines of
 * several GPUs have none. */
static void put_line(PsDrawChart *chart, guint gpu, const Roofs *roofs, const Line *line,
                     gboolean with_text)
{
    const gboolean many = ps_draw_many_gpus(chart->draw);
    const double right = isnan(roofs->highest) ? PS_CHART_FAR : roofs->highest / line->amount;
    const double left = isnan(roofs->steepest) ? PS_CHART_NEAR : line->amount / roofs->steepest;
    const PsXY low = line->is_slope ? (PsXY){PS_CHART_NEAR, PS_CHART_NEAR * line->amount}
                                    : (PsXY){left, line->amount};
    const PsXY high =
        line->is_slope ? (PsXY){right, right * line->amount} : (PsXY){PS_CHART_FAR, line->amount};
    g_autofree char *letter = ps_draw_gpu_letter(gpu);
    g_autofree char *amount =
        line->is_slope ? ps_draw_amount(line->amount, "B/s") : ps_draw_rate(chart, line->amount);
    g_autofree char *text =
        g_strdup_printf("%s%s%s %s", many ? letter : "", many ? " " : "", line->what->str, amount);
    g_autofree char *what = g_strdup_printf("%s: %s", ps_draw_gpu(chart->draw, gpu)->name, text);
    ps_chart_segment(chart->chart, what, &line->look, low, high);
    if (with_text && (!many || line->look.width > 1))
        ps_chart_label_along(chart->chart, text, line->look.colour, line->is_slope ? low : high,
                             line->is_slope ? high : low);
}

gboolean ps_draw_roofs(PsDrawChart *chart, guint first, GError **error)
{
    static const PsLook thin = {.colour = PS_DRAW_BLACK, .width = 0.8};
    const PsDraw *draw = chart->draw;
    for (guint i = 0; i < draw->gpus->len; i++) {
        const Roofs roofs = find_roofs(chart, i, first);
        g_autoptr(GArray) lines = roofs.lines;
        if (!lines->len) {
            g_autofree char *peaks = needed(draw);
            g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                        "the chart has no ceiling of '%s': its description gives none of %s",
                        ps_draw_gpu(draw, i)->name, peaks);
            return FALSE;
        }
        see(chart, &roofs);
        if (ps_draw_many_gpus(draw))
            add_gpu(chart, i, first, &roofs);
        for (guint l = 0; l < lines->len; l++) {
            const Line *line = &g_array_index(lines, Line, l);
            put_line(chart, i, &roofs, line, !line->is_slope || !slopes_in_key(draw, first));
        }
    }
    if (ps_draw_many_gpus(draw))
        ps_chart_key(chart->chart, &thin, "thin: without multiply-add (FMA)");
    return TRUE;
}
