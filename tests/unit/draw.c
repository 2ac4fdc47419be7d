/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Charts of any kind: axes and their tics, what of lines is in the frame, where texts find room,
 * the key, several charts on a page, and SVG for a page. What gnuplot makes of scripts is tested in
 * roofline-draw.c and tests/charts.pl.
 */
#include "draw/chart.h"

#include <libxml/parser.h>
#include <math.h>
#include <string.h>

static const PsLook line_look = {.colour = "#0072B2", .width = 2};
static const PsLook mark_look = {.colour = "#D55E00", .marker = 7, .size = 0.9};

static PsChart *chart_new(PsScale x, PsScale y)
{
    return ps_chart_new("title", &(PsAxis){"across", x, NULL}, &(PsAxis){"up", y, NULL});
}

/* Both axes logarithmic, with 1 to 1000 across and 1 to 100 up in the frame. */
static PsChart *log_chart(void)
{
    PsChart *chart = chart_new(PS_SCALE_LOG10, PS_SCALE_LOG10);
    ps_chart_see(chart, 1, 1);
    ps_chart_see(chart, 1000, 100);
    return chart;
}

static void assert_has(const char *script, const char *text)
{
    if (!strstr(script, text))
        g_test_message("not in it: %s", text);
    g_assert_true(strstr(script, text) != NULL);
}

static guint count(const char *script, const char *text)
{
    guint n = 0;
    for (const char *at = script; (at = strstr(at, text)) != NULL; at += strlen(text))
        n++;
    return n;
}

static char *script_of(PsChart *chart)
{
    double height;
    return ps_chart_script(chart, &height);
}

/* The n items of that kind that are there. */
static const PsChartItem *item_of(const PsChart *chart, PsItemKind kind, guint n)
{
    for (guint i = 0; i < chart->items->len; i++) {
        const PsChartItem *item = chart->items->pdata[i];
        if (item->kind == kind && item->n && n-- == 0)
            return item;
    }
    return NULL;
}

/* Where the text is, in dots, as a box. */
static PsBox box_of(const PsChart *chart, const char *text)
{
    for (guint i = 0; i < chart->items->len; i++) {
        const PsChartItem *item = chart->items->pdata[i];
        if (item->kind != PS_ITEM_TEXT || strcmp(item->text, text) != 0)
            continue;
        const PsXY middle = ps_chart_dots(chart, item->points[0]);
        const double width = ps_draw_columns(text) * PS_TEXT_COLUMN * chart->paper.letter;
        const double height = PS_TEXT_ROW * chart->paper.letter;
        return (PsBox){middle.x - width / 2, middle.y - height / 2, width, height};
    }
    g_test_message("no text %s", text);
    g_test_fail();
    return (PsBox){0, 0, 0, 0};
}

static gboolean overlap(const PsBox *a, const PsBox *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

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
    g_autofree char *script = script_of(chart);
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
    g_autoptr(PsChart) chart = chart_new(PS_SCALE_LINEAR, PS_SCALE_LINEAR);
    ps_chart_series(chart, NULL, &line_look, (const PsXY[]){{0, 0}, {8, 0}}, 2);
    g_autofree char *script = script_of(chart);
    assert_has(script, "$line0 << END\n0 0\n8 0\nEND\n");
}

