/* SPDX-License-Identifier: BSD-3-Clause */
/* The common functions of a chart's parts, and its beginning. */
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
