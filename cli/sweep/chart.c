/* SPDX-License-Identifier: BSD-3-Clause */
/* See chart.h. */
#include "cli/sweep/chart.h"

#include "cli/sweep/chart-script.h"
#include "cli/system/gnuplot.h"
#include "pipesim.h"

struct Chart {
    Gnuplot *gnuplot;
    ChartSheet sheet;
    GHashTable *by_name;
};

static void curve_free(void *data)
{
    ChartCurve *curve = data;
    g_free(curve->name);
    g_array_unref(curve->points);
    g_free(curve);
}

Chart *chart_new(const char *path, const char *title, const char *x_label, GError **error)
{
    Gnuplot *gnuplot = gnuplot_open(path, error);
    if (!gnuplot)
        return NULL;
    Chart *chart = g_new0(Chart, 1);
    chart->gnuplot = gnuplot;
    chart->sheet.title = g_strdup(title);
    chart->sheet.x_label = g_strdup(x_label);
    chart->sheet.curves = g_ptr_array_new_with_free_func(curve_free);
    chart->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    return chart;
}

void chart_free(Chart *chart)
{
    if (!chart)
        return;
    gnuplot_free(chart->gnuplot);
    g_free(chart->sheet.title);
    g_free(chart->sheet.x_label);
    g_hash_table_unref(chart->by_name);
    g_ptr_array_unref(chart->sheet.curves);
    g_free(chart);
}

void chart_add(Chart *chart, const char *name, const ChartPoint *point)
{
    ChartCurve *curve = g_hash_table_lookup(chart->by_name, name);
    if (!curve) {
        curve = g_new(ChartCurve, 1);
        curve->name = g_strdup(name);
        curve->points = g_array_new(FALSE, FALSE, sizeof(ChartPoint));
        g_ptr_array_add(chart->sheet.curves, curve);
        g_hash_table_insert(chart->by_name, curve->name, curve);
    }
    g_array_append_val(curve->points, *point);
}

void chart_set_measured(Chart *chart, double measured)
{
    chart->sheet.measured = measured;
}

gboolean chart_draw(Chart *chart, GError **error)
{
    if (!chart->sheet.curves->len) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "there is no point to draw in a chart");
        return FALSE;
    }
    g_autofree char *script = chart_script(&chart->sheet);
    return gnuplot_draw(chart->gnuplot, chart->sheet.title, script, error);
}