static void test_series(void)
{
    const PsXY points[] = {{1, 5}, {2, NAN}, {3, 7}};
    PsLook both = line_look;
    both.marker = 7;
    both.size = 0.7;
    g_autoptr(PsChart) chart = chart_new(PS_SCALE_LINEAR, PS_SCALE_LINEAR);
    ps_chart_series(chart, "data", &both, points, G_N_ELEMENTS(points));
    g_autofree char *script = script_of(chart);
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
    g_autofree char *script = script_of(chart);
    assert_has(script, "plot $marks1 with points pointtype 7 pointsize 0.9 linecolor rgb 'white'");
    assert_has(script, "$marks0 << END\n10 10\n30 10\nEND\n");
    g_assert_cmpuint(count(script, "'white' notitle"), ==, 1);
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
    g_autofree char *script = script_of(chart);
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
    g_autofree char *script = script_of(chart);
    g_assert_cmpuint(count(script, ",20 filled"), ==, 1); /* of none that is too short */
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

/* ---- texts in the chart -------------------------------------------------------------------- */

static const PsXY mark_at = {200, 150};

/* A room with one mark, and lines that make a square of that size around it. */
static PsRoom room_around(double size)
{
    PsRoom room = {.width = 400, .height = 300};
    ps_room_init(&room);
    ps_room_take(&room, PS_ROOM_MARK, &(PsBox){mark_at.x - 4, mark_at.y - 4, 8, 8});
    for (int i = 0; i < 4; i++) {
        const double x = i % 2 ? size / 2 : 0, y = i % 2 ? 0 : size / 2, sign = i < 2 ? 1 : -1;
        const PsXY middle = {mark_at.x + sign * x, mark_at.y + sign * y};
        const PsSegment side = {{middle.x - y, middle.y - x}, {middle.x + y, middle.y + x}};
        g_array_append_val(room.segments, side);
    }
    return room;
}

/* A text stands to the right of its own mark; behind a line rather than on it, but not where the
 * way to it leads through another mark. */
static void test_room(void)
{
    double cost;
    PsRoom free = room_around(300), narrow = room_around(80);
    PsBox box = ps_room_near(&free, mark_at, 100, 14, &cost);
    g_assert_cmpfloat(box.x, >, mark_at.x);
    g_assert_cmpfloat(box.x, <, mark_at.x + 10);
    g_assert_cmpfloat(cost, <, 10);
    box = ps_room_near(&narrow, mark_at, 100, 14, &cost);
    g_assert_cmpfloat(box.x, >=, mark_at.x + 40);
    g_assert_cmpfloat_with_epsilon(box.y + box.height / 2, mark_at.y, 1e-9);
    ps_room_take(&narrow, PS_ROOM_MARK, &(PsBox){mark_at.x + 12, mark_at.y - 4, 8, 8});
    box = ps_room_near(&narrow, mark_at, 100, 14, &cost);
    g_assert_cmpfloat(fabs(box.y + box.height / 2 - mark_at.y), >, 40);
    ps_room_clear(&free);
    ps_room_clear(&narrow);
}

/* Five marks close to each other: no text on another one, or on a mark. */
static void test_labels(void)
{
    static const char *const texts[] = {"first", "second", "third", "fourth", "fifth"};
    g_autoptr(PsChart) chart = log_chart();
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        const PsXY at = {10 * pow(1.1, i), 10};
        ps_chart_mark(chart, NULL, &mark_look, at);
        ps_chart_label(chart, texts[i], "#000000", at);
    }
    ps_chart_frame(chart);
    ps_chart_lay_out(chart);
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        const PsBox box = box_of(chart, texts[i]);
        for (guint j = 0; j < G_N_ELEMENTS(texts); j++) {
            const PsXY mark = ps_chart_dots(chart, (PsXY){10 * pow(1.1, j), 10});
            const PsBox other = box_of(chart, texts[j]), dot = {mark.x - 4, mark.y - 4, 8, 8};
            g_assert_false(i != j && overlap(&box, &other));
            g_assert_false(overlap(&box, &dot));
        }
    }
}

static guint covered(const GArray *boxes, const PsBox *box)
{
    guint n = 0;
    for (guint i = 0; i < boxes->len; i++)
        n += overlap(box, &g_array_index(boxes, PsBox, i));
    return n;
}

/* A chart of n kernels with three marks each, on n_spots different spots under a roof; where they
 * share spots, with names that need room. */
static PsChart *random_chart(guint n, guint n_spots, guint32 seed)
{
    GRand *chance = g_rand_new_with_seed(seed);
    PsChart *chart = log_chart();
    const PsXY ridge = {30, 90};
    ps_chart_segment(chart, NULL, &line_look, (PsXY){PS_CHART_NEAR, 3 * PS_CHART_NEAR}, ridge);
    ps_chart_segment(chart, NULL, &line_look, ridge, (PsXY){PS_CHART_FAR, 90});
    ps_chart_label_along(chart, "device memory 867 GB/s", "#000000",
                         (PsXY){PS_CHART_NEAR, 3 * PS_CHART_NEAR}, ridge);
    ps_chart_label_along(chart, "fp32 14.1 TFLOP/s", "#000000", (PsXY){PS_CHART_FAR, 90}, ridge);
    g_autofree PsXY *spots = g_new(PsXY, n_spots);
    for (guint i = 0; i < n_spots; i++)
        spots[i] = (PsXY){pow(10, g_rand_double_range(chance, -0.2, 2.8)),
                          pow(10, g_rand_double_range(chance, -0.2, 1.9))};
    for (guint i = 0; i < n; i++) {
        g_autofree char *text = g_strdup_printf(n_spots < n ? "kernel %u" : "%u", i);
        const PsXY at = spots[i % n_spots];
        for (guint level = 0; level < 3; level++)
            ps_chart_mark(chart, NULL, &mark_look, (PsXY){at.x * pow(0.7, level), at.y});
        ps_chart_label(chart, text, "#000000", at);
    }
    g_rand_free(chance);
    return chart;
}

