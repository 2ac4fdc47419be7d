/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hierarchical roofline: each kernel has a mark for every level of the memory whose traffic is
 * known, all at the height of its performance, under the bandwidth ceilings of all levels.
 */
#include "roofline/draw/chart.h"

#include <math.h>

#define GREY "#555555"

/* The operations per byte of that level; infinite where there are operations without traffic. */
static double intensity_of(const PsDrawKernel *kernel, PsLevel level)
{
    const double bytes = kernel->params->traffic[level];
    return bytes < 0 ? NAN : kernel->params->W_comp / bytes;
}

static const char *why_at(const PsDrawKernel *kernel, PsLevel level)
{
    return ps_draw_why_not(kernel, intensity_of(kernel, level), kernel->params->traffic[level]);
}

/* What device memory lacks, where no other level has a mark. */
static const char *why(const PsDraw *draw, const PsDrawKernel *kernel)
{
    (void)draw;
    for (PsLevel level = PS_LEVEL_L1; level < PS_N_LEVELS; level++)
        if (!why_at(kernel, level))
            return NULL;
    return why_at(kernel, PS_LEVEL_DEVICE);
}

static const PsDrawEntry *entry_of(const PsDrawChart *chart, guint kernel)
{
    return &g_array_index(chart->entries, PsDrawEntry, chart->entry_of[kernel]);
}

/* Circles for device memory, squares for L2, triangles for L1. */
static guint shape_of(PsLevel level)
{
    static const guint shapes[PS_N_LEVELS] = {[PS_LEVEL_L1] = 2, [PS_LEVEL_L2] = 1};
    return shapes[level];
}

static const char *colour_of(const PsDrawChart *chart, guint kernel)
{
    if (ps_draw_many_gpus(chart->draw))
        return ps_draw_gpu_colour(chart->draw, ps_draw_kernel(chart->draw, kernel)->gpu);
    const PsDrawEntry *entry = entry_of(chart, kernel);
    return entry->listed ? ps_draw_colour(entry->number - 1) : "#888888";
}

static char *style_of_entry(const PsDrawChart *chart, guint i)
{
    const PsDrawEntry *entry = &g_array_index(chart->entries, PsDrawEntry, i);
    if (ps_draw_many_gpus(chart->draw) || ps_draw_entries_drawn(chart) > PS_DRAW_FEW)
        return NULL; /* colours are the GPUs', or too few: numbers tell kernels apart */
    return ps_draw_mark_style(0, colour_of(chart, entry->first),
                              ps_draw_kernel(chart->draw, entry->first)->estimated, FALSE);
}

/* Whether one of the GPUs has a ceiling of that level. */
static gboolean has_ceiling(const PsDraw *draw, PsLevel level)
{
    for (guint i = 0; i < draw->gpus->len; i++)
        if (!isnan(ps_draw_bandwidth(ps_draw_gpu(draw, i), level)))
            return TRUE;
    return FALSE;
}

/* The line and the shape of each level, and whether the traffic of kernels there is known. */
static void key_levels(PsDrawChart *chart)
{
    for (PsLevel level = PS_LEVEL_L1; level < PS_N_LEVELS; level++) {
        guint drawn = 0, lacking = 0;
        for (guint i = 0; i < chart->draw->kernels->len; i++)
            if (!why_at(ps_draw_kernel(chart->draw, i), level))
                drawn++;
            else if (entry_of(chart, i)->number)
                lacking++;
        const gboolean ceiling = has_ceiling(chart->draw, level);
        if (!drawn && !ceiling)
            continue;
        ps_draw_key_add(
            chart,
            ceiling ? g_strdup_printf("%s linecolor rgb '" GREY "'", ps_draw_level_style(level))
                    : NULL,
            drawn ? ps_draw_mark_style(shape_of(level), GREY, FALSE, FALSE) : NULL,
            g_strdup_printf("%s%s", ps_draw_level_name(level),
                            !lacking ? ""
                            : drawn  ? ", traffic where known"
                                     : ", traffic not known"));
    }
}

static void see_kernels(PsDrawChart *chart)
{
    for (guint i = 0; i < chart->draw->kernels->len; i++) {
        const PsDrawKernel *kernel = ps_draw_kernel(chart->draw, i);
        for (PsLevel level = PS_LEVEL_L1; level < PS_N_LEVELS; level++)
            if (!why_at(kernel, level)) {
                ps_draw_see(&chart->x, intensity_of(kernel, level));
                ps_draw_see(&chart->y, kernel->rate);
            }
    }
}

