/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The roofline: performance over operational intensity. Besides a GPU's own ceilings each kernel
 * has two that are customised: E_mix * T_op for its share of multiply-adds, and equation 18's
 * T'_op. One that all kernels share goes across the plane, others are short, at their kernel, and
 * drawn for few kernels on one GPU: each has a text.
 */
#include "roofline/draw/chart.h"

#include <math.h>

/* Mixes that differ by less are one ceiling. */
#define SAME 0.01

/* Half the length of a kernel's own ceiling, in dots. */
#define HALF_LENGTH 16

#define DISCOUNTED "linewidth 1.8 dashtype 4 linecolor rgb '#D55E00'"

static double intensity_of(const PsDrawKernel *kernel, PsLevel level)
{
    (void)level;
    return kernel->params->O_krn;
}

static const PsDrawEntry *entry_of(const PsDrawChart *chart, guint kernel)
{
    return &g_array_index(chart->entries, PsDrawEntry, chart->entry_of[kernel]);
}

static const char *why(const PsDraw *draw, const PsDrawKernel *kernel)
{
    (void)draw;
    return ps_draw_why_not(kernel, kernel->params->O_krn, kernel->params->W_traf);
}

static gboolean is_drawn(const PsDraw *draw, guint i)
{
    return !why(draw, ps_draw_kernel(draw, i));
}

/* ---- customised ceilings -------------------------------------------------------------------- */

/* E_mix * T_op; NaN where that is not known, or no ceiling of its own. */
static double mix_of(const PsDraw *draw, const PsDrawKernel *kernel)
{
    const double value = kernel->params->E_mix *
                         ps_draw_peak(ps_draw_gpu(draw, kernel->gpu), kernel->params->K_type);
    return ps_draw_drawable(value) ? value : NAN;
}

static double adjusted_of(const PsDraw *draw, const PsDrawKernel *kernel)
{
    (void)draw;
    return ps_draw_drawable(kernel->adjusted) ? kernel->adjusted : NAN;
}

typedef struct {
    double (*of)(const PsDraw *draw, const PsDrawKernel *kernel);
    const char *name, *brief, *style;
} Custom;

static const Custom customs[] = {
    {mix_of, "its mix, E_mix T_op", "mix", "linewidth 1.4 dashtype 1"},
    {adjusted_of, "adjusted, eq. 18", "eq. 18", "linewidth 1.4 dashtype 3"},
};

/* Of many kernels, or on several GPUs, they would be a crowd. */
static gboolean has_customs(const PsDrawChart *chart)
{
    return !ps_draw_many_gpus(chart->draw) && ps_draw_entries_drawn(chart) <= PS_DRAW_FEW;
}

/* The ceiling that all drawn kernels share; NaN where they do not, or on several GPUs. */
static double shared(const PsDraw *draw, const Custom *custom)
{
    double value = NAN;
    for (guint i = 0; i < draw->kernels->len; i++) {
        if (!is_drawn(draw, i))
            continue;
        const double its = custom->of(draw, ps_draw_kernel(draw, i));
        if (isnan(its) || fabs(its / value - 1) > SAME)
            return NAN;
        value = isnan(value) ? its : value;
    }
    return value;
}

/* TRUE where a GPU's own ceiling is there already. */
static gboolean is_plain(const PsDraw *draw, double value)
{
    for (guint i = 0; i < draw->kernels->len; i++) {
        const double peak =
            ps_draw_peak(ps_draw_gpu(draw, 0), ps_draw_kernel(draw, i)->params->K_type);
        if (fabs(value / peak - 1) < SAME || fabs(2 * value / peak - 1) < SAME)
            return TRUE;
    }
    return FALSE;
}

/* From where bandwidth allows it. */
static double ridge_of(const PsDraw *draw, double value)
{
    const double bandwidth = ps_draw_bandwidth(ps_draw_gpu(draw, 0), PS_LEVEL_DEVICE);
    return isnan(bandwidth) ? 0 : value / bandwidth;
}

/* Whether the ceiling is drawn at the kernel alone. Not one that is drawn already: a GPU's own, or
 * as the point that is predicted to be on it. Nor one that bounds nothing, since at the kernel's
 * intensity bandwidth is the lower ceiling. */
