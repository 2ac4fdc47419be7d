/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A chart in the making: for draw/, and for roofline/draw, which lays out some parts itself.
 *
 * gnuplot places no labels, and breaks a long key into columns that leave the page. So both are
 * laid out here, in dots of a page (SVG, PNG and PDF have nearly the same shape), with the size of
 * letters in the format where they are largest. The script has data coordinates, so that labels
 * stay at their points when somebody changes an axis in it.
 */
#ifndef PIPESIM_DRAW_CHART_H
#define PIPESIM_DRAW_CHART_H

#include "draw/draw.h"
#include "draw/place.h"
#include "draw/text.h"

/* ---- axes (axis.c) --------------------------------------------------------------------------- */

typedef struct {
    char *label, *unit;
    PsScale scale;
    double least, most; /* first the range that must be shown, then the one that is; log10 on
                           logarithmic axes */
    const PsPrefix
        *prefix; /* divisor of the unit, such as giga: numbers at tics are multiples of it */
} PsRuler;

/* FALSE for values that the axis has no place for: infinities, and on a logarithmic one 0. */
gboolean ps_ruler_can_show(const PsRuler *ruler, double value);
void ps_ruler_see(PsRuler *ruler, double value);

/* Widens the range that must be shown to the one that is shown, with this share of it added at the
 * right. */
void ps_ruler_settle(PsRuler *ruler, double more);

/* A value's place on the axis, 0 at its lower end and 1 at its upper. The other one gives the value
 * at a place. */
double ps_ruler_share(const PsRuler *ruler, double value);
double ps_ruler_value(const PsRuler *ruler, double share);

/* The label with the unit; g_free. */
char *ps_ruler_label(const PsRuler *ruler);

/* The tics, as multiples of the unit: double. minor_tics are the smaller ones between them on
 * logarithmic axes. g_array_unref. */
GArray *ps_ruler_tics(const PsRuler *ruler);
GArray *ps_ruler_minor_tics(const PsRuler *ruler);

/* The number at a tic: "0.1", "20", on a long logarithmic axis "10⁻⁶". g_free. */
char *ps_ruler_tic_text(const PsRuler *ruler, double tic);

/* ---- the chart (chart.c) --------------------------------------------------------------------- */

/* An item of a chart, at values of its axes. Labels get their place last: they become PS_ITEM_TEXT,
 * with the middle of the text as their only point; a label apart from its mark also gets a
 * PS_ITEM_LEADER, a line to it. */
typedef enum {
    PS_ITEM_SHADE,
    PS_ITEM_LINE,
    PS_ITEM_MARK,
    PS_ITEM_ARROW,
    PS_ITEM_LABEL,
    PS_ITEM_ALONG,
    PS_ITEM_TEXT,
    PS_ITEM_LEADER
} PsItemKind;

typedef struct {
    PsItemKind kind;
    char *text;   /* the text to write, or for a comment in the script what the item is */
    char *before; /* of a tag: the text before the list of the tags on its spot; else NULL */
    PsLook look;
    PsXY *points;
    guint n;
    double degrees; /* of a text: the angle by which it is turned */
} PsChartItem;

typedef struct {
    PsLook look; /* of the sample beside the text */
    char *text;
} PsKeyLine;

/* Sizes of a page, the part of the page that a chart has, and what the axes, their labels and the
 * title take of that part: in dots. */
typedef struct {
    double width, height;
    PsBox cell;
    double left, right, bottom, top;
    double letter; /* size of the letters: 1 for 9 points on a page of 900 dots */
    double key;    /* used by items of the key */
} PsPaper;

struct PsChart {
    char *title;
    PsRuler x, y;
    gboolean edge;    /* some marks stand at the right edge, since their x is infinite */
    GPtrArray *items; /* PsChartItem */
    GArray *key;      /* PsKeyLine */
    gboolean framed;
    PsPaper paper;
    PsBox plot; /* the plot area: dots of the page */
    PsRoom room;
};

void ps_chart_add(PsChart *chart, PsItemKind kind, const char *text, const PsLook *look,
                  const PsXY *points, guint n);

/* An arrow from one mark to another. It touches neither mark; if the marks touch each other, there
 * is none. */
void ps_chart_arrow(PsChart *chart, const PsLook *look, PsXY from, PsXY to);

/* Fills the area above a rising line, behind everything else. */
void ps_chart_shade(PsChart *chart, const char *colour, PsXY from, PsXY to);

/* Makes a tag of the text that was added last. All tags on one spot with the same `before` become
 * one text: `before` and the list of their texts, "1, 4–7", where numbers that follow each other
 * are a range. */
void ps_chart_tag(PsChart *chart, const char *before);

/* Makes one text of the tags of each spot (tag.c). */
void ps_chart_join_tags(PsChart *chart);

/* ---- the frame (frame.c) --------------------------------------------------------------------- */

/* Settles the axes and the plot area. A chart that has the whole page has its key below it, for
 * which the page gets higher; a chart on a part of a page has it beside it. Everything that axes
 * and key depend on must have been added. Only callers that need dots call it; the writers do so
 * themselves. */
void ps_chart_frame(PsChart *chart);
void ps_chart_frame_on(PsChart *chart, const PsPaper *paper, gboolean with_key);

/* Both need the frame. A value beyond an end of an axis is at the edge of the plot area. */
PsXY ps_chart_dots(const PsChart *chart, PsXY value);
PsXY ps_chart_value(const PsChart *chart, PsXY dots);

/* Cuts a line to the plot area; FALSE if no part of it is there. */
gboolean ps_chart_cut(const PsChart *chart, PsXY *from, PsXY *to);

/* A page, and the height of a chart that has it alone, without its key. */
#define PS_PAGE_WIDTH 900.0
#define PS_PAGE_HEIGHT 560.0
#define PS_CHART_HEIGHT 660.0

/* Dots per column and per row of a small text. */
#define PS_TEXT_COLUMN 6.4
#define PS_TEXT_ROW 13.0

/* Half a mark. */
#define PS_MARK 5

/* ---- where texts stand (layout.c) ------------------------------------------------------------ */

/* Cuts lines to the plot area, and finds a place for every text. */
void ps_chart_lay_out(PsChart *chart);

/* ---- gnuplot's words (look.c), and the key in them (key.c) ------------------------------------
 */

/* "linewidth 2 dashtype 1 linecolor rgb '#0072B2'", and of marks "pointtype 7 ..."; g_free. */
char *ps_gnuplot_line(const PsLook *look);
char *ps_gnuplot_mark(const PsLook *look);

/* Ends the line that draws an arrow of that style, so that the next one has its own dashes. */
void ps_gnuplot_arrow(GString *out, const char *style);

/* Width of a key beside the chart, in dots; 0 without a key. */
double ps_key_width(const PsChart *chart, double letter);

/* Height of a key below the chart, in as many columns as have room; 0 without a key. */
double ps_key_height(const PsChart *chart, const PsPaper *paper);

/* Writes the key. `left` is the left edge of its room, in dots: the right edge of the plot area or,
 * with one key for several charts, that of the charts. */
void ps_key_put_beside(const PsChart *chart, double left, GString *out);
void ps_key_put_below(const PsChart *chart, GString *out);

#endif
