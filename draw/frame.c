/* SPDX-License-Identifier: BSD-3-Clause */
/* The plot area beside or above the key, and the places of values in it. */
#include "draw/chart.h"

#include <math.h>

/* Distance of a mark with a coordinate beyond an axis from that edge, in dots; for marks at the
 * right edge the axis is extended by this share. */
#define FROM_EDGE 22
#define EDGE_SHARE 0.08

/* A line along the edge of the plot area counts as inside, although rounding may put it this far
 * outside: dots. */
#define SLACK 0.01

void ps_chart_frame_on(PsChart *chart, const PsPaper *paper, gboolean with_key)
{
    if (chart->framed)
        return;
    const double key = with_key ? ps_key_width(chart, paper->letter) : 0;
    ps_ruler_settle(&chart->x, chart->edge ? EDGE_SHARE : 0);
    ps_ruler_settle(&chart->y, 0);
    chart->framed = TRUE;
    chart->paper = *paper;
    chart->plot = (PsBox){paper->cell.x + paper->left, paper->cell.y + paper->bottom,
                          paper->cell.width - paper->left - paper->right - key,
                          paper->cell.height - paper->bottom - paper->top};
    chart->room.width = chart->plot.width;
    chart->room.height = chart->plot.height;
}

/* Lays the page out so that letters can be read when it is as wide as a column of a paper. */
void ps_chart_frame(PsChart *chart)
{
    PsPaper page = {.width = PS_PAGE_WIDTH,
                    .left = 120,
                    .right = 28,
                    .bottom = 80,
                    .top = 50,
                    .letter = 1.75,
                    .key = 1.3};
    const double key = ps_key_height(chart, &page);
    page.height = PS_CHART_HEIGHT + key;
    page.cell = (PsBox){0, key, PS_PAGE_WIDTH, PS_CHART_HEIGHT};
    ps_chart_frame_on(chart, &page, FALSE);
}

static double dots_of(double share, double size)
{
    return isinf(share) ? (share < 0 ? FROM_EDGE : size - FROM_EDGE) : share * size;
}

PsXY ps_chart_dots(const PsChart *chart, PsXY value)
{
    return (PsXY){dots_of(ps_ruler_share(&chart->x, value.x), chart->room.width),
                  dots_of(ps_ruler_share(&chart->y, value.y), chart->room.height)};
}

PsXY ps_chart_value(const PsChart *chart, PsXY dots)
{
    return (PsXY){ps_ruler_value(&chart->x, dots.x / chart->room.width),
                  ps_ruler_value(&chart->y, dots.y / chart->room.height)};
}

gboolean ps_chart_cut(const PsChart *chart, PsXY *from, PsXY *to)
{
    const PsBox area = {0, 0, chart->room.width, chart->room.height};
    const PsBox edge = {-SLACK, -SLACK, area.width + 2 * SLACK, area.height + 2 * SLACK};
    PsSegment part = {ps_chart_dots(chart, *from), ps_chart_dots(chart, *to)};
    if (!ps_segment_cut(&part, &area) && !ps_segment_cut(&part, &edge))
        return FALSE;
    *from = ps_chart_value(chart, part.from);
    *to = ps_chart_value(chart, part.to);
    return TRUE;
}