/* Whatever the kernels: each text is in the plot area, on no mark and on no other text. */
static void test_random_labels(void)
{
    static const struct {
        guint n, spots;
    } sets[] = {{1, 1}, {5, 5}, {40, 40}, {40, 40}, {40, 40}, {40, 4}, {50, 1}};
    for (guint i = 0; i < G_N_ELEMENTS(sets); i++) {
        g_autoptr(PsChart) chart = random_chart(sets[i].n, sets[i].spots, i);
        ps_chart_frame(chart);
        ps_chart_lay_out(chart);
        guint texts = 0;
        for (guint k = 0; k < chart->items->len; k++) {
            const PsChartItem *item = chart->items->pdata[k];
            if (item->kind != PS_ITEM_TEXT || item->degrees != 0)
                continue;
            const PsBox box = box_of(chart, item->text);
            g_assert_cmpuint(covered(chart->room.things[PS_ROOM_MARK], &box), ==, 0);
            g_assert_cmpuint(covered(chart->room.things[PS_ROOM_TEXT], &box), ==, 1); /* its own */
            g_assert_cmpfloat(box.x, >, 0);
            g_assert_cmpfloat(box.y, >, 0);
            g_assert_cmpfloat(box.x + box.width, <, chart->room.width);
            g_assert_cmpfloat(box.y + box.height, <, chart->room.height);
            texts++;
        }
        g_assert_cmpuint(texts, >=, sets[i].n);
    }
}

/* Right beside its mark, without a line to it; a long text that has no room there has one. */
static void test_leader(void)
{
    g_autoptr(PsChart) near = log_chart(), far = log_chart();
    ps_chart_label(near, "near", "#000000", (PsXY){10, 10});
    ps_chart_frame(near);
    ps_chart_lay_out(near);
    g_assert_null(item_of(near, PS_ITEM_LEADER, 0));
    const PsXY at = ps_chart_dots(near, (PsXY){10, 10});
    const PsBox box = box_of(near, "near");
    g_assert_cmpfloat(box.x, >, at.x);
    g_assert_cmpfloat(box.x, <, at.x + 10);

    ps_chart_frame(far);
    for (int i = -6; i <= 6; i++)
        ps_chart_mark(far, NULL, &mark_look,
                      ps_chart_value(far, (PsXY){at.x + 8 * i, at.y + 20 * (i % 2)}));
    ps_chart_label(far, "a text that is far", "#000000", (PsXY){10, 10});
    ps_chart_lay_out(far);
    g_assert_nonnull(item_of(far, PS_ITEM_LEADER, 0));
}

static void test_corners(void)
{
    g_autoptr(PsChart) chart = log_chart();
    ps_chart_label(chart, "upper left", "#000000", (PsXY){0, INFINITY});
    ps_chart_label(chart, "lower right", "#000000", (PsXY){INFINITY, 0});
    ps_chart_frame(chart);
    ps_chart_lay_out(chart);
    const PsBox left = box_of(chart, "upper left"), right = box_of(chart, "lower right");
    g_assert_cmpfloat(left.x, <, 60);
    g_assert_cmpfloat(left.y, >, chart->room.height - 60);
    g_assert_cmpfloat(right.x + right.width, >, chart->room.width - 60);
    g_assert_cmpfloat(right.y, <, 60);
    g_assert_null(item_of(chart, PS_ITEM_LEADER, 0));
}

