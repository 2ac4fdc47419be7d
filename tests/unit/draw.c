/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Charts of any kind: axes and their tics, what of lines is in the frame, several charts on a page,
 * and SVG for a page. What gnuplot makes of scripts is tested in roofline-draw-hostile.c and
 * tests/charts.pl.
 */
#include "tests/help/chart.h"
#include "tests/help/contains.h"

#include <libxml/parser.h>
#include <math.h>
#include <string.h>

/* ---- texts --------------------------------------------------------------------------------- */

static void test_texts(void)
{
    static const struct {
        const char *text, *quoted;
    } quotes[] = {{"it's", "'it''s'"}, {"a\nb\033", "'a b '"}, {"", "''"}};
    for (guint i = 0; i < G_N_ELEMENTS(quotes); i++) {
        g_autofree char *quoted = ps_draw_quote(quotes[i].text);
        g_assert_cmpstr(quoted, ==, quotes[i].quoted);
    }
    static const struct {
        const char *text, *shorter;
    } names[] = {{"abcdefgh", "abcdefgh"},
                 {"abcdefghi", "abcd…ghi"},
                 {"核心核心核", "核心…核"},
                 {" a\tb \377", "a b \357\277\275"}};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *shorter = ps_draw_shorten(names[i].text, 8);
        g_assert_cmpstr(shorter, ==, names[i].shorter);
        g_assert_cmpuint(ps_draw_columns(shorter), <=, 8);
    }
}

static void test_amounts(void)
{
    static const struct {
        double value;
        const char *text;
    } amounts[] = {{4.294e12, "4.29 TB/s"}, {2.88e11, "288 GB/s"}, {999.6, "1 kB/s"},
                   {999.4, "999 B/s"},      {0.5, "0.5 B/s"},      {2e16, "2e+16 B/s"}};
    for (guint i = 0; i < G_N_ELEMENTS(amounts); i++) {
        g_autofree char *text = ps_draw_amount(amounts[i].value, "B/s");
        g_assert_cmpstr(text, ==, amounts[i].text);
    }
    g_assert_cmpstr(ps_draw_prefix(1e-3)->text, ==, "m");
    g_assert_cmpstr(ps_draw_prefix(0.9e-3)->text, ==, "u");
    g_assert_cmpstr(ps_draw_prefix(1e-30)->text, ==, "n");
}

/* ---- axes ---------------------------------------------------------------------------------- */

/* An axis on which these two values were seen. */
static PsRuler ruler(PsScale scale, char *unit, double one, double other)
{
    PsRuler made = {(char *)"axis", unit, scale, INFINITY, -INFINITY, ps_draw_prefix(1)};
    ps_ruler_see(&made, one);
    ps_ruler_see(&made, other);
    ps_ruler_settle(&made, 0);
    return made;
}

static char *tics_of(const PsRuler *of)
{
    g_autoptr(GArray) tics = ps_ruler_tics(of);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < tics->len; i++)
        g_string_append_printf(text, "%s%g", i ? " " : "", g_array_index(tics, double, i));
    return g_string_free(text, FALSE);
}

static void assert_axis(const PsRuler *of, double least, double most, const char *tics)
{
    g_autofree char *text = tics_of(of);
    g_assert_cmpfloat_with_epsilon(ps_ruler_value(of, 0), least, 1e-9 + fabs(least) * 1e-9);
    g_assert_cmpfloat_with_epsilon(ps_ruler_value(of, 1), most, 1e-9 + fabs(most) * 1e-9);
    g_assert_cmpstr(text, ==, tics);
}

static void test_linear(void)
{
    const PsRuler usual = ruler(PS_SCALE_LINEAR, NULL, 3, 64);
    assert_axis(&usual, 0, 65.92, "0 20 40 60");
    const PsRuler negative = ruler(PS_SCALE_LINEAR, NULL, -10, 10);
    assert_axis(&negative, -10.6, 10.6, "-10 -5 0 5 10");
    const PsRuler nothing = ruler(PS_SCALE_LINEAR, NULL, NAN, INFINITY);
    assert_axis(&nothing, 0, 1.03, "0 0.5 1");
    const PsRuler zero = ruler(PS_SCALE_LINEAR, NULL, 0, 0);
    assert_axis(&zero, 0, 1.03, "0 0.5 1");
}

