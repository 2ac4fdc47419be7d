/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The quadrant split: a GPU is a point, at its bandwidth and its peak; a kernel is the half-line
 * from the origin whose slope is its operational intensity. GPUs above it are memory bound: they
 * reach the half-line's height at their bandwidth, straight below them. GPUs below it are compute
 * bound: they keep their own height, and need the bandwidth of the half-line's point beside them.
 *
 * Both axes are logarithmic. GPUs differ by a factor of forty in bandwidth, kernels by ten thousand
 * in intensity: on linear axes most GPUs would lie on one spot at the origin, and most half-lines
 * on the axes. On logarithmic ones every half-line has the same direction, one power of ten up for
 * one to the right; the origin is infinitely far down it.
 */
#include "roofline/draw/chart.h"

#include <math.h>
#include <string.h>

#define GREY "#555555"
#define GIGA 1e9

#define GPU_COLUMNS 24

/* Peaks that differ by less are one mark. */
#define SAME 0.005

/* More marks of GPUs than that bear letters, not names, and so do those among many half-lines. */
#define FEW_MARKS 12

static const PsKType types[] = {PS_K_FP32, PS_K_FP64, PS_K_INT, PS_K_FP16, PS_K_TENSOR};

static const char *why(const PsDraw *draw, const PsDrawKernel *kernel)
{
    (void)draw;
    const PsParams *params = kernel->params;
    if (isnan(params->O_krn))
        return isnan(params->W_comp)   ? "operations not known"
               : isnan(params->W_traf) ? "traffic not known"
                                       : "no operations, no traffic";
    if (params->O_krn <= 0)
        return "no operations";
    if (isinf(params->O_krn))
        return "no traffic, compute bound";
    return ps_draw_drawable(params->O_krn) ? NULL : "intensity out of range";
}

static const PsDrawEntry *entry_at(const PsDrawChart *chart, guint i)
{
    return &g_array_index(chart->entries, PsDrawEntry, i);
}

static const PsParams *params_of(const PsDrawChart *chart, guint entry)
{
    return ps_draw_kernel(chart->draw, entry_at(chart, entry)->first)->params;
}

/* One that is too long first loses what stands in parentheses behind it. */
static char *gpu_name(const PsDraw *draw, guint gpu)
{
    const char *name = ps_draw_gpu(draw, gpu)->name;
    const char *aside = strstr(name, " (");
    if (!aside || aside == name || ps_draw_columns(name) <= GPU_COLUMNS)
        return ps_draw_shorten(name, GPU_COLUMNS);
    g_autofree char *bare = g_strndup(name, (gsize)(aside - name));
    return ps_draw_shorten(bare, GPU_COLUMNS);
}

/* ---- devices -------------------------------------------------------------------------------- */

/* In bytes and operations per second; FALSE where it is not known. */
static gboolean device_at(const PsDraw *draw, guint gpu, PsKType type, PsDrawXY *at)
{
    *at = (PsDrawXY){ps_draw_bandwidth(ps_draw_gpu(draw, gpu), PS_LEVEL_DEVICE),
                     ps_draw_peak(ps_draw_gpu(draw, gpu), type)};
    return ps_draw_has_type(draw, type) && !isnan(at->x) && !isnan(at->y);
}

/* Where the roofline puts a kernel of that intensity. */
static PsDrawXY estimate(PsDrawXY device, double intensity)
{
    const gboolean memory_bound = device.y > intensity * device.x;
    return memory_bound ? (PsDrawXY){device.x, intensity * device.x}
                        : (PsDrawXY){device.y / intensity, device.y};
}

static PsDrawXY scaled(const PsDrawChart *chart, PsDrawXY base)
{
    return (PsDrawXY){base.x / GIGA, base.y / chart->unit};
}

static guint n_marks(const PsDraw *draw, guint gpu)
{
    PsDrawXY at;
    guint n = 0;
    for (guint t = 0; t < G_N_ELEMENTS(types); t++)
        n += device_at(draw, gpu, types[t], &at) ? 1 : 0;
    return n;
}

static guint n_types(const PsDraw *draw)
{
    PsDrawXY at;
    guint n = 0;
    for (guint t = 0; t < G_N_ELEMENTS(types); t++) {
        gboolean any = FALSE;
        for (guint i = 0; i < draw->gpus->len; i++)
            any = any || device_at(draw, i, types[t], &at);
        n += any ? 1 : 0;
    }
    return n;
}

static gboolean names_at_marks(const PsDrawChart *chart)
{
    const PsDraw *draw = chart->draw;
    guint n = 0;
    for (guint i = 0; i < draw->gpus->len; i++)
        n += n_marks(draw, i);
    return n <= FEW_MARKS && ps_draw_entries_drawn(chart) <= PS_DRAW_FEW;
}