/* Turned as the line is, and beside it, at its beginning. */
static void test_along(void)
{
    const PsXY from = {1, 1}, to = {1000, 100};
    g_autoptr(PsChart) chart = log_chart();
    ps_chart_segment(chart, NULL, &line_look, from, to);
    ps_chart_label_along(chart, "along", "#000000", from, to);
    ps_chart_label_along(chart, "nowhere", "#000000", (PsXY){1e6, 1}, (PsXY){1e7, 1});
    ps_chart_frame(chart);
    ps_chart_lay_out(chart);
    const PsXY a = ps_chart_dots(chart, from), b = ps_chart_dots(chart, to);
    const PsChartItem *text = item_of(chart, PS_ITEM_TEXT, 0);
    const PsXY middle = ps_chart_dots(chart, text->points[0]);
    const double slope = atan2(b.y - a.y, b.x - a.x);
    const double off = fabs((middle.y - a.y) * cos(slope) - (middle.x - a.x) * sin(slope));
    g_assert_cmpfloat_with_epsilon(text->degrees, slope * 180 / G_PI, 1e-6);
    g_assert_cmpfloat(off, >, PS_TEXT_ROW / 2);
    g_assert_cmpfloat(off, <, 2 * PS_TEXT_ROW);
    g_assert_cmpfloat(middle.x, <, (a.x + b.x) / 2);
    g_assert_null(item_of(chart, PS_ITEM_TEXT, 1));
}

/* A line that leads to the left has its text as one to the right has, at its own beginning. */
static void test_along_backwards(void)
{
    double off[2];
    for (int i = 0; i < 2; i++) {
        const PsXY from = {i == 0 ? 2 : 500, 10}, to = {i == 0 ? 500 : 2, 10};
        g_autoptr(PsChart) chart = log_chart();
        ps_chart_segment(chart, NULL, &line_look, from, to);
        ps_chart_label_along(chart, "along", "#000000", from, to);
        ps_chart_frame(chart);
        ps_chart_lay_out(chart);
        const PsChartItem *text = item_of(chart, PS_ITEM_TEXT, 0);
        const PsXY begin = ps_chart_dots(chart, from);
        const PsXY middle = ps_chart_dots(chart, text->points[0]);
        g_assert_cmpfloat_with_epsilon(text->degrees, 0, 1e-9);
        g_assert_cmpfloat(fabs(middle.x - begin.x), <, 60);
        off[i] = middle.y - begin.y;
    }
    g_assert_cmpfloat_with_epsilon(off[0], off[1], 1e-9);
}

/* A level line on which, above and below, there is no room has its text beyond its end. */
static void test_along_crowded(void)
{
    const PsXY from = {2, 10}, to = {20, 10};
    g_autoptr(PsChart) chart = log_chart();
    ps_chart_segment(chart, NULL, &line_look, from, to);
    ps_chart_label_along(chart, "along", "#000000", from, to);
    ps_chart_frame(chart);
    const PsXY a = ps_chart_dots(chart, from), b = ps_chart_dots(chart, to);
    for (double x = a.x; x <= b.x; x += 8)
        for (double y = a.y - 96; y <= a.y + 96; y += 8)
            ps_chart_mark(chart, NULL, &mark_look, ps_chart_value(chart, (PsXY){x, y}));
    ps_chart_lay_out(chart);
    const PsChartItem *text = item_of(chart, PS_ITEM_TEXT, 0);
    const PsXY middle = ps_chart_dots(chart, text->points[0]);
    const double half = box_of(chart, "along").width / 2;
    g_assert_cmpfloat(middle.x - half, >, b.x + 8);
    g_assert_cmpfloat(middle.x - half, <, b.x + 12);
    g_assert_cmpfloat_with_epsilon(middle.y, b.y, 1e-6);
}

static void tag(PsChart *chart, const char *before, const char *text, double x)
{
    ps_chart_label(chart, text, "#000000", (PsXY){x, 10});
    ps_chart_tag(chart, before);
}

static void test_tags(void)
{
    static const char *const together[] = {"10", "4", "6", "5", "5", "1", "2"};
    g_autoptr(PsChart) chart = log_chart();
    for (guint i = 0; i < G_N_ELEMENTS(together); i++)
        tag(chart, "", together[i], 10);
    tag(chart, "B", "3", 10);
    tag(chart, "B", "4", 10.1);
    tag(chart, "", "7", 100);
    tag(chart, "", "name", 300);
    tag(chart, "", "another", 300);
    g_autofree char *script = script_of(chart);
    assert_has(script, "set label '1, 2, 4–6, 10' at ");
    assert_has(script, "set label 'B3, 4' at ");
    assert_has(script, "set label '7' at ");
    assert_has(script, "set label 'name, another' at ");
    g_assert_cmpuint(count(script, "set label "), ==, 4);
}

/* ---- the key ------------------------------------------------------------------------------- */