static void test_logarithmic(void)
{
    const PsRuler usual = ruler(PS_SCALE_LOG10, NULL, 1, 1e4);
    assert_axis(&usual, pow(10, -0.28), pow(10, 4.28), "1 10 100 1000 10000");
    const PsRuler one = ruler(PS_SCALE_LOG10, NULL, 10, 10); /* 1.5 powers of ten at least */
    assert_axis(&one, pow(10, 0.25), pow(10, 1.75), "2 5 10 20 50");
    const PsRuler refused = ruler(PS_SCALE_LOG10, NULL, 0, -1);
    assert_axis(&refused, pow(10, -0.75), pow(10, 0.75), "0.2 0.5 1 2 5");
    const PsRuler binary = ruler(PS_SCALE_LOG2, NULL, 1, 1024);
    assert_axis(&binary, pow(1024, -0.03), pow(1024, 1.03), "1 10 100 1000");
}

/* Texts at tics, and smaller tics between them. */
static void assert_tics(const PsRuler *of, const char *texts, guint n_minor)
{
    g_autoptr(GArray) tics = ps_ruler_tics(of), minor = ps_ruler_minor_tics(of);
    g_autoptr(GString) all = g_string_new(NULL);
    for (guint i = 0; i < tics->len; i++) {
        g_autofree char *text = ps_ruler_tic_text(of, g_array_index(tics, double, i));
        g_string_append_printf(all, "%s%s", i ? " " : "", text);
    }
    g_assert_cmpstr(all->str, ==, texts);
    g_assert_cmpuint(minor->len, ==, n_minor);
}

/* Long axes have the powers, very long ones some of these, with the others between them. */
static void test_powers(void)
{
    const PsRuler digits = ruler(PS_SCALE_LOG10, NULL, 0.01, 1000);
    assert_tics(&digits, "0.01 0.1 1 10 100 1000", 46);
    const PsRuler tall = ruler(PS_SCALE_LOG10, NULL, 10, 1e6);
    assert_tics(&tall, "10¹ 10² 10³ 10⁴ 10⁵ 10⁶", 46);
    const PsRuler powers = ruler(PS_SCALE_LOG10, NULL, 1e-6, 1e6);
    assert_tics(&powers, "10⁻⁶ 10⁻⁴ 10⁻² 1 10² 10⁴ 10⁶", 13);
    const PsRuler brief = ruler(PS_SCALE_LOG10, NULL, 3, 30);
    assert_tics(&brief, "2 5 10 20 50", 8);
}

static void test_units(void)
{
    static const struct {
        PsScale scale;
        double least, most;
        const char *label;
    } units[] = {
        {PS_SCALE_LINEAR, 0, 2e-3, "axis (ms)"},   {PS_SCALE_LINEAR, 0, 5e-5, "axis (us)"},
        {PS_SCALE_LINEAR, 0, 3, "axis (s)"},       {PS_SCALE_LOG10, 1e6, 1e13, "axis (Gs)"},
        {PS_SCALE_LOG10, 2e11, 1e13, "axis (Ts)"}, {PS_SCALE_LOG10, 2e11, 5e11, "axis (Gs)"}};
    for (guint i = 0; i < G_N_ELEMENTS(units); i++) {
        const PsRuler of = ruler(units[i].scale, (char *)"s", units[i].least, units[i].most);
        g_autofree char *label = ps_ruler_label(&of);
        g_assert_cmpstr(label, ==, units[i].label);
    }
    const PsRuler milli = ruler(PS_SCALE_LINEAR, (char *)"s", 0, 2e-3);
    g_autofree char *tics = tics_of(&milli);
    g_assert_cmpstr(tics, ==, "0 0.5 1 1.5 2");
}

/* ---- lines and marks ----------------------------------------------------------------------- */

