/* SPDX-License-Identifier: BSD-3-Clause */
/* See draw.h; the parts are in chart.h. */
#include "roofline/draw/chart.h"

const PsDrawGpu *ps_draw_gpu(const PsDraw *draw, guint i)
{
    return &g_array_index(draw->gpus, PsDrawGpu, i);
}

const PsDrawKernel *ps_draw_kernel(const PsDraw *draw, guint i)
{
    return &g_array_index(draw->kernels, PsDrawKernel, i);
}

const PsDrawEntry *ps_draw_entry(const PsDrawChart *chart, guint i)
{
    return &g_array_index(chart->entries, PsDrawEntry, i);
}

const PsDrawEntry *ps_draw_entry_of(const PsDrawChart *chart, guint kernel)
{
    return ps_draw_entry(chart, chart->entry_of[kernel]);
}

const char *ps_draw_operation(const PsDrawChart *chart)
{
    return chart->flop ? "FLOP" : "op";
}

static const char *rate_unit(const PsDrawChart *chart)
{
    return chart->flop ? "FLOP/s" : "op/s";
}

char *ps_draw_rate(const PsDrawChart *chart, double rate)
{
    return ps_draw_amount(rate, rate_unit(chart));
}

void ps_draw_begin(PsDrawChart *chart, char *title, const char *x_label, const char *x_unit,
                   const char *y_label)
{
    const PsAxis x = {x_label, PS_SCALE_LOG10, x_unit};
    const PsAxis y = {y_label, PS_SCALE_LOG10, rate_unit(chart)};
    chart->chart = ps_chart_new(chart->draw->title ? chart->draw->title : title, &x, &y);
    g_free(title);
}

void ps_draw_tag(PsDrawChart *chart, guint i, const char *before, PsXY at)
{
    const PsDrawEntry *entry = ps_draw_entry(chart, i);
    g_autofree char *number = g_strdup_printf("%u", entry->number);
    if (!entry->listed)
        return;
    ps_chart_label(chart->chart, chart->by_name ? entry->name : number, PS_DRAW_BLACK, at);
    ps_chart_tag(chart->chart, before);
}

gboolean ps_draw_drawable(double value)
{
    return value >= PS_CHART_NEAR && value <= PS_CHART_FAR;
}

static gboolean is_flop(const PsDraw *draw)
{
    for (guint i = 0; i < draw->kernels->len; i++)
        if (ps_draw_kernel(draw, i)->params->K_type == PS_K_INT)
            return FALSE;
    return TRUE;
}

static gboolean check(const PsDraw *draw, GError **error)
{
    if (!draw->gpus->len) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "a chart needs at least one GPU");
        return FALSE;
    }
    for (guint i = 0; i < draw->kernels->len; i++)
        if (ps_draw_kernel(draw, i)->gpu >= draw->gpus->len) {
            g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                        "kernel '%s' of the chart is on GPU %u, but there are %u",
                        ps_draw_kernel(draw, i)->name, ps_draw_kernel(draw, i)->gpu + 1,
                        draw->gpus->len);
            return FALSE;
        }
    return TRUE;
}

static void clear_entry(void *entry)
{
    g_free(((PsDrawEntry *)entry)->name);
}

char *ps_draw_script(const PsDraw *draw, GError **error)
{
    if (!check(draw, error))
        return NULL;
    g_autoptr(GArray) entries = g_array_new(FALSE, TRUE, sizeof(PsDrawEntry));
    g_autofree guint *entry_of = g_new0(guint, draw->kernels->len);
    g_array_set_clear_func(entries, clear_entry);
    PsDrawChart chart = {draw, is_flop(draw), entries, entry_of, 0, FALSE, NULL};
    const gboolean drawn = draw->kind == PS_DRAW_QUADRANTS ? ps_draw_quadrants(&chart, error)
                                                           : ps_draw_plane(&chart, error);
    char *script = drawn ? ps_chart_script(chart.chart) : NULL;
    g_clear_pointer(&chart.chart, ps_chart_free);
    return script;
}