/* TRUE where an earlier type's mark is the same point. */
static gboolean is_again(const PsDraw *draw, guint gpu, guint t)
{
    PsDrawXY at, other;
    if (!device_at(draw, gpu, types[t], &at))
        return FALSE;
    for (guint i = 0; i < t; i++)
        if (device_at(draw, gpu, types[i], &other) && fabs(other.y / at.y - 1) < SAME)
            return TRUE;
    return FALSE;
}

/* Its name, or its letter, and where there are several types, those with that mark. */
static char *device_text(const PsDrawChart *chart, guint gpu, guint t)
{
    const PsDraw *draw = chart->draw;
    g_autofree char *name = names_at_marks(chart) ? gpu_name(draw, gpu) : ps_draw_gpu_letter(gpu);
    GString *text = g_string_new(name);
    PsDrawXY at, other;
    device_at(draw, gpu, types[t], &at);
    for (guint i = t; i < G_N_ELEMENTS(types) && n_types(draw) > 1; i++)
        if (device_at(draw, gpu, types[i], &other) && fabs(other.y / at.y - 1) < SAME)
            g_string_append_printf(text, ", %s", ps_k_type_name(types[i]));
    return g_string_free(text, FALSE);
}

/* ---- before the frame ----------------------------------------------------------------------- */

static gboolean see_devices(PsDrawChart *chart, GError **error)
{
    const PsDraw *draw = chart->draw;
    gboolean any = FALSE;
    for (guint i = 0; i < draw->gpus->len; i++)
        for (guint t = 0; t < G_N_ELEMENTS(types); t++) {
            PsDrawXY at;
            if (!device_at(draw, i, types[t], &at))
                continue;
            ps_draw_see(&chart->x, at.x / GIGA);
            ps_draw_see(&chart->y, at.y);
            any = TRUE;
        }
    if (!any)
        g_set_error(
            error, PS_ERROR, PS_ERROR_VALUE,
            "the chart has no point for '%s'%s: it needs B_mem and the peak of the kernels' "
            "type, and the description does not give both",
            ps_draw_gpu(draw, 0)->name, draw->gpus->len > 1 ? ", nor for any other GPU" : "");
    return any;
}

static void see_estimates(PsDrawChart *chart)
{
    const PsDraw *draw = chart->draw;
    for (guint e = 0; e < chart->entries->len; e++)
        for (guint i = 0; i < draw->gpus->len; i++) {
            PsDrawXY at;
            if (entry_at(chart, e)->why || !device_at(draw, i, params_of(chart, e)->K_type, &at))
                continue;
            const PsDrawXY reached = estimate(at, params_of(chart, e)->O_krn);
            ps_draw_see(&chart->x, reached.x / GIGA);
            ps_draw_see(&chart->y, reached.y);
        }
}

static const char *colour_of(const PsDrawEntry *entry)
{
    return entry->listed ? ps_draw_colour(entry->number - 1) : "#888888";
}

static char *style_of_entry(const PsDrawChart *chart, guint i)
{
    const PsDrawEntry *entry = entry_at(chart, i);
    return ps_draw_mark_style(entry->listed ? entry->number - 1 : 0, colour_of(entry), TRUE,
                              !entry->listed);
}

static char *device_style(guint type)
{
    return g_strdup_printf("pointtype %u pointsize 1.1 linewidth 1.4 linecolor rgb '#000000'",
                           ps_draw_marker(type, FALSE));
}

static void key_devices(PsDrawChart *chart)
{
    const PsDraw *draw = chart->draw;
    const gboolean several = n_types(draw) > 1;
    for (guint t = 0; t < G_N_ELEMENTS(types); t++) {
        gboolean any = FALSE;
        PsDrawXY at;
        for (guint i = 0; i < draw->gpus->len; i++)
            any = any || device_at(draw, i, types[t], &at);
        if (any)
            ps_draw_key_add(chart, NULL, device_style(t),
                            several ? g_strdup_printf("GPU: peak of %s", ps_k_type_name(types[t]))
                                    : g_strdup_printf("GPU: %s", ps_k_type_name(types[t])));
    }
    for (guint i = 0; i < draw->gpus->len; i++) {
        g_autofree char *letter = ps_draw_gpu_letter(i);
        g_autofree char *name = gpu_name(draw, i);
        if (!n_marks(draw, i))
            ps_draw_key_add(chart, NULL, NULL,
                            g_strdup_printf("not drawn: %s, peaks not known", name));
        else if (!names_at_marks(chart))
            ps_draw_key_add(chart, NULL, NULL, g_strdup_printf("%s  %s", letter, name));
    }
    if (ps_draw_entries_drawn(chart) && ps_draw_entries_drawn(chart) <= PS_DRAW_FEW)
        ps_draw_key_add(chart, g_strdup("linewidth 1.6 linecolor rgb '" GREY "'"), NULL,
                        g_strdup_printf("kernel: its %s/byte", ps_draw_operation(chart)));
    if (ps_draw_entries_drawn(chart) > 1) {
        ps_draw_key_add(chart, NULL, NULL, g_strdup("GPU above a line: memory bound"));
        ps_draw_key_add(chart, NULL, NULL, g_strdup("GPU below it: compute bound"));
    }
    if (ps_draw_entries_drawn(chart))
        ps_draw_key_add(chart, NULL, ps_draw_mark_style(0, GREY, TRUE, FALSE),
                        g_strdup("hollow: by the plain roofline"));
}

