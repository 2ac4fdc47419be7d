/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places everything in a chart: clips lines to the plot area, and then finds room for texts that
 * must not cover other things.
 */
#include "draw/chart.h"

#include <math.h>

/* A mark at the right edge has an arrow that ends this many dots beyond it. */
#define BEYOND_EDGE 5

/* A text further away from its point than this has a line to it: dots. */
#define LEADER_FROM 11

/* An arrow leaves this gap to each of its marks; where less than the shortest arrow would be left,
 * none is drawn. */
#define ARROW_GAP 6
#define ARROW_HEAD 8
#define SHORTEST_ARROW 7

/* Texts along a line, in dots: the gap between line and text at the nearest place, and by how much
 * each further place is away (marks on the line are thicker than the line). Costs: of each such
 * step, and of standing beside the line's end. */
#define ALONG_GAP 2
#define ALONG_STEP 3.5
#define ALONG_COST 4
#define BESIDE 15

/* A text that finds no room along its line stands near one of this many points of it, at this
 * cost. */
#define OFF_POINTS 8
#define OFF_COST 40

static const PsLook leader_look = {.colour = "#888888", .width = 0.6};
static const PsLook edge_look = {.colour = "#555555", .width = 1};

/* ---- what is drawn -------------------------------------------------------------------------- */

/* Cuts a line of two points. For longer ones gnuplot draws the part inside. */
static void lay_line(PsChart *chart, PsChartItem *item)
{
    if (item->n == 2 && !ps_chart_cut(chart, &item->points[0], &item->points[1]))
        item->n = 0;
    for (guint i = 1; i < item->n; i++) {
        PsXY from = item->points[i - 1], to = item->points[i];
        if (isnan(from.y) || isnan(to.y) || !ps_chart_cut(chart, &from, &to))
            continue;
        const PsSegment segment = {ps_chart_dots(chart, from), ps_chart_dots(chart, to)};
        g_array_append_val(chart->room.segments, segment);
    }
}

static void lay_mark(PsChart *chart, PsChartItem *item)
{
    const PsXY dots = ps_chart_dots(chart, item->points[0]);
    const PsBox box = {dots.x - PS_MARK, dots.y - PS_MARK, 2.0 * PS_MARK, 2.0 * PS_MARK};
    ps_room_take(&chart->room, PS_ROOM_MARK, &box);
    if (!isinf(item->points[0].x))
        return;
    item->points[0] = ps_chart_value(chart, dots);
    const PsXY beyond = {chart->room.width + BEYOND_EDGE, dots.y};
    ps_chart_arrow(chart, &edge_look, item->points[0], ps_chart_value(chart, beyond));
}

static void lay_arrow(PsChart *chart, PsChartItem *item)
{
    const PsXY a = ps_chart_dots(chart, item->points[0]), b = ps_chart_dots(chart, item->points[1]);
    const double length = hypot(b.x - a.x, b.y - a.y);
    if (length < SHORTEST_ARROW) {
        item->n = 0;
        return;
    }
    const double gap = MIN(ARROW_GAP / length, 0.25);
    const PsSegment arrow = {{a.x + (b.x - a.x) * gap, a.y + (b.y - a.y) * gap},
                             {b.x - (b.x - a.x) * gap, b.y - (b.y - a.y) * gap}};
    item->look.size = MIN(ARROW_HEAD, length * 0.4);
    item->points[0] = ps_chart_value(chart, arrow.from);
    item->points[1] = ps_chart_value(chart, arrow.to);
    g_array_append_val(chart->room.segments, arrow);
}