static gboolean has_own(const PsDraw *draw, const Custom *custom, guint i)
{
    const PsDrawKernel *kernel = ps_draw_kernel(draw, i);
    const double value = custom->of(draw, kernel);
    if (!is_drawn(draw, i) || isnan(value) || !isnan(shared(draw, custom)) || is_plain(draw, value))
        return FALSE;
    if (kernel->estimated && fabs(kernel->rate / value - 1) < SAME)
        return FALSE;
    return kernel->params->O_krn >= ridge_of(draw, value);
}

static void see_customs(PsDrawChart *chart)
{
    const PsDraw *draw = chart->draw;
    for (guint c = 0; c < G_N_ELEMENTS(customs); c++) {
        gboolean any = FALSE;
        ps_draw_see(&chart->y, shared(draw, &customs[c]));
        for (guint i = 0; i < draw->kernels->len; i++)
            if (has_own(draw, &customs[c], i)) {
                ps_draw_see(&chart->y, customs[c].of(draw, ps_draw_kernel(draw, i)));
                any = TRUE;
            }
        if (any)
            ps_draw_key_add(chart, g_strdup_printf("%s linecolor rgb '#555555'", customs[c].style),
                            NULL,
                            g_strdup_printf("%s: ceiling, %s", customs[c].brief, customs[c].name));
    }
}

static void put_shared(PsDrawChart *chart, const Custom *custom, double value)
{
    const double left = MAX(ridge_of(chart->draw, value), pow(10, chart->x.least));
    const double y = value / chart->unit;
    g_autofree char *style = g_strdup_printf("%s linecolor rgb '#0072B2'", custom->style);
    ps_draw_line(chart, custom->name, style, (PsDrawXY){left, y},
                 (PsDrawXY){pow(10, chart->x.most), y});
}

/* Around the kernel's intensity; values. It begins at its own ridge at the earliest. */
static PsDrawSegment own_line(const PsDrawChart *chart, const Custom *custom, guint i)
{
    const PsDrawKernel *kernel = ps_draw_kernel(chart->draw, i);
    const double value = custom->of(chart->draw, kernel);
    const PsDrawXY at = ps_draw_place_of(chart, kernel->params->O_krn, value);
    const PsDrawXY dots = ps_draw_dots(chart, at);
    const double ridge = MAX(ridge_of(chart->draw, value), at.x * 1e-9);
    const double left = MAX(dots.x - HALF_LENGTH, ps_draw_dots(chart, (PsDrawXY){ridge, at.y}).x);
    return (PsDrawSegment){ps_draw_value(chart, (PsDrawXY){left, dots.y}),
                           ps_draw_value(chart, (PsDrawXY){left + 2.0 * HALF_LENGTH, dots.y})};
}

static const char *colour_of(const PsDrawChart *chart, guint kernel)
{
    const PsDrawEntry *entry = entry_of(chart, kernel);
    if (ps_draw_many_gpus(chart->draw))
        return ps_draw_gpu_colour(chart->draw, ps_draw_kernel(chart->draw, kernel)->gpu);
    return entry->listed ? ps_draw_colour(entry->number - 1) : "#888888";
}

static void put_own(PsDrawChart *chart, const Custom *custom, guint i)
{
    const PsDrawSegment line = own_line(chart, custom, i);
    g_autofree char *style =
        g_strdup_printf("%s linecolor rgb '%s'", custom->style, colour_of(chart, i));
    g_autofree char *what =
        g_strdup_printf("%s: %s", ps_draw_kernel(chart->draw, i)->name, custom->name);
    ps_draw_line(chart, what, style, line.from, line.to);
}

static void put_own_text(PsDrawChart *chart, const Custom *custom, guint i)
{
    const PsDrawSegment line = own_line(chart, custom, i);
    g_autofree char *amount = ps_draw_rate(chart, line.to.y * chart->unit);
    g_autofree char *text = g_strdup_printf("%s %s", custom->brief, amount);
    ps_draw_label(chart, text, colour_of(chart, i), line.to);
}