/* ---- half-lines ------------------------------------------------------------------------------ */

/* The part of it in the plot area, upwards. */
static PsDrawSegment half_line(const PsDrawChart *chart, double intensity)
{
    const double slope = intensity * GIGA / chart->unit;
    const double left = MAX(pow(10, chart->x.least), pow(10, chart->y.least) / slope);
    const double right = MIN(pow(10, chart->x.most), pow(10, chart->y.most) / slope);
    return (PsDrawSegment){{left, left * slope}, {right, right * slope}};
}

/* One kernel's chart has its memory-bound half in grey. */
static void put_shade(PsDrawChart *chart)
{
    for (guint e = 0; e < chart->entries->len; e++) {
        if (entry_at(chart, e)->why || ps_draw_entries_drawn(chart) > 1)
            continue;
        const PsDrawSegment line = half_line(chart, params_of(chart, e)->O_krn);
        const double left = pow(10, chart->x.least), right = pow(10, chart->x.most);
        const double low = pow(10, chart->y.least), high = pow(10, chart->y.most);
        const PsDrawXY corners[] = {line.from,
                                    line.to,
                                    {line.to.y < high * 0.999 ? right : line.to.x, high},
                                    {left, high},
                                    {left, line.from.x > left * 1.001 ? low : line.from.y}};
        ps_draw_area(chart, "#efefef", corners, G_N_ELEMENTS(corners));
    }
}

/* Of more kernels than have numbers only the estimated points are drawn: their half-lines would
 * fill the plane. */
static void put_half_lines(PsDrawChart *chart, GArray *tags)
{
    for (guint e = 0; e < chart->entries->len; e++) {
        const PsDrawEntry *entry = entry_at(chart, e);
        if (!entry->listed)
            continue;
        const PsDrawSegment line = half_line(chart, params_of(chart, e)->O_krn);
        g_autofree char *style = g_strdup_printf("linewidth 1.6 dashtype %s linecolor rgb '%s'",
                                                 ps_draw_dash(entry->number - 1), colour_of(entry));
        g_autofree char *what = g_strdup_printf("%u %s", entry->number, entry->name);
        ps_draw_line(chart, what, style, line.from, line.to);
        const PsDrawTag tag = {line.to, e};
        g_array_append_val(tags, tag);
    }
}

static void put_half_line_texts(PsDrawChart *chart, const GArray *tags)
{
    g_autoptr(GPtrArray) spots = ps_draw_spots(chart, tags);
    for (guint i = 0; i < spots->len; i++) {
        const GArray *spot = spots->pdata[i];
        const PsDrawTag *tag = &g_array_index(spot, PsDrawTag, 0);
        const double intensity = params_of(chart, tag->entry)->O_krn;
        const PsDrawSegment line = half_line(chart, intensity);
        g_autofree char *text = ps_draw_tag_text(chart, spot);
        g_autofree char *full = g_strdup_printf("%s: %s", text, ps_draw_number(intensity, 3).text);
        const gboolean few = ps_draw_entries_drawn(chart) <= PS_DRAW_FEW;
        ps_draw_along(chart, few ? full : text, colour_of(entry_at(chart, tag->entry)), line.to,
                      line.from);
    }
}

/* ---- estimated points ----------------------------------------------------------------------- */

static const char arrow_style[] = "dashtype 2 linecolor rgb '" GREY "'";

static void put_estimate(PsDrawChart *chart, PsDrawXY device, guint e)
{
    const PsDrawEntry *entry = entry_at(chart, e);
    const PsDrawXY at = scaled(chart, estimate(device, params_of(chart, e)->O_krn));
    g_autofree char *style = style_of_entry(chart, e);
    g_autofree char *what = g_strdup_printf("%u %s", entry->number, entry->name);
    ps_draw_mark(chart, what, style, at);
    if (ps_draw_entries_drawn(chart) <= PS_DRAW_FEW)
        ps_draw_arrow(chart, scaled(chart, device), at, arrow_style);
}

