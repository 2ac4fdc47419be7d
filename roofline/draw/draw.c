/* SPDX-License-Identifier: BSD-3-Clause */
/* See draw.h; the chart's parts are in chart.h. */
#include "roofline/draw/chart.h"

const PsDrawGpu *ps_draw_gpu(const PsDraw *draw, guint i)
{
    return &g_array_index(draw->gpus, PsDrawGpu, i);
}

const PsDrawKernel *ps_draw_kernel(const PsDraw *draw, guint i)
{
    return &g_array_index(draw->kernels, PsDrawKernel, i);
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

char *ps_draw_script(const PsDraw *draw, GError **error)
{
    static gboolean (*const kinds[])(PsDrawChart *,
                                     GError **) = {[PS_DRAW_ROOFLINE] = ps_draw_roofline,
                                                   [PS_DRAW_HIERARCHICAL] = ps_draw_hierarchical,
                                                   [PS_DRAW_QUADRANTS] = ps_draw_quadrants};
    if (!check(draw, error))
        return NULL;
    g_autoptr(PsDrawChart) chart = ps_draw_chart_new(draw);
    return kinds[draw->kind](chart, error) ? ps_draw_finish(chart) : NULL;
}