static void test_cut(void)
{
    g_autoptr(PsChart) chart = log_chart();
    ps_chart_segment(chart, "slope", &line_look, (PsXY){PS_CHART_NEAR, PS_CHART_NEAR},
                     (PsXY){PS_CHART_FAR, PS_CHART_FAR});
    ps_chart_segment(chart, "outside", &line_look, (PsXY){1e6, 1}, (PsXY){1e9, 1});
    ps_chart_segment(chart, "within", &line_look, (PsXY){2, 3}, (PsXY){20, 30});
    g_autofree char *script = chart_script(chart);
    const PsChartItem *slope = item_of(chart, PS_ITEM_LINE, 0);
    g_assert_cmpfloat_with_epsilon(slope->points[0].x, pow(10, -0.25), 1e-9);
    g_assert_cmpfloat_with_epsilon(slope->points[1].y, pow(10, 2.25), 1e-6);
    g_assert_cmpfloat_with_epsilon(slope->points[1].x, slope->points[1].y, 1e-6);
    g_assert_null(strstr(script, "outside"));
    assert_has(script, "# within\n2 3\n20 30\nEND\n");
    assert_has(script, "set border 3\nset tics nomirror font ',17.5'\nunset key\nset clip two\n");
    assert_has(script, "with lines linewidth 2 dashtype 1 linecolor rgb '#0072B2' notitle");
}

/* What is along the lower edge is in the frame. */
static void test_edge_line(void)
{
    g_autoptr(PsChart) chart = chart_with(PS_SCALE_LINEAR, PS_SCALE_LINEAR);
    ps_chart_series(chart, NULL, &line_look, (const PsXY[]){{0, 0}, {8, 0}}, 2);
    g_autofree char *script = chart_script(chart);
    assert_has(script, "$line0 << END\n0 0\n8 0\nEND\n");
}

static void test_series(void)
{
    const PsXY points[] = {{1, 5}, {2, NAN}, {3, 7}};
    PsLook both = line_look;
    both.marker = 7;
    both.size = 0.7;
    g_autoptr(PsChart) chart = chart_with(PS_SCALE_LINEAR, PS_SCALE_LINEAR);
    ps_chart_series(chart, "data", &both, points, G_N_ELEMENTS(points));
    g_autofree char *script = chart_script(chart);
    assert_has(script, "# data\n1 5\n2 NaN\n3 7\nEND\n");
    assert_has(script, "$marks0 << END\n# data\n1 5\n# data\n3 7\nEND\n");
    assert_has(script, "set xrange [0:3.09]\n");
    assert_has(script, "set yrange [0:7.21]\n");
    assert_has(script, "set label 'data' at screen ");
    assert_has(script, " point pointtype 7 pointsize 0.7 ");
}

/* Hollow marks have a white inside, below all marks. */
static void test_hollow(void)
{
    PsLook hollow = mark_look;
    hollow.marker = ps_look_marker(0, TRUE);
    g_autoptr(PsChart) chart = log_chart();
    ps_chart_mark(chart, NULL, &mark_look, (PsXY){10, 10});
    ps_chart_mark(chart, NULL, &hollow, (PsXY){20, 10});
    ps_chart_mark(chart, NULL, &mark_look, (PsXY){30, 10});
    g_autofree char *script = chart_script(chart);
    assert_has(script, "plot $marks1 with points pointtype 7 pointsize 0.9 linecolor rgb 'white'");
    assert_has(script, "$marks0 << END\n10 10\n30 10\nEND\n");
    g_assert_cmpuint(count_of(script, "'white' notitle"), ==, 1);
}

/* gnuplot's filled point types, and the hollow one of each. */
static void test_markers(void)
{
    static const guint filled[] = {7, 5, 9, 13, 11, 15, 7};
    for (guint i = 0; i < G_N_ELEMENTS(filled); i++) {
        g_assert_cmpuint(ps_look_marker(i, FALSE), ==, filled[i]);
        g_assert_cmpuint(ps_look_marker(i, TRUE), ==, filled[i] - 1);
    }
}

static void test_edge_mark(void)
{
    g_autoptr(PsChart) chart = log_chart();
    ps_chart_mark(chart, NULL, &mark_look, (PsXY){INFINITY, 10});
    g_autofree char *script = chart_script(chart);
    const PsChartItem *mark = item_of(chart, PS_ITEM_ARROW, 0);
    g_assert_nonnull(mark);
    g_assert_cmpfloat(mark->points[0].x, >, 1000);
    g_assert_cmpfloat(mark->points[1].x, >, mark->points[0].x);
    g_assert_null(strstr(script, "inf"));
}

