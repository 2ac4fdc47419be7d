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

#define GPU_COLUMNS 24

/* Most marks of GPUs that bear names; more of them bear letters, and so do marks among many
 * half-lines. */
#define FEW_MARKS 12

static const PsKType types[] = {PS_K_FP32, PS_K_FP64, PS_K_INT, PS_K_FP16, PS_K_TENSOR};

/* A mark of a GPU: its bandwidth, and its peak of a type. */
typedef struct {
    guint gpu, type; /* number of types */
    PsXY at;         /* bytes and operations per second */
} Device;

static const char *why(const PsDrawChart *chart, const PsDrawKernel *kernel)
{
    (void)chart;
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

static const PsParams *params_of(const PsDrawChart *chart, guint entry)
{
    return ps_draw_kernel(chart->draw, ps_draw_entry(chart, entry)->first)->params;
}

/* A GPU's name. If it is too long, it first loses the part in parentheses at its end. */
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

static const Device *device(const GArray *devices, guint i)
{
    return &g_array_index(devices, Device, i);
}

static GArray *find_devices(const PsDraw *draw)
{
    GArray *devices = g_array_new(FALSE, FALSE, sizeof(Device));
    for (guint i = 0; i < draw->gpus->len; i++)
        for (guint t = 0; t < G_N_ELEMENTS(types); t++) {
            const PsDrawGpu *gpu = ps_draw_gpu(draw, i);
            const PsXY at = {gpu->peaks->value[PS_B_MEM], ps_draw_peak(gpu, types[t])};
            const Device found = {i, t, at};
            if (ps_draw_has_type(draw, types[t]) && ps_draw_drawable(at.x) && !isnan(at.y))
                g_array_append_val(devices, found);
        }
    return devices;
}

/* TRUE if one of the devices has that type, or is on that GPU. */
static gboolean has_type(const GArray *devices, guint type)
{
    for (guint i = 0; i < devices->len; i++)
        if (device(devices, i)->type == type)
            return TRUE;
    return FALSE;
}

static gboolean has_gpu(const GArray *devices, guint gpu)
{
    for (guint i = 0; i < devices->len; i++)
        if (device(devices, i)->gpu == gpu)
            return TRUE;
    return FALSE;
}

static gboolean has_types(const GArray *devices)
{
    for (guint i = 1; i < devices->len; i++)
        if (device(devices, i)->type != device(devices, 0)->type)
            return TRUE;
    return FALSE;
}

static gboolean names_at_marks(const PsDrawChart *chart, const GArray *devices)
{
    return devices->len <= FEW_MARKS && chart->drawn <= PS_DRAW_FEW;
}

static PsLook look_of_entry(const PsDrawChart *chart, guint i)
{
    const PsDrawEntry *entry = ps_draw_entry(chart, i);
    return ps_draw_mark_look(entry->listed ? entry->number - 1 : 0, ps_draw_entry_colour(entry),
                             TRUE, !entry->listed);
}

static PsLook device_look(guint type)
{
    return (PsLook){.colour = PS_DRAW_BLACK, .marker = ps_look_marker(type, FALSE), .size = 1.1};
}

static void key_devices(PsDrawChart *chart, const GArray *devices)
{
    static const PsLook line = {.colour = PS_DRAW_GREY, .width = 1.6};
    const PsLook hollow = ps_draw_mark_look(0, PS_DRAW_GREY, TRUE, FALSE);
    for (guint t = 0; t < G_N_ELEMENTS(types); t++) {
        const PsLook look = device_look(t);
        if (has_type(devices, t))
            ps_chart_key(chart->chart, &look, "GPU: %s%s", has_types(devices) ? "peak of " : "",
                         ps_k_type_name(types[t]));
    }
    for (guint i = 0; i < chart->draw->gpus->len; i++) {
        g_autofree char *letter = ps_draw_gpu_letter(i);
        g_autofree char *name = gpu_name(chart->draw, i);
        if (!has_gpu(devices, i))
            ps_chart_key(chart->chart, NULL, "not drawn: %s, peaks not known", name);
        else if (!names_at_marks(chart, devices))
            ps_chart_key(chart->chart, NULL, "%s  %s", letter, name);
    }
    if (chart->drawn && chart->drawn <= PS_DRAW_FEW)
        ps_chart_key(chart->chart, &line, "kernel: its %s/byte", ps_draw_operation(chart));
    if (chart->drawn > 1) {
        ps_chart_key(chart->chart, NULL, "GPU above a line: memory bound");
        ps_chart_key(chart->chart, NULL, "GPU below it: compute bound");
    }
    if (chart->drawn)
        ps_chart_key(chart->chart, &hollow, "hollow: by the plain roofline");
}

/* ---- half-lines ------------------------------------------------------------------------------ */

/* The half-line of a kernel, upwards as far as a chart can go. */
static PsSegment half_line(const PsDrawChart *chart, guint entry)
{
    const double slope = params_of(chart, entry)->O_krn;
    return (PsSegment){{PS_CHART_NEAR, slope * PS_CHART_NEAR},
                       {PS_CHART_FAR, slope * PS_CHART_FAR}};
}

/* Puts the half-lines. A chart of one kernel has its memory-bound half in grey. For more kernels
 * than have numbers only the estimated points are drawn: their half-lines would fill the plane. */
static void put_half_lines(PsDrawChart *chart)
{
    for (guint e = 0; e < chart->entries->len; e++) {
        const PsDrawEntry *entry = ps_draw_entry(chart, e);
        const PsSegment line = half_line(chart, e);
        const PsLook look = {.colour = ps_draw_entry_colour(entry),
                             .width = 1.6,
                             .dash = ps_look_dash(entry->number - 1)};
        g_autofree char *what = g_strdup_printf("%u %s", entry->number, entry->name);
        if (entry->number && chart->drawn == 1)
            ps_chart_shade(chart->chart, "#efefef", line.from, line.to);
        if (entry->listed)
            ps_chart_segment(chart->chart, what, &look, line.from, line.to);
    }
}

static void put_half_line_texts(PsDrawChart *chart)
{
    for (guint e = 0; e < chart->entries->len; e++) {
        const PsDrawEntry *entry = ps_draw_entry(chart, e);
        const PsSegment line = half_line(chart, e);
        g_autofree char *number = g_strdup_printf("%u", entry->number);
        const char *name = chart->by_name ? entry->name : number;
        g_autofree char *text =
            g_strdup_printf("%s: %s", name, ps_draw_number(params_of(chart, e)->O_krn, 3).text);
        if (!entry->listed)
            continue;
        ps_chart_label_along(chart->chart, chart->drawn <= PS_DRAW_FEW ? text : name,
                             ps_draw_entry_colour(entry), line.to, line.from);
        ps_chart_tag(chart->chart, "");
    }
}

/* Puts the words for both halves; with several kernels the key has them. */
static void put_halves(PsDrawChart *chart)
{
    if (chart->drawn != 1)
        return;
    ps_chart_label(chart->chart, "memory bound", PS_DRAW_GREY, (PsXY){0, INFINITY});
    ps_chart_label(chart->chart, "compute bound", PS_DRAW_GREY, (PsXY){INFINITY, 0});
}

/* ---- estimated points ----------------------------------------------------------------------- */

/* The point where the roofline puts a kernel of that intensity. */
static PsXY estimate(PsXY device_at, double intensity)
{
    const gboolean memory_bound = device_at.y > intensity * device_at.x;
    return memory_bound ? (PsXY){device_at.x, intensity * device_at.x}
                        : (PsXY){device_at.y / intensity, device_at.y};
}

/* Puts the arrows of few kernels, each from the device. All arrows of a device lie on one another:
 * for many kernels the longest one down and the longest one to the left stand for them. */
static void put_estimates(PsDrawChart *chart, const Device *on)
{
    static const PsLook arrow = {.colour = PS_DRAW_GREY, .width = 1, .dash = "2"};
    PsXY lowest = on->at, leftmost = on->at;
    for (guint e = 0; e < chart->entries->len; e++) {
        const PsDrawEntry *entry = ps_draw_entry(chart, e);
        const PsLook look = look_of_entry(chart, e);
        const PsXY at = estimate(on->at, params_of(chart, e)->O_krn);
        g_autofree char *what = g_strdup_printf("%u %s", entry->number, entry->name);
        if (entry->why || params_of(chart, e)->K_type != types[on->type])
            continue;
        ps_chart_see(chart->chart, at.x, at.y);
        ps_chart_mark(chart->chart, what, &look, at);
        if (chart->drawn <= PS_DRAW_FEW)
            ps_chart_arrow(chart->chart, &arrow, on->at, at);
        lowest.y = MIN(lowest.y, at.y);
        leftmost.x = MIN(leftmost.x, at.x);
    }
    if (chart->drawn > PS_DRAW_FEW) {
        ps_chart_arrow(chart->chart, &arrow, on->at, lowest);
        ps_chart_arrow(chart->chart, &arrow, on->at, leftmost);
    }
}

static void put_device(PsDrawChart *chart, const Device *it)
{
    const PsLook look = device_look(it->type);
    g_autofree char *what = g_strdup_printf("%s: %s", ps_draw_gpu(chart->draw, it->gpu)->name,
                                            ps_k_type_name(types[it->type]));
    ps_chart_see(chart->chart, it->at.x, it->at.y);
    ps_chart_mark(chart->chart, what, &look, it->at);
    put_estimates(chart, it);
}

/* Puts the device's name or letter; where there are several types, also the types at that mark. */
static void put_device_text(PsDrawChart *chart, const GArray *devices, const Device *it)
{
    g_autofree char *name = names_at_marks(chart, devices) ? gpu_name(chart->draw, it->gpu)
                                                           : ps_draw_gpu_letter(it->gpu);
    g_autofree char *before = g_strconcat(name, ", ", NULL);
    if (!has_types(devices)) {
        ps_chart_label(chart->chart, name, PS_DRAW_BLACK, it->at);
        return;
    }
    ps_chart_label(chart->chart, ps_k_type_name(types[it->type]), PS_DRAW_BLACK, it->at);
    ps_chart_tag(chart->chart, before);
}

static char *title_of(const PsDrawChart *chart)
{
    const guint gpus = chart->draw->gpus->len, kernels = chart->entries->len;
    return kernels == 1 ? g_strdup_printf("Quadrant split of %s", ps_draw_entry(chart, 0)->name)
                        : g_strdup_printf("Quadrant split of %u kernels on %u GPU%s", kernels, gpus,
                                          gpus == 1 ? "" : "s");
}

gboolean ps_draw_quadrants(PsDrawChart *chart, GError **error)
{
    const PsDraw *draw = chart->draw;
    g_autoptr(GArray) devices = find_devices(draw);
    if (!devices->len) {
        g_set_error(
            error, PS_ERROR, PS_ERROR_VALUE,
            "the chart has no point for '%s'%s: it needs B_mem and the peak of the kernels' type, "
            "and the description does not give both",
            ps_draw_gpu(draw, 0)->name, draw->gpus->len > 1 ? ", nor for any other GPU" : "");
        return FALSE;
    }
    ps_draw_entries(chart, why);
    ps_draw_begin(chart, title_of(chart), "memory bandwidth", "B/s", "throughput");
    key_devices(chart, devices);
    ps_draw_key_kernels(chart, look_of_entry);
    put_half_lines(chart);
    for (guint i = 0; i < devices->len; i++)
        put_device(chart, device(devices, i));
    put_halves(chart);
    for (guint i = 0; i < devices->len; i++)
        put_device_text(chart, devices, device(devices, i));
    put_half_line_texts(chart);
    return TRUE;
}
