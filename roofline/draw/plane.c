/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The roofline: performance over operational intensity. The plain one has a mark for each kernel,
 * at the intensity of device memory. In the hierarchical one a kernel has a mark for every level of
 * memory with known traffic, all at the height of its performance, under the bandwidth ceilings of
 * all levels.
 */
#include "roofline/draw/chart.h"

#include <math.h>

/* A diamond: of the levels of memory only L4 has this shape, and hardly any GPU has an L4. */
#define LEGEND_SHAPE 3

static gboolean is_hierarchical(const PsDrawChart *chart)
{
    return chart->draw->kind == PS_DRAW_HIERARCHICAL;
}

/* The first level of the chart. The plain chart has device memory, and the caches before it where a
 * profiler sees only those. */
static guint first_level(const PsDrawChart *chart)
{
    if (is_hierarchical(chart))
        return 0;
    for (guint i = 0; i < chart->draw->kernels->len; i++) {
        const PsCeiling *of = ps_draw_kernel(chart->draw, i)->ceilings->of;
        if (isnan(of[PS_CEILING_DEVICE].work) && of[PS_CEILING_L3].work > 0)
            return PS_DRAW_L3;
    }
    return PS_DRAW_DEVICE;
}

/* The reason why device memory has no mark, where no other level has one. */
static const char *why(const PsDrawChart *chart, const PsDrawKernel *kernel)
{
    for (guint level = first_level(chart); level < PS_DRAW_LEVELS; level++)
        if (!ps_draw_why_not(kernel, level))
            return NULL;
    return ps_draw_why_not(kernel, PS_DRAW_DEVICE);
}

/* ---- looks ---------------------------------------------------------------------------------- */

/* The look of a mark. Shapes distinguish levels; in the plain chart they distinguish kernels on one
 * GPU, and GPUs on several. */
static PsLook look_of(const PsDrawChart *chart, guint i, guint level)
{
    const PsDrawKernel *kernel = ps_draw_kernel(chart->draw, i);
    const PsDrawEntry *entry = ps_draw_entry_of(chart, i);
    const guint shape = is_hierarchical(chart)           ? ps_draw_level(level)->shape
                        : ps_draw_many_gpus(chart->draw) ? kernel->gpu
                        : entry->listed                  ? entry->number - 1
                                                         : 0;
    return ps_draw_mark_look(shape, ps_draw_kernel_colour(chart, i), kernel->estimated,
                             !entry->listed);
}

static PsLook look_of_entry(const PsDrawChart *chart, guint entry)
{
    return look_of(chart, ps_draw_entry(chart, entry)->first, PS_DRAW_DEVICE);
}

/* ---- the key -------------------------------------------------------------------------------- */

/* TRUE if one of the GPUs has a roof of that level. */
static gboolean has_roof(const PsDraw *draw, guint level)
{
    for (guint i = 0; i < draw->gpus->len; i++)
        if (!isnan(ps_draw_bandwidth(draw, i, level)))
            return TRUE;
    return FALSE;
}

/* Counts the kernels in the chart with traffic at that level, and those whose traffic there is not
 * known. */
static void count_level(const PsDrawChart *chart, guint level, guint *known, guint *unknown)
{
    *known = *unknown = 0;
    for (guint i = 0; i < chart->draw->kernels->len; i++) {
        const double bytes =
            ps_draw_kernel(chart->draw, i)->ceilings->of[ps_draw_level(level)->kind].work;
        if (!ps_draw_entry_of(chart, i)->number)
            continue;
        *known += bytes > 0 ? 1 : 0;
        *unknown += isnan(bytes) ? 1 : 0;
    }
}

/* The line and the shape of each level, and whether the traffic of kernels there is known. */
static void key_levels(PsDrawChart *chart)
{
    for (guint level = 0; level < PS_DRAW_LEVELS; level++) {
        const gboolean roof = has_roof(chart->draw, level);
        guint known, unknown;
        count_level(chart, level, &known, &unknown);
        if (!known && !roof)
            continue;
        const gboolean drawn = known && (roof || level == PS_DRAW_DEVICE);
        PsLook look = roof ? ps_draw_level_look(level, PS_DRAW_GREY) : (PsLook){.width = 0};
        look.colour = PS_DRAW_GREY;
        look.marker = drawn ? ps_look_marker(ps_draw_level(level)->shape, FALSE) : 0;
        look.size = 0.9;
        const gboolean is_partial = unknown && ps_draw_level(level)->kind != PS_CEILING_LOCAL;
        ps_chart_key(chart->chart, &look, "%s%s", ps_draw_level_name(chart->draw, level),
                     !drawn && known ? ", not drawn: bandwidth not known"
                     : !is_partial   ? ""
                     : drawn         ? ", traffic where known"
                                     : ", traffic not known");
    }
}