static void test_arrow(void)
{
    g_autoptr(PsChart) chart = log_chart();
    ps_chart_arrow(chart, &line_look, (PsXY){2, 2}, (PsXY){200, 2});
    ps_chart_arrow(chart, &line_look, (PsXY){2, 2}, (PsXY){2.01, 2});
    g_autofree char *script = chart_script(chart);
    g_assert_cmpuint(count_of(script, ",20 filled"), ==, 1); /* of none that is too short */
    const PsChartItem *arrow = item_of(chart, PS_ITEM_ARROW, 0);
    g_assert_cmpfloat(arrow->points[0].x, >, 2);
    g_assert_cmpfloat(arrow->points[1].x, <, 200);
    PsXY from, to;
    const char *drawn = strstr(script, "set arrow from ");
    g_assert_nonnull(drawn);
    g_assert_cmpint(
        sscanf(drawn, "set arrow from %lf,%lf to %lf,%lf", &from.x, &from.y, &to.x, &to.y), ==, 4);
    g_assert_cmpfloat_with_epsilon(from.x, arrow->points[0].x, 0.01);
    g_assert_cmpfloat_with_epsilon(to.x, arrow->points[1].x, 0.1);
}

/* ---- several charts ------------------------------------------------------------------------ */

static void free_chart(void *chart)
{
    ps_chart_free(chart);
}

static GPtrArray *charts_new(guint n)
{
    GPtrArray *charts = g_ptr_array_new_with_free_func(free_chart);
    for (guint i = 0; i < n; i++) {
        PsChart *chart = chart_with(PS_SCALE_LINEAR, PS_SCALE_LINEAR);
        ps_chart_series(chart, "points", &mark_look, &(PsXY){1, i}, 1);
        g_ptr_array_add(charts, chart);
    }
    return charts;
}

static void test_several(void)
{
    for (gboolean one_key = FALSE; one_key <= TRUE; one_key++) {
        g_autoptr(GPtrArray) charts = charts_new(8);
        double height;
        g_autofree char *script = ps_charts_script(charts, "it's", 3, one_key, &height);
        g_assert_cmpfloat_with_epsilon(height, 3 / 2.3, 1e-9);
        assert_has(script, "set multiplot title 'it''s' noenhanced");
        assert_has(script, "svg size 900,730;");
        g_assert_true(g_str_has_suffix(script, "unset multiplot\n"));
        g_assert_cmpuint(count_of(script, "set label 'points'"), ==, one_key ? 1 : 8);
        g_assert_cmpuint(count_of(script, "$marks7 with points"), ==, 1);
        for (guint i = 0; i < charts->len; i++)
            for (guint j = 0; j < i; j++) {
                const PsBox *a = &((const PsChart *)charts->pdata[i])->plot;
                const PsBox *b = &((const PsChart *)charts->pdata[j])->plot;
                g_assert_false(overlap(a, b));
                g_assert_cmpfloat(a->y, <=, b->y);
                g_assert_cmpfloat(b->y + b->height, <, PS_PAGE_HEIGHT * height);
                g_assert_cmpfloat_with_epsilon(a->width, b->width, 1e-9);
            }
    }
    g_autoptr(GPtrArray) one = charts_new(1);
    double height;
    g_autofree char *script = ps_charts_script(one, "title", 3, TRUE, &height);
    assert_has(script, "set label 'points'");
    g_assert_cmpfloat(height, ==, 1);
    g_assert_cmpfloat(((const PsChart *)one->pdata[0])->plot.width, >, 600);
}

/* ---- SVG ----------------------------------------------------------------------------------- */

