/* SPDX-License-Identifier: BSD-3-Clause */
/* See chart.h. */
#include "cli/chart.h"

#include "cli/draft.h"
#include "cli/fail.h"
#include "cli/format.h"
#include "cli/output.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

/* An axis whose values span more than this is logarithmic. */
#define LOG_SPAN 32

/* Up to so many curves are named above the chart, more at its side. */
#define FEW_CURVES 6

/* gnuplot's own. */
#define N_COLOURS 8
#define N_DASHES 5

/* Tick marks are written out below this, and with M, G, ... above. */
#define LONG_NUMBER 1e7

typedef struct {
    double x, gflops, seconds;
} ChartPoint;

typedef struct {
    char *name;
    GArray *points; /* ChartPoint */
} Curve;

struct Chart {
    Output *output; /* NULL once drawn */
    const char *terminal;
    char *title, *x_label;
    GPtrArray *curves;
    GHashTable *by_name;
};

static const char *terminal_of(const char *path)
{
    static const struct {
        const char *ending, *terminal;
    } types[] = {{".svg", "svg size 900,560 dynamic background rgb 'white'"},
                 {".png", "pngcairo size 1200,750 fontscale 1.25"},
                 {".pdf", "pdfcairo size 18cm,11.2cm"}};
    for (guint i = 0; i < G_N_ELEMENTS(types); i++)
        if (g_str_has_suffix(path, types[i].ending))
            return types[i].terminal;
    return NULL;
}

gboolean chart_check(const char *path, GError **error)
{
    return terminal_of(path) ||
           usage_error(error, "--chart '%s': a chart's name ends in .svg, .png or .pdf", path);
}

static void curve_free(void *data)
{
    Curve *curve = data;
    g_free(curve->name);
    g_array_unref(curve->points);
    g_free(curve);
}

static gboolean have_gnuplot(GError **error)
{
    g_autofree char *program = g_find_program_in_path("gnuplot");
    if (!program)
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "a chart needs the program gnuplot, which is not installed "
                    "(Debian's package gnuplot-nox has it)");
    return program != NULL;
}

Chart *chart_new(const char *path, const char *title, const char *x_label, GError **error)
{
    if (!have_gnuplot(error))
        return NULL;
    Output *output = output_open(path, error);
    if (!output)
        return NULL;
    if (!output_draft(output)) {
        output_drop(output);
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: a chart can only be written to a file",
                    path);
        return NULL;
    }
    Chart *chart = g_new0(Chart, 1);
    chart->output = output;
    chart->terminal = terminal_of(path);
    chart->title = g_strdup(title);
    chart->x_label = g_strdup(x_label);
    chart->curves = g_ptr_array_new_with_free_func(curve_free);
    chart->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    return chart;
}

void chart_free(Chart *chart)
{
    if (!chart)
        return;
    output_drop(chart->output);
    g_free(chart->title);
    g_free(chart->x_label);
    g_hash_table_unref(chart->by_name);
    g_ptr_array_unref(chart->curves);
    g_free(chart);
}

void chart_add(Chart *chart, const char *name, double x, double gflops, double seconds)
{
    Curve *curve = g_hash_table_lookup(chart->by_name, name);
    if (!curve) {
        curve = g_new(Curve, 1);
        curve->name = g_strdup(name);
        curve->points = g_array_new(FALSE, FALSE, sizeof(ChartPoint));
        g_ptr_array_add(chart->curves, curve);
        g_hash_table_insert(chart->by_name, curve->name, curve);
    }
    const ChartPoint point = {x, gflops, seconds};
    g_array_append_val(curve->points, point);
}

/* ---- the script ---------------------------------------------------------------------------- */

/* In single quotes gnuplot takes every character as it is, but for the quote itself. */
static char *quote(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, "'", 0);
    g_autofree char *doubled = g_strjoinv("''", parts);
    for (char *c = doubled; *c; c++)
        if (g_ascii_iscntrl(*c))
            *c = ' ';
    return g_strconcat("'", doubled, "'", NULL);
}

static void put_setting(GString *script, const char *setting, const char *text)
{
    g_autofree char *quoted = quote(text);
    g_string_append_printf(script, "%s %s noenhanced\n", setting, quoted);
}

static int by_x(const void *a, const void *b)
{
    const ChartPoint *p = a, *q = b;
    return (p->x > q->x) - (p->x < q->x);
}

/* Everything that counts operations is drawn as a rate. */
static gboolean all_count(const Chart *chart)
{
    for (guint i = 0; i < chart->curves->len; i++) {
        const GArray *points = ((const Curve *)chart->curves->pdata[i])->points;
        for (guint j = 0; j < points->len; j++)
            if (g_array_index(points, ChartPoint, j).gflops <= 0)
                return FALSE;
    }
    return TRUE;
}

static double y_of(const ChartPoint *point, gboolean rate)
{
    return rate ? point->gflops : point->seconds * 1e3;
}

static void put_data(GString *script, const Curve *curve, guint i, gboolean rate)
{
    g_array_sort(curve->points, by_x);
    g_string_append_printf(script, "$curve%u << END\n", i);
    for (guint j = 0; j < curve->points->len; j++) {
        const ChartPoint *point = &g_array_index(curve->points, ChartPoint, j);
        g_string_append_printf(script, "%.10g %.10g\n", point->x, y_of(point, rate));
    }
    g_string_append(script, "END\n");
}

