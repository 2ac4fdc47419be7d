/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Texts in charts: where they find room, along lines, in corners, as tags, and in the key.
 */
#include "tests/help/chart.h"
#include "tests/help/contains.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* A text so wide that no usual place has room for it: the free place that is least far. */
static void test_far(void)
{
    const PsXY at = {60, 60};
    double cost;
    PsRoom room = {.width = 400, .height = 120};
    ps_room_init(&room);
    ps_room_take(&room, PS_ROOM_MARK, &(PsBox){at.x - 4, at.y - 4, 8, 8});
    const PsBox box = ps_room_near(&room, at, 380, 14, &cost);
    g_assert_cmpfloat(fabs(box.y + box.height / 2 - at.y), <, 20);
    g_assert_cmpfloat(box.x, >, 0);
    g_assert_cmpfloat(box.x + box.width, <, room.width);
    ps_room_clear(&room);
}

/* Some marks and texts; a bit of `mirror` for each direction in which the room is mirrored. */
static PsRoom random_room(guint32 seed, guint mirror)
{
    g_autoptr(GRand) chance = g_rand_new_with_seed(seed);
    PsRoom room = {.width = 400, .height = 300};
    ps_room_init(&room);
    for (guint i = 0; i < 14; i++) {
        PsBox box = {.width = i % 2 ? 40 : 8, .height = i % 2 ? 14 : 8};
        box.x = mark_at.x + g_rand_double_range(chance, -70, 70) - box.width / 2;
        box.y = mark_at.y + g_rand_double_range(chance, -40, 40) - box.height / 2;
        if (mirror & 1)
            box.x = room.width - box.x - box.width;
        if (mirror & 2)
            box.y = room.height - box.y - box.height;
        ps_room_take(&room, i % 2 ? PS_ROOM_TEXT : PS_ROOM_MARK, &box);
    }
    return room;
}

/* In a room that is mirrored, there is as good a place: up to which of some is tried first. */
static void test_mirrored(void)
{
    for (guint32 seed = 0; seed < 150; seed++) {
        double costs[4];
        for (guint mirror = 0; mirror < 4; mirror++) {
            PsRoom room = random_room(seed, mirror);
            ps_room_near(&room, mark_at, 32, 16, &costs[mirror]);
            ps_room_clear(&room);
            g_assert_cmpfloat_with_epsilon(costs[mirror], costs[0], 24 * 0.01);
        }
    }
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
    g_autofree char *script = chart_script(chart);
    assert_has(script, "set label '1, 2, 4–6, 10' at ");
    assert_has(script, "set label 'B3, 4' at ");
    assert_has(script, "set label '7' at ");
    assert_has(script, "set label 'name, another' at ");
    g_assert_cmpuint(count_of(script, "set label "), ==, 4);
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
    g_assert_cmpuint(count_of(script, "set label 'line "), ==, 35);
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
    g_assert_cmpuint(count_of(script, "set label 'line "), ==, 45);
    assert_has(script, "set label 'and 15 more' at ");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/draw/room", test_room);
    g_test_add_func("/draw/far", test_far);
    g_test_add_func("/draw/mirrored", test_mirrored);
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
    return g_test_run();
}