static void test_svg(void)
{
    const PsXY points[] = {{0, 0}, {4, 2e-3}};
    const PsLook curve = {.colour = "curve", .width = 1}, dot = {.colour = "dot", .marker = 1};
    g_autoptr(PsChart) chart =
        ps_chart_new("<title> & \"more\"", &(PsAxis){"a<b", PS_SCALE_LINEAR, NULL},
                     &(PsAxis){"time", PS_SCALE_LINEAR, "s"});
    g_autoptr(GString) out = g_string_new(NULL);
    ps_chart_series(chart, NULL, &curve, points, G_N_ELEMENTS(points));
    ps_chart_mark(chart, NULL, &dot, points[1]);
    ps_chart_label(chart, "it's\033 here", "", points[1]);
    ps_chart_svg(chart, "name", "what it shows", out);
    xmlDoc *document = xmlReadMemory(out->str, (int)out->len, NULL, NULL, XML_PARSE_NOERROR);
    g_assert_nonnull(document);
    xmlFreeDoc(document);
    assert_has(out->str,
               "aria-labelledby='name-t name-d'>\n<title id='name-t'>&lt;title&gt; &amp; ");
    assert_has(out->str, "<desc id='name-d'>what it shows</desc>");
    assert_has(out->str, "class='m'>a&lt;b</text>");
    assert_has(out->str, "class='m'>time (ms)</text>");
    assert_has(out->str, "class='e'>1.5</text>");
    assert_has(out->str, "<polyline class='curve' points='66.0,272.0 444.6,19.6'/>");
    assert_has(out->str, "<circle class='dot' cx='444.6' cy='19.6' r='5'/>");
    assert_has(out->str, "class='m halo'>it&apos;s  here</text>");
}

/* Each line of the grid goes from one edge of the frame to the other. */
static void assert_grid(const char *svg)
{
    PsXY low = {0, 0}, high = {0, 0};
    guint lines = 0;
    const char *frame = strstr(svg, "<path class='frame' d='M");
    g_assert_true(frame && sscanf(frame, "<path class='frame' d='M%lf %lfV%lfH%lf'", &low.x,
                                  &high.y, &low.y, &high.x) == 4);
    for (const char *at = svg; (at = strstr(at, "<path class='grid'")); at++, lines++) {
        PsXY from = {0, 0}, to = {0, 0};
        g_assert_cmpint(
            sscanf(at, "<path class='grid' d='M%lf %lfL%lf %lf'", &from.x, &from.y, &to.x, &to.y),
            ==, 4);
        const gboolean upright = from.x == to.x;
        g_assert_cmpfloat(upright ? MAX(from.y, to.y) : from.x, ==,
                          upright ? MAX(low.y, high.y) : low.x);
        g_assert_cmpfloat(upright ? MIN(from.y, to.y) : to.x, ==,
                          upright ? MIN(low.y, high.y) : high.x);
    }
    g_assert_cmpuint(lines, >=, 4);
}

/* Ten powers of ten and more: every second has a text. */
static void test_svg_tics(void)
{
    g_autoptr(PsChart) chart = chart_with(PS_SCALE_LOG10, PS_SCALE_LINEAR);
    g_autoptr(GString) out = g_string_new(NULL);
    ps_chart_see(chart, 1, 1);
    ps_chart_see(chart, 1e12, 1);
    ps_chart_svg(chart, "tics", "", out);
    assert_grid(out->str);
    assert_has(out->str, "class='m'>1</text>");
    assert_has(out->str, "class='m'>10 k</text>");
    assert_has(out->str, "class='m'>1 T</text>");
    g_assert_null(strstr(out->str, ">10 T<"));
    g_assert_null(strstr(out->str, ">1 k<"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/draw/texts", test_texts);
    g_test_add_func("/draw/amounts", test_amounts);
    g_test_add_func("/draw/linear", test_linear);
    g_test_add_func("/draw/logarithmic", test_logarithmic);
    g_test_add_func("/draw/powers", test_powers);
    g_test_add_func("/draw/units", test_units);
    g_test_add_func("/draw/cut", test_cut);
    g_test_add_func("/draw/edge-line", test_edge_line);
    g_test_add_func("/draw/series", test_series);
    g_test_add_func("/draw/hollow", test_hollow);
    g_test_add_func("/draw/edge-mark", test_edge_mark);
    g_test_add_func("/draw/markers", test_markers);
    g_test_add_func("/draw/arrow", test_arrow);
    g_test_add_func("/draw/several", test_several);
    g_test_add_func("/draw/svg", test_svg);
    g_test_add_func("/draw/svg-tics", test_svg_tics);
    return g_test_run();
}