/* The polygon between the line and the upper left corner. */
static void lay_shade(PsChart *chart, PsChartItem *item)
{
    PsXY from = item->points[0], to = item->points[1];
    item->n = 0;
    if (!ps_chart_cut(chart, &from, &to))
        return;
    const double width = chart->room.width, height = chart->room.height;
    const PsXY a = ps_chart_dots(chart, from), b = ps_chart_dots(chart, to);
    const PsXY corners[] = {
        a, b, {b.y < height - 1 ? width : b.x, height}, {0, height}, {0, a.x > 1 ? 0 : a.y}};
    item->n = G_N_ELEMENTS(corners);
    item->points = g_renew(PsXY, item->points, item->n);
    for (guint i = 0; i < item->n; i++)
        item->points[i] = ps_chart_value(chart, corners[i]);
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* Makes a text of the item, with its middle at a place in dots. */
static void put_text(const PsChart *chart, PsChartItem *item, PsXY middle, double degrees)
{
    item->kind = PS_ITEM_TEXT;
    item->points[0] = ps_chart_value(chart, middle);
    item->n = 1;
    item->degrees = degrees;
}

/* Puts the text into the box, with a line to its point (in dots) where that is far away. */
static void put_near(PsChart *chart, PsChartItem *item, PsXY point, const PsBox *box)
{
    const PsXY edge = {CLAMP(point.x, box->x, box->x + box->width),
                       CLAMP(point.y, box->y, box->y + box->height)};
    const double length = hypot(edge.x - point.x, edge.y - point.y), share = PS_MARK / length;
    ps_room_take(&chart->room, PS_ROOM_TEXT, box);
    if (length > LEADER_FROM) {
        const PsSegment leader = {
            {point.x + (edge.x - point.x) * share, point.y + (edge.y - point.y) * share}, edge};
        const PsXY ends[] = {ps_chart_value(chart, leader.from), ps_chart_value(chart, leader.to)};
        ps_chart_add(chart, PS_ITEM_LEADER, NULL, &leader_look, ends, G_N_ELEMENTS(ends));
        g_array_append_val(chart->room.segments, leader);
    }
    put_text(chart, item, (PsXY){box->x + box->width / 2, box->y + box->height / 2}, 0);
}

static double row(const PsChart *chart)
{
    return PS_TEXT_ROW * chart->paper.letter;
}

static double width_of(const PsChart *chart, const char *text)
{
    return ps_draw_columns(text) * PS_TEXT_COLUMN * chart->paper.letter + 2;
}

static void lay_label(PsChart *chart, PsChartItem *item)
{
    const PsXY dots = ps_chart_dots(chart, item->points[0]);
    double cost;
    const PsBox box =
        ps_room_near(&chart->room, dots, width_of(chart, item->text), row(chart), &cost);
    const gboolean in_corner = isinf(ps_ruler_share(&chart->x, item->points[0].x)) &&
                               isinf(ps_ruler_share(&chart->y, item->points[0].y));
    put_near(chart, item, in_corner ? (PsXY){box.x, box.y} : dots, &box);
}

/* The boxes that cover a turned text: squares nearly as high as a line of text, one after another.
 */
static guint cover(PsXY middle, PsXY along, double width, double height, PsBox *boxes, guint most)
{
    if (fabs(along.y) < 0.01) {
        boxes[0] = (PsBox){middle.x - width / 2, middle.y - height / 2, width, height};
        return 1;
    }
    const guint n = MIN(most, (guint)(width / height) + 1);
    const double side = height * 0.9;
    for (guint i = 0; i < n; i++) {
        const double way = width * ((i + 0.5) / n - 0.5);
        boxes[i] = (PsBox){middle.x + along.x * way - side / 2, middle.y + along.y * way - side / 2,
                           side, side};
    }
    return n;
}

enum { MOST_BOXES = 64, PLACES = 60, OFFSETS = 4 };

typedef struct {
    PsXY middle;
    PsBox boxes[MOST_BOXES];
    guint n;
    double cost;
} Along;

/* Adds the cost of what a text of that width covers at this place, and keeps the place if it costs
 * least. */
static void try_along(const PsChart *chart, const Along *there, PsXY along, double width,
                      Along *best)
{
    Along full = *there;
    full.n = cover(full.middle, along, width, row(chart), full.boxes, MOST_BOXES);
    for (guint i = 0; i < full.n; i++)
        full.cost += ps_room_cost(&chart->room, &full.boxes[i]);
    if (full.cost < best->cost)
        *best = full;
}

/* The best place for a text along a line from a to b. `way` is the direction of the line, `along`
 * that in which people read the text: the same or the opposite. */
static Along find_along(const PsChart *chart, const PsSegment *line, PsXY way, PsXY along,
                        double width)
{
    const PsXY a = line->from, b = line->to;
    const double length = hypot(b.x - a.x, b.y - a.y);
    Along best = {.cost = INFINITY};
    for (guint i = 0; i < 2 * OFFSETS * PLACES; i++) {
        const guint step = i / 2 / OFFSETS, further = i / 2 % OFFSETS;
        const double place = width / 2 + 4 + MAX(0, length - width - 8) * step / (PLACES - 1);
        const double side = (i % 2 ? -1 : 1) * (row(chart) / 2 + ALONG_GAP + ALONG_STEP * further);
        const Along there = {
            .middle = {a.x + way.x * place - along.y * side, a.y + way.y * place + along.x * side},
            .cost = 0.4 * step + ALONG_COST * further + 0.2 * (i % 2)};
        try_along(chart, &there, along, width, &best);
    }
    const double beyond = width / 2 + 8;
    const Along beside = {.middle = {b.x + way.x * beyond, b.y + way.y * beyond}, .cost = BESIDE};
    if (fabs(along.y) < 0.01)
        try_along(chart, &beside, along, width, &best);
    return best;
}

/* Finds the best place near one of several points of the line, and returns what it costs. */
static double find_off(const PsChart *chart, const PsSegment *line, double width, PsXY *point,
                       PsBox *box)
{
    const PsXY a = line->from, b = line->to;
    double least = INFINITY;
    for (guint i = 1; i < OFF_POINTS; i++) {
        const double share = (double)i / OFF_POINTS;
        const PsXY on = {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
        double cost;
        const PsBox there = ps_room_near(&chart->room, on, width, row(chart), &cost);
        if (cost < least) {
            least = cost;
            *point = on;
            *box = there;
        }
    }
    return least + OFF_COST;
}

static void lay_along(PsChart *chart, PsChartItem *item)
{
    PsSegment line = {item->points[0], item->points[1]};
    item->n = 0;
    if (!ps_chart_cut(chart, &line.from, &line.to))
        return;
    line = (PsSegment){ps_chart_dots(chart, line.from), ps_chart_dots(chart, line.to)};
    const double x = line.to.x - line.from.x, y = line.to.y - line.from.y, length = hypot(x, y);
    if (!(length > 0))
        return;
    const PsXY way = {x / length, y / length};
    const double sign = way.x < 0 ? -1 : 1; /* texts read from the left */
    const PsXY along = {way.x * sign, way.y * sign};
    const double width = width_of(chart, item->text);
    const Along best = find_along(chart, &line, way, along, width + 2);
    PsXY point;
    PsBox box;
    if (best.cost > OFF_COST && find_off(chart, &line, width, &point, &box) < best.cost) {
        put_near(chart, item, point, &box);
        return;
    }
    for (guint i = 0; i < best.n; i++)
        ps_room_take(&chart->room, PS_ROOM_TEXT, &best.boxes[i]);
    put_text(chart, item, best.middle, atan2(along.y, along.x) * (180 / G_PI));
}

static gboolean is_level(const PsChart *chart, const PsChartItem *item)
{
    return fabs(ps_ruler_share(&chart->y, item->points[0].y) -
                ps_ruler_share(&chart->y, item->points[1].y)) < 1e-9;
}

static void lay_along_level(PsChart *chart, PsChartItem *item)
{
    if (is_level(chart, item))
        lay_along(chart, item);
}

/* Texts along slopes come last: they have more places than those at marks, and these more than
 * those of level lines, which are often close to each other. Items that are added on the way, such
 * as leaders, come at the end of the list. */
void ps_chart_lay_out(PsChart *chart)
{
    typedef void (*Lay)(PsChart * chart, PsChartItem * item);
    static const Lay passes[][PS_ITEM_LEADER + 1] = {{[PS_ITEM_SHADE] = lay_shade,
                                                      [PS_ITEM_LINE] = lay_line,
                                                      [PS_ITEM_MARK] = lay_mark,
                                                      [PS_ITEM_ARROW] = lay_arrow},
                                                     {[PS_ITEM_ALONG] = lay_along_level},
                                                     {[PS_ITEM_LABEL] = lay_label},
                                                     {[PS_ITEM_ALONG] = lay_along}};
    ps_chart_join_tags(chart);
    for (guint pass = 0; pass < G_N_ELEMENTS(passes); pass++)
        for (guint i = 0; i < chart->items->len; i++) {
            PsChartItem *item = chart->items->pdata[i];
            if (passes[pass][item->kind] && item->n)
                passes[pass][item->kind](chart, item);
        }
}