/* Explains marks in the key: filled, hollow, at the edge. */
static void key_marks(PsDrawChart *chart)
{
    gboolean achieved = FALSE, estimated = FALSE, edge = FALSE;
    for (guint i = 0; i < chart->draw->kernels->len; i++) {
        const PsDrawKernel *kernel = ps_draw_kernel(chart->draw, i);
        if (!ps_draw_entry_of(chart, i)->number)
            continue;
        if (kernel->estimated)
            estimated = TRUE;
        else
            achieved = TRUE;
        edge = edge || isinf(kernel->params->O_krn);
    }
    const PsLook filled = ps_draw_mark_look(LEGEND_SHAPE, PS_DRAW_GREY, FALSE, FALSE);
    const PsLook hollow = ps_draw_mark_look(LEGEND_SHAPE, PS_DRAW_GREY, TRUE, FALSE);
    if (achieved)
        ps_chart_key(chart->chart, &filled, "filled: measured");
    if (estimated)
        ps_chart_key(chart->chart, &hollow, "hollow: predicted, not measured");
    if (edge)
        ps_chart_key(chart->chart, NULL, "at the right edge: no traffic");
}

/* ---- kernels -------------------------------------------------------------------------------- */

/* Puts a kernel: its marks from L1 to device memory, joined by a line if it is listed, and a tag at
 * the last mark. On several GPUs in the hierarchical chart, a letter tells the GPU, since colours
 * do not. */
static void put_kernel(PsDrawChart *chart, guint i)
{
    const PsDrawKernel *kernel = ps_draw_kernel(chart->draw, i);
    const PsDrawEntry *entry = ps_draw_entry_of(chart, i);
    const PsLook thin = {.colour = ps_draw_kernel_colour(chart, i), .width = 0.7};
    g_autofree char *what = g_strdup_printf("%u %s", entry->number, kernel->name);
    PsXY last = {NAN, kernel->rate};
    for (guint level = first_level(chart); level < PS_DRAW_LEVELS; level++) {
        const PsXY at = {ps_draw_intensity(kernel, level), kernel->rate};
        const PsLook look = look_of(chart, i, level);
        if (ps_draw_why_not(kernel, level))
            continue;
        if (!isnan(last.x) && entry->listed)
            ps_chart_segment(chart->chart, kernel->name, &thin, last, at);
        ps_chart_see(chart->chart, at.x, at.y);
        ps_chart_mark(chart->chart, what, &look, at);
        last = at;
    }
    g_autofree char *letter = ps_draw_gpu_letter(kernel->gpu);
    g_autofree char *before = g_strconcat(letter, chart->by_name ? " " : "", NULL);
    const gboolean lettered = is_hierarchical(chart) && ps_draw_many_gpus(chart->draw);
    if (!isnan(last.x))
        ps_draw_tag(chart, chart->entry_of[i], lettered ? before : "", last);
}

/* Puts arrows from the mark of each kernel on a GPU to the next kernel's. */
static void put_trajectory(PsDrawChart *chart, guint gpu, guint level)
{
    PsLook look = ps_draw_level_look(level, PS_DRAW_GREY);
    PsXY last = {NAN, NAN};
    look.width = 1;
    for (guint i = 0; i < chart->draw->kernels->len; i++) {
        const PsDrawKernel *kernel = ps_draw_kernel(chart->draw, i);
        const PsXY at = {ps_draw_intensity(kernel, level), kernel->rate};
        if (kernel->gpu != gpu || ps_draw_why_not(kernel, level))
            continue;
        if (!isnan(last.x))
            ps_chart_arrow(chart->chart, &look, last, at);
        last = at;
    }
}

/* Puts the trajectories; with many kernels only those of device memory, since the caches' would be
 * a thicket. */
static void put_trajectories(PsDrawChart *chart)
{
    const gboolean few = chart->drawn <= PS_DRAW_FEW;
    for (guint level = few ? first_level(chart) : PS_DRAW_DEVICE; level < PS_DRAW_LEVELS; level++)
        for (guint gpu = 0; gpu < chart->draw->gpus->len; gpu++)
            put_trajectory(chart, gpu, level);
}

/* ---- the chart ------------------------------------------------------------------------------ */

static char *title_of(const PsDrawChart *chart)
{
    const char *kind = is_hierarchical(chart) ? "Hierarchical roofline" : "Roofline";
    return ps_draw_many_gpus(chart->draw)
               ? g_strdup_printf("%ss of %u GPUs", kind, chart->draw->gpus->len)
               : g_strdup_printf("%s of %s", kind, ps_draw_gpu(chart->draw, 0)->name);
}

gboolean ps_draw_plane(PsDrawChart *chart, GError **error)
{
    const PsDraw *draw = chart->draw;
    const gboolean levels = is_hierarchical(chart);
    ps_draw_entries(chart, why);
    g_autofree char *x_label =
        g_strdup_printf("operational intensity%s (%s/byte)", levels ? " at each level" : "",
                        ps_draw_operation(chart));
    ps_draw_begin(chart, title_of(chart), x_label, NULL, "performance");
    if (!ps_draw_roofs(chart, first_level(chart), error))
        return FALSE;
    if (levels)
        key_levels(chart);
    else if (!ps_draw_customs(chart, error))
        return FALSE;
    key_marks(chart);
    /* colours are the GPUs', or too few for the shapes: numbers distinguish kernels */
    const gboolean numbers = ps_draw_many_gpus(draw) || (levels && chart->drawn > PS_DRAW_FEW);
    ps_draw_key_kernels(chart, numbers ? NULL : look_of_entry);
    for (guint i = 0; i < draw->kernels->len; i++)
        put_kernel(chart, i);
    if (draw->trajectory)
        put_trajectories(chart);
    if (!levels)
        ps_draw_own_customs(chart);
    return TRUE;
}