typedef struct {
    double least, most;
} Extent;

static void extend(Extent *extent, double value)
{
    extent->least = MIN(extent->least, value);
    extent->most = MAX(extent->most, value);
}

/* Numbers are written out until they get so long that people count their zeros. */
static void put_format(GString *script, char axis, const Extent *extent)
{
    g_string_append_printf(script, "set format %c '%s'\n", axis,
                           extent->most < LONG_NUMBER ? "%.8g" : "%.1s%c");
}

/* The horizontal axis starts at 0, unless its values span so much that it is logarithmic. */
static void put_axes(GString *script, const Chart *chart, gboolean rate)
{
    Extent x = {G_MAXDOUBLE, -G_MAXDOUBLE}, y = x;
    for (guint i = 0; i < chart->curves->len; i++) {
        const GArray *points = ((const Curve *)chart->curves->pdata[i])->points;
        for (guint j = 0; j < points->len; j++) {
            const ChartPoint *point = &g_array_index(points, ChartPoint, j);
            extend(&x, point->x);
            extend(&y, y_of(point, rate));
        }
    }
    if (x.least > 0 && x.most > 1024 && x.most / x.least > LOG_SPAN)
        g_string_append(script, "set logscale x 2\n");
    else if (x.least >= 0 && x.most > 0)
        g_string_append_printf(script, "set xrange [0:%.10g]\n", x.most * 1.02);
    g_string_append(script, "set yrange [0:*]\n");
    put_format(script, 'x', &x);
    put_format(script, 'y', &y);
}

/* gnuplot has eight colours; curves beyond them get another dash and marker for each eight. */
static void put_curve(GString *script, const Curve *curve, guint i)
{
    static const guint markers[] = {7, 5, 9, 13, 6, 4, 8, 12};
    const guint round = i / N_COLOURS;
    g_autofree char *name = quote(curve->name);
    g_string_append_printf(script,
                           "%s $curve%u with linespoints linetype %u dashtype %u linewidth 1.5 "
                           "pointtype %u pointsize 0.7 title %s",
                           i ? "," : "plot", i, i % N_COLOURS + 1, round % N_DASHES + 1,
                           markers[round % G_N_ELEMENTS(markers)], name);
}

/* The terminal, with the title as that of an SVG file, which takes letters and digits alone. */
static void put_terminal(GString *script, const Chart *chart)
{
    g_string_append_printf(script, "set terminal %s", chart->terminal);
    if (g_str_has_prefix(chart->terminal, "svg") && *chart->title) {
        g_autofree char *name = g_strdup(chart->title);
        g_strcanon(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS, '_');
        g_string_append_printf(script, " name '%s'", name);
    }
    g_string_append_c(script, '\n');
}

static char *make_script(const Chart *chart)
{
    GString *script = g_string_new(NULL);
    const gboolean rate = all_count(chart);
    g_autofree char *draft = quote(output_draft(chart->output));
    put_terminal(script, chart);
    g_string_append_printf(script, "set output %s\n", draft);
    put_setting(script, "set title", chart->title);
    put_setting(script, "set xlabel", chart->x_label);
    put_setting(script, "set ylabel", rate ? "performance (GFLOP/s)" : "time (ms)");
    g_string_append(script,
                    "set grid linetype 1 linewidth 0.5 linecolor rgb '#cccccc'\nset border 3\n"
                    "set tics nomirror\nset key noenhanced ");
    g_string_append(script, chart->curves->len > FEW_CURVES ? "outside right vertical\n"
                                                            : "tmargin center horizontal\n");
    put_axes(script, chart, rate);
    for (guint i = 0; i < chart->curves->len; i++)
        put_data(script, chart->curves->pdata[i], i, rate);
    for (guint i = 0; i < chart->curves->len; i++)
        put_curve(script, chart->curves->pdata[i], i);
    g_string_append(script, "\n");
    return g_string_free(script, FALSE);
}

/* ---- drawing ------------------------------------------------------------------------------- */

/* gnuplot without the user's own settings. */
static gboolean run_gnuplot(char *script, GError **error)
{
    char *argv[] = {(char[]){"gnuplot"}, (char[]){"-d"}, script, NULL};
    g_autofree char *said = NULL;
    g_autoptr(GError) why = NULL;
    int status;
    if (!g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL, NULL,
                      NULL, NULL, &said, &status, error))
        return FALSE;
    if (g_spawn_check_wait_status(status, &why))
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_READ, "gnuplot failed: %s: %s", why->message,
                g_strstrip(said));
    return FALSE;
}

/* The script goes through a file, since gnuplot's own errors then name its lines. */
static gboolean draw(const Chart *chart, GError **error)
{
    g_autofree char *name = g_build_filename(g_get_tmp_dir(), "pipesim-XXXXXX.gp", NULL);
    const int fd = draft_open(name);
    if (fd < 0) {
        const int why = errno;
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be written: %s", name,
                    g_strerror(why));
        return FALSE;
    }
    g_close(fd, NULL);
    g_autofree char *script = make_script(chart);
    const gboolean done = output_write(name, script, error) && run_gnuplot(name, error);
    draft_remove(name);
    return done;
}

gboolean chart_draw(Chart *chart, GError **error)
{
    if (!chart->curves->len) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "there is no point to draw in a chart");
        return FALSE;
    }
    return draw(chart, error) && output_commit(g_steal_pointer(&chart->output), error);
}