static void put_shared_text(PsDrawChart *chart, const Custom *custom, double value)
{
    g_autofree char *amount = ps_draw_rate(chart, value);
    g_autofree char *text = g_strdup_printf("%s: %s", custom->name, amount);
    const double y = value / chart->unit;
    ps_draw_along(chart, text, "#0072B2", (PsDrawXY){pow(10, chart->x.most), y},
                  (PsDrawXY){MAX(ridge_of(chart->draw, value), pow(10, chart->x.least)), y});
}

typedef void (*PutShared)(PsDrawChart *chart, const Custom *custom, double value);
typedef void (*PutOwn)(PsDrawChart *chart, const Custom *custom, guint i);

static void each_custom(PsDrawChart *chart, PutShared put_shared_one, PutOwn put_own_one)
{
    const PsDraw *draw = chart->draw;
    for (guint c = 0; c < G_N_ELEMENTS(customs) && has_customs(chart); c++) {
        const double value = shared(draw, &customs[c]);
        if (!isnan(value) && !is_plain(draw, value))
            put_shared_one(chart, &customs[c], value);
        for (guint i = 0; i < draw->kernels->len; i++)
            if (has_own(draw, &customs[c], i))
                put_own_one(chart, &customs[c], i);
    }
}

/* ---- the discounted roofline ---------------------------------------------------------------- */

/* The share of the plain roofline that the kernel reaches; NaN where that is not known. */
static double efficiency(const PsDraw *draw, guint i)
{
    const PsDrawKernel *kernel = ps_draw_kernel(draw, i);
    const PsDrawGpu *gpu = ps_draw_gpu(draw, kernel->gpu);
    const double roof = fmin(ps_draw_peak(gpu, kernel->params->K_type),
                             kernel->params->O_krn * ps_draw_bandwidth(gpu, PS_LEVEL_DEVICE));
    return kernel->rate / roof;
}

static gboolean check_discounted(const PsDraw *draw, GError **error)
{
    if (draw->discounted < 0)
        return TRUE;
    const guint i = (guint)draw->discounted;
    const char *reason = NULL;
    if (i >= draw->kernels->len)
        reason = "there is no such kernel";
    else if (!is_drawn(draw, i))
        reason = why(draw, ps_draw_kernel(draw, i));
    else if (!ps_draw_drawable(efficiency(draw, i)))
        reason = "the ceilings above it are not known";
    if (reason)
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "the discounted roofline cannot go through kernel %u%s%s: %s", i + 1,
                    i < draw->kernels->len ? ", " : "",
                    i < draw->kernels->len ? ps_draw_kernel(draw, i)->name : "", reason);
    return !reason;
}

static void key_discounted(PsDrawChart *chart)
{
    const PsDraw *draw = chart->draw;
    if (draw->discounted < 0)
        return;
    const guint i = (guint)draw->discounted;
    const PsDrawEntry *entry = entry_of(chart, i);
    g_autofree char *through =
        chart->by_name ? g_strdup(entry->name) : g_strdup_printf("%u", entry->number);
    ps_draw_key_add(chart, g_strdup(DISCOUNTED), NULL,
                    g_strdup_printf("discounted to %s %%, through %s",
                                    ps_draw_number(efficiency(draw, i) * 100, 3).text, through));
}

/* Both roofs, scaled so that the kernel is on them. */
static void put_discounted(PsDrawChart *chart)
{
    const PsDraw *draw = chart->draw;
    if (draw->discounted < 0)
        return;
    const guint i = (guint)draw->discounted;
    const PsDrawKernel *kernel = ps_draw_kernel(draw, i);
    const PsDrawGpu *gpu = ps_draw_gpu(draw, kernel->gpu);
    const double share = efficiency(draw, i) / chart->unit;
    const double slope = share * ps_draw_bandwidth(gpu, PS_LEVEL_DEVICE);
    const double top = share * ps_draw_peak(gpu, kernel->params->K_type);
    const double least = pow(10, chart->x.least), most = pow(10, chart->x.most);
    const double ridge = isnan(slope) ? least : isnan(top) ? most : top / slope;
    if (!isnan(slope)) {
        const double left = MAX(least, pow(10, chart->y.least) / slope);
        ps_draw_line(chart, "discounted bandwidth", DISCOUNTED, (PsDrawXY){left, left * slope},
                     (PsDrawXY){ridge, ridge * slope});
    }
    if (!isnan(top))
        ps_draw_line(chart, "discounted peak", DISCOUNTED, (PsDrawXY){ridge, top},
                     (PsDrawXY){most, top});
}

