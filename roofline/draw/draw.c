/* SPDX-License-Identifier: BSD-3-Clause */
/* See draw.h; the parts are in chart.h. */
#include "roofline/draw/chart.h"

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

char *ps_draw_script(const PsDraw *draw, double *height, GError **error)
{
    if (!check(draw, error))
        return NULL;
    g_autoptr(GArray) entries = g_array_new(FALSE, TRUE, sizeof(PsDrawEntry));
    g_autofree guint *entry_of = g_new0(guint, draw->kernels->len);
    g_array_set_clear_func(entries, clear_entry);
    PsDrawChart chart = {draw, is_flop(draw), entries, entry_of, 0, FALSE, NULL};
    const gboolean drawn = draw->kind == PS_DRAW_QUADRANTS ? ps_draw_quadrants(&chart, error)
                                                           : ps_draw_plane(&chart, error);
    char *script = drawn ? ps_chart_script(chart.chart, height) : NULL;
    g_clear_pointer(&chart.chart, ps_chart_free);
    return script;
}
