/* SPDX-License-Identifier: BSD-3-Clause */
/* See validate-chart.h. */
#include "cli/validate/chart.h"

#include "cli/validate/report.h"

#include <math.h>

#define COLUMNS 3

/* Rows on a chart of the usual height, and on one the key's way down, as a share of its height. */
#define USUAL_ROWS 2.0
#define KEY_DOWN 0.062

typedef struct {
    const Comparison *comparison;
    guint first, end; /* points of one kernel */
} Panel;

static const Compared *at(const Panel *panel, guint i)
{
    return &g_array_index(panel->comparison->points, Compared, i);
}

static gboolean varies(const Panel *panel)
{
    for (guint i = panel->first + 1; i < panel->end; i++)
        if (at(panel, i)->warps != at(panel, panel->first)->warps)
            return TRUE;
    return FALSE;
}

/* What is done in a run, in units of 10^9: operations, else bytes, else nothing is known. */
static double work(const Compared *compared)
{
    return compared->flops > 0   ? compared->flops / 1e9
           : compared->bytes > 0 ? compared->bytes / 1e9
                                 : NAN;
}

static const char *unit(const Compared *compared)
{
    return compared->flops > 0 ? "GFLOP/s" : "GB/s";
}

static int by_warps(const void *a, const void *b)
{
    const Compared *x = a, *y = b;
    return (x->warps > y->warps) - (x->warps < y->warps);
}

static void put_number(GString *out, double x)
{
    if (isfinite(x))
        g_string_append_printf(out, " %.10g", x);
    else
        g_string_append(out, " NaN");
}

static void put_data(GString *out, const Panel *panel, guint number)
{
    g_autoptr(GArray) sorted = g_array_new(FALSE, FALSE, sizeof(Compared));
    g_array_append_vals(sorted, at(panel, panel->first), panel->end - panel->first);
    g_array_sort(sorted, by_warps);
    g_string_append_printf(out, "$kernel%u << END\n", number);
    for (guint i = 0; i < sorted->len; i++) {
        const Compared *point = &g_array_index(sorted, Compared, i);
        g_string_append_printf(out, "%" G_GINT64_FORMAT, point->warps);
        put_number(out, work(point) / point->measured);
        put_number(out, work(point) / point->simulated);
        put_number(out, work(point) / point->roofline);
        g_string_append_c(out, '\n');
    }
    g_string_append(out, "END\n");
}

static void put_panel(GString *out, const Panel *panel, guint number)
{
    g_autofree char *title = ps_draw_quote(at(panel, panel->first)->point->kernel);
    g_string_append_printf(
        out,
        "set title %s noenhanced offset 0,-0.6\nset ylabel '%s'\n"
        "plot $kernel%u using 1:2 with points linetype 1 pointtype 7 pointsize 0.4 title "
        "'measured', '' using 1:3 with lines linetype 2 linewidth 1.5 title 'simulated', '' using "
        "1:4 with lines linecolor rgb 'black' dashtype 2 title 'roofline'\n",
        title, unit(at(panel, panel->first)), number);
}

static GArray *find_panels(const Comparison *comparison)
{
    GArray *panels = g_array_new(FALSE, FALSE, sizeof(Panel));
    for (guint i = 0; i < comparison->points->len; i = validate_end_of_kernel(comparison, i)) {
        const Panel panel = {comparison, i, validate_end_of_kernel(comparison, i)};
        if (varies(&panel))
            g_array_append_val(panels, panel);
    }
    return panels;
}

char *validate_chart_script(const Comparison *comparison, const char *title, double *height)
{
    g_autoptr(GArray) found = find_panels(comparison);
    g_autofree char *quoted = ps_draw_quote(title);
    if (found->len == 0)
        return NULL;
    const guint columns = MIN(found->len, COLUMNS), rows = (found->len + columns - 1) / columns;
    *height = MAX(1, rows / USUAL_ROWS);
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < found->len; i++)
        put_data(out, &g_array_index(found, Panel, i), i);
    /* One key for all panels, on a line of its own under the title. */
    g_string_append_printf(
        out,
        "set border 3\nset tics nomirror\nset tics font ',8'\nset title font ',9'\n"
        "set key at screen 0.5,%.6g center horizontal font ',8' samplen 2\n"
        "set xlabel 'active warps' font ',8' offset 0,0.8\nset ylabel font ',8' offset 1.5,0\n"
        "set xrange [0:*]\nset yrange [0:*]\nset format y '%%g'\n"
        "set grid linetype 1 linewidth 0.5 linecolor rgb '#dddddd'\n"
        "set multiplot layout %u,%u title %s.\"\\n \" noenhanced font ',10'\n",
        1 - KEY_DOWN / *height, rows, columns, quoted);
    for (guint i = 0; i < found->len; i++) {
        put_panel(out, &g_array_index(found, Panel, i), i);
        g_string_append(out, "unset key\n");
    }
    g_string_append(out, "unset multiplot\n");
    return g_string_free(out, FALSE);
}