/* Its marks, from L1 to device memory, joined by a line if it is listed, and a tag at the last. */
static void put_kernel(PsDrawChart *chart, guint i, GArray *tags)
{
    const PsDrawKernel *kernel = ps_draw_kernel(chart->draw, i);
    const char *colour = colour_of(chart, i);
    const gboolean small = !entry_of(chart, i)->listed;
    g_autofree char *thin = g_strdup_printf("linewidth 0.7 linecolor rgb '%s'", colour);
    PsDrawTag tag = {{0, 0}, chart->entry_of[i]};
    gboolean any = FALSE;
    for (PsLevel level = PS_LEVEL_L1; level < PS_N_LEVELS; level++) {
        const double intensity = intensity_of(kernel, level);
        if (why_at(kernel, level))
            continue;
        const PsDrawXY at = ps_draw_place_of(chart, intensity, kernel->rate);
        if (any && !small)
            ps_draw_line(chart, kernel->name, thin, tag.at, at);
        g_autofree char *style =
            ps_draw_mark_style(shape_of(level), colour, kernel->estimated, small);
        ps_draw_kernel_mark(chart, i, intensity, style);
        tag.at = at;
        any = TRUE;
    }
    if (any)
        g_array_append_val(tags, tag);
}

static void free_tags(void *tags)
{
    g_array_unref(tags);
}

/* The tags of each GPU. */
static GPtrArray *put_kernels(PsDrawChart *chart)
{
    GPtrArray *tags = g_ptr_array_new_with_free_func(free_tags);
    for (guint gpu = 0; gpu < chart->draw->gpus->len; gpu++)
        g_ptr_array_add(tags, g_array_new(FALSE, FALSE, sizeof(PsDrawTag)));
    for (guint i = 0; i < chart->draw->kernels->len; i++)
        put_kernel(chart, i, tags->pdata[ps_draw_kernel(chart->draw, i)->gpu]);
    return tags;
}

/* Shapes are the levels', so of several GPUs the letter says which it is, where colours do not. */
static void put_tags(PsDrawChart *chart, const GPtrArray *tags)
{
    for (guint gpu = 0; gpu < tags->len; gpu++) {
        g_autofree char *letter = ps_draw_gpu_letter(gpu);
        g_autofree char *before = g_strconcat(letter, chart->by_name ? " " : "", NULL);
        ps_draw_tags(chart, tags->pdata[gpu], ps_draw_many_gpus(chart->draw) ? before : "");
    }
}

/* With many kernels those of the caches would be a thicket. */
static void put_trajectories(PsDrawChart *chart)
{
    static const guint dashes[] = {[PS_LEVEL_L1] = 4,
                                   [PS_LEVEL_L2] = 2,
                                   [PS_LEVEL_L3] = 3,
                                   [PS_LEVEL_L4] = 5,
                                   [PS_LEVEL_DEVICE] = 1};
    const gboolean few = ps_draw_entries_drawn(chart) <= PS_DRAW_FEW;
    for (PsLevel level = few ? PS_LEVEL_L1 : PS_LEVEL_DEVICE; level < PS_N_LEVELS; level++) {
        g_autofree char *style =
            g_strdup_printf("dashtype %u linecolor rgb '" GREY "'", dashes[level]);
        ps_draw_trajectory(chart, intensity_of, level, style);
    }
}

static char *title_of(const PsDraw *draw)
{
    return ps_draw_many_gpus(draw)
               ? g_strdup_printf("Hierarchical rooflines of %u GPUs", draw->gpus->len)
               : g_strdup_printf("Hierarchical roofline of %s", ps_draw_gpu(draw, 0)->name);
}

gboolean ps_draw_hierarchical(PsDrawChart *chart, GError **error)
{
    ps_draw_entries(chart, why);
    if (!ps_draw_roofs_see(chart, PS_LEVEL_L1, error))
        return FALSE;
    see_kernels(chart);
    key_levels(chart);
    ps_draw_key_marks(chart);
    ps_draw_key_kernels(chart, style_of_entry);

    g_autofree char *title = title_of(chart->draw);
    g_autofree char *x_label =
        g_strdup_printf("operational intensity at each level (%s/byte)", ps_draw_operation(chart));
    ps_draw_frame(chart, title, x_label, "performance");
    ps_draw_roofs_lines(chart, PS_LEVEL_L1);
    g_autoptr(GPtrArray) tags = put_kernels(chart);
    if (chart->draw->trajectory)
        put_trajectories(chart);
    ps_draw_roofs_texts(chart, PS_LEVEL_L1);
    put_tags(chart, tags);
    return TRUE;
}