/* All arrows of a device lie on one another: of many kernels the longest down and the longest to
 * the left stand for them. */
static void put_longest(PsDrawChart *chart, PsDrawXY device, PsKType type)
{
    PsDrawXY lowest = device, leftmost = device;
    for (guint e = 0; e < chart->entries->len; e++) {
        if (entry_at(chart, e)->why || params_of(chart, e)->K_type != type)
            continue;
        const PsDrawXY at = estimate(device, params_of(chart, e)->O_krn);
        lowest.y = MIN(lowest.y, at.y);
        leftmost.x = MIN(leftmost.x, at.x);
    }
    ps_draw_arrow(chart, scaled(chart, device), scaled(chart, lowest), arrow_style);
    ps_draw_arrow(chart, scaled(chart, device), scaled(chart, leftmost), arrow_style);
}

static void put_device(PsDrawChart *chart, guint gpu, guint t)
{
    PsDrawXY at;
    if (!device_at(chart->draw, gpu, types[t], &at))
        return;
    g_autofree char *style = device_style(t);
    g_autofree char *what =
        g_strdup_printf("%s: %s", ps_draw_gpu(chart->draw, gpu)->name, ps_k_type_name(types[t]));
    ps_draw_mark(chart, what, style, scaled(chart, at));
    for (guint e = 0; e < chart->entries->len; e++)
        if (!entry_at(chart, e)->why && params_of(chart, e)->K_type == types[t])
            put_estimate(chart, at, e);
    if (ps_draw_entries_drawn(chart) > PS_DRAW_FEW)
        put_longest(chart, at, types[t]);
}

/* ---- texts ---------------------------------------------------------------------------------- */

static void put_half(PsDrawChart *chart, const char *text, PsDrawXY corner)
{
    double cost;
    const PsDrawBox box = ps_draw_room_near(
        &chart->room, corner, ps_draw_columns(text) * PS_DRAW_COLUMN, PS_DRAW_ROW, &cost);
    ps_draw_room_take(&chart->room, PS_DRAW_TEXT, &box);
    ps_draw_text(chart, &(PsDrawText){text, GREY, 0},
                 (PsDrawXY){box.x + box.width / 2, box.y + box.height / 2});
}

/* Of several kernels the key says it. */
static void put_halves(PsDrawChart *chart)
{
    if (ps_draw_entries_drawn(chart) != 1)
        return;
    put_half(chart, "memory bound", (PsDrawXY){8, chart->room.height - 14});
    put_half(chart, "compute bound", (PsDrawXY){chart->room.width - 8, 14});
}

static void put_device_texts(PsDrawChart *chart)
{
    for (guint i = 0; i < chart->draw->gpus->len; i++)
        for (guint t = 0; t < G_N_ELEMENTS(types); t++) {
            PsDrawXY at;
            if (!device_at(chart->draw, i, types[t], &at) || is_again(chart->draw, i, t))
                continue;
            g_autofree char *text = device_text(chart, i, t);
            ps_draw_label(chart, text, "#000000", scaled(chart, at));
        }
}

static char *title_of(const PsDrawChart *chart)
{
    const guint gpus = chart->draw->gpus->len, kernels = chart->entries->len;
    return kernels == 1 ? g_strdup_printf("Quadrant split of %s", entry_at(chart, 0)->name)
                        : g_strdup_printf("Quadrant split of %u kernels on %u GPU%s", kernels, gpus,
                                          gpus == 1 ? "" : "s");
}

gboolean ps_draw_quadrants(PsDrawChart *chart, GError **error)
{
    ps_draw_entries(chart, why);
    if (!see_devices(chart, error))
        return FALSE;
    see_estimates(chart);
    key_devices(chart);
    ps_draw_key_kernels(chart, style_of_entry);

    g_autofree char *title = title_of(chart);
    ps_draw_frame(chart, title, "memory bandwidth (GB/s)", "throughput");
    g_autoptr(GArray) tags = g_array_new(FALSE, FALSE, sizeof(PsDrawTag));
    put_shade(chart);
    put_half_lines(chart, tags);
    for (guint i = 0; i < chart->draw->gpus->len; i++)
        for (guint t = 0; t < G_N_ELEMENTS(types); t++)
            put_device(chart, i, t);
    put_halves(chart);
    put_device_texts(chart);
    put_half_line_texts(chart, tags);
    return TRUE;
}