/* ---- kernels -------------------------------------------------------------------------------- */

/* On one GPU kernels are told apart, on several the GPUs. */
static char *style_of_kernel(const PsDrawChart *chart, guint i)
{
    const PsDrawKernel *kernel = ps_draw_kernel(chart->draw, i);
    const PsDrawEntry *entry = entry_of(chart, i);
    const gboolean many = ps_draw_many_gpus(chart->draw);
    return ps_draw_mark_style(many            ? kernel->gpu
                              : entry->listed ? entry->number - 1
                                              : 0,
                              colour_of(chart, i), kernel->estimated, !entry->listed);
}

static char *style_of_entry(const PsDrawChart *chart, guint entry)
{
    if (ps_draw_many_gpus(chart->draw))
        return NULL;
    return style_of_kernel(chart, g_array_index(chart->entries, PsDrawEntry, entry).first);
}

static void put_kernels(PsDrawChart *chart, GArray *tags)
{
    for (guint i = 0; i < chart->draw->kernels->len; i++) {
        const PsDrawKernel *kernel = ps_draw_kernel(chart->draw, i);
        if (!is_drawn(chart->draw, i))
            continue;
        g_autofree char *style = style_of_kernel(chart, i);
        ps_draw_kernel_mark(chart, i, kernel->params->O_krn, style);
        const PsDrawTag tag = {ps_draw_place_of(chart, kernel->params->O_krn, kernel->rate),
                               chart->entry_of[i]};
        g_array_append_val(tags, tag);
    }
}

static void see_kernels(PsDrawChart *chart)
{
    for (guint i = 0; i < chart->draw->kernels->len; i++) {
        const PsDrawKernel *kernel = ps_draw_kernel(chart->draw, i);
        if (!is_drawn(chart->draw, i))
            continue;
        ps_draw_see(&chart->x, kernel->params->O_krn);
        ps_draw_see(&chart->y, kernel->rate);
    }
}

static char *title_of(const PsDraw *draw)
{
    return ps_draw_many_gpus(draw) ? g_strdup_printf("Rooflines of %u GPUs", draw->gpus->len)
                                   : g_strdup_printf("Roofline of %s", ps_draw_gpu(draw, 0)->name);
}

gboolean ps_draw_roofline(PsDrawChart *chart, GError **error)
{
    const PsDraw *draw = chart->draw;
    ps_draw_entries(chart, why);
    if (!check_discounted(draw, error) || !ps_draw_roofs_see(chart, PS_LEVEL_DEVICE, error))
        return FALSE;
    see_kernels(chart);
    if (has_customs(chart))
        see_customs(chart);
    key_discounted(chart);
    ps_draw_key_marks(chart);
    ps_draw_key_kernels(chart, style_of_entry);

    g_autofree char *title = title_of(draw);
    g_autofree char *x_label =
        g_strdup_printf("operational intensity (%s/byte)", ps_draw_operation(chart));
    ps_draw_frame(chart, title, x_label, "performance");
    g_autoptr(GArray) tags = g_array_new(FALSE, FALSE, sizeof(PsDrawTag));
    ps_draw_roofs_lines(chart, PS_LEVEL_DEVICE);
    each_custom(chart, put_shared, put_own);
    put_discounted(chart);
    put_kernels(chart, tags);
    if (draw->trajectory)
        ps_draw_trajectory(chart, intensity_of, PS_LEVEL_DEVICE, "linecolor rgb '#555555'");
    ps_draw_roofs_texts(chart, PS_LEVEL_DEVICE);
    each_custom(chart, put_shared_text, put_own_text);
    ps_draw_tags(chart, tags, "");
    return TRUE;
}