/* Below the chart, in as many columns as the page is wide; the page gets higher for it. */
static void test_key(void)
{
    g_autoptr(PsChart) chart = log_chart(), bare = log_chart(), few = log_chart();
    double height, bare_height, few_height;
    for (guint i = 0; i < 60; i++)
        ps_chart_key(chart, &line_look, "line %u, %s", i,
                     "of a name that is much too long for any key beside a chart");
    for (guint i = 0; i < 3; i++)
        ps_chart_key(few, &line_look, "line %u", i);
    g_autofree char *script = ps_chart_script(chart, &height);
    g_autofree char *without = ps_chart_script(bare, &bare_height);
    g_autofree char *row = ps_chart_script(few, &few_height);
    assert_has(script, "set label 'line 0, of a name that is mu… for any key beside a chart' at ");
    g_assert_cmpuint(count(script, "set label 'line "), ==, 35);
    assert_has(script, "set label 'and 25 more' at ");
    g_assert_null(strstr(without, "set label"));
    g_assert_cmpfloat(bare_height, ==, PS_CHART_HEIGHT / PS_PAGE_HEIGHT);
    g_assert_cmpfloat(few_height, >, bare_height + 0.02);
    g_assert_cmpfloat(few_height, <, bare_height + 0.1);
    g_assert_cmpfloat(height, >, bare_height + 36 * (few_height - bare_height) / 2);
    g_assert_cmpfloat_with_epsilon(chart->plot.width, bare->plot.width, 1e-9);
    double x[3], y[3];
    for (guint i = 0; i < 3; i++) {
        g_autofree char *line = g_strdup_printf("set label 'line %u' at screen", i);
        const char *at = strstr(row, line);
        g_assert_nonnull(at);
        g_assert_cmpint(sscanf(at + strlen(line), "%lf,%lf", &x[i], &y[i]), ==, 2);
        g_assert_cmpfloat(y[i], ==, y[0]);
        g_assert_cmpfloat(y[i] * few->paper.height, <, few->paper.cell.y);
        g_assert_cmpfloat(x[i], >, i ? x[i - 1] : 0.05);
    }
}

/* A chart that is not alone on its page has it beside it. */
static void test_key_beside(void)
{
    g_autoptr(GPtrArray) charts = g_ptr_array_new_with_free_func((GDestroyNotify)ps_chart_free);
    double height;
    PsChart *chart = log_chart();
    g_ptr_array_add(charts, chart);
    g_assert_cmpfloat(ps_key_width(chart, 1), ==, 0);
    for (guint i = 0; i < 60; i++)
        ps_chart_key(chart, &line_look, "line %u", i);
    g_assert_cmpfloat(ps_key_width(chart, 1), >, 6 * PS_TEXT_COLUMN);
    g_autofree char *script = ps_charts_script(charts, "title", 3, FALSE, &height);
    g_assert_cmpfloat(height, ==, 1);
    g_assert_cmpfloat(chart->plot.width, <, PS_PAGE_WIDTH - 60 - ps_key_width(chart, 0.78));
    g_assert_cmpuint(count(script, "set label 'line "), ==, 45);
    assert_has(script, "set label 'and 15 more' at ");
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
        PsChart *chart = chart_new(PS_SCALE_LINEAR, PS_SCALE_LINEAR);
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
        g_assert_cmpuint(count(script, "set label 'points'"), ==, one_key ? 1 : 8);
        g_assert_cmpuint(count(script, "$marks7 with points"), ==, 1);
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
    g_autoptr(PsChart) chart = chart_new(PS_SCALE_LOG10, PS_SCALE_LINEAR);
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
    g_test_add_func("/draw/room", test_room);
    g_test_add_func("/draw/labels", test_labels);
    g_test_add_func("/draw/random-labels", test_random_labels);
    g_test_add_func("/draw/leader", test_leader);
    g_test_add_func("/draw/corners", test_corners);
    g_test_add_func("/draw/along", test_along);
    g_test_add_func("/draw/along-backwards", test_along_backwards);
    g_test_add_func("/draw/along-crowded", test_along_crowded);
    g_test_add_func("/draw/tags", test_tags);
    g_test_add_func("/draw/key", test_key);
    g_test_add_func("/draw/key-beside", test_key_beside);
    g_test_add_func("/draw/several", test_several);
    g_test_add_func("/draw/svg", test_svg);
    g_test_add_func("/draw/svg-tics", test_svg_tics);
    return g_test_run();
}
