/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A chart in the making, for draw/ and for who lays out parts of a chart himself (roofline/draw).
 *
 * gnuplot places no labels and breaks a long key into columns that leave the page, so both are laid
 * out here, in dots of a page (the three terminals have nearly its shape), with sizes of text that
 * hold for the terminal with the largest. In the script stand data coordinates, so that whoever
 * changes an axis keeps labels at their points.
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
    double least, most;     /* what must be seen, then what is shown; log10 on logarithmic axes */
    const PsPrefix *prefix; /* of the unit; values are written as multiples of it */
} PsRuler;

/* Whether the axis can show it at all. */
gboolean ps_ruler_can_show(const PsRuler *ruler, double value);
void ps_ruler_see(PsRuler *ruler, double value);

/* From what must be seen to what is shown, with a share of it more at the right. */
void ps_ruler_settle(PsRuler *ruler, double more);

/* Where a value is: 0 at one end, 1 at the other; and the other way round. */
double ps_ruler_share(const PsRuler *ruler, double value);
double ps_ruler_value(const PsRuler *ruler, double share);

/* The label with the unit; g_free. */
char *ps_ruler_label(const PsRuler *ruler);

/* Logarithmic axes that span little have tics at 2 and 5, too. */
gboolean ps_ruler_is_short(const PsRuler *ruler);

/* Where tics are, in multiples of the unit: double. */
GArray *ps_ruler_tics(const PsRuler *ruler);

/* ---- the chart (chart.c) --------------------------------------------------------------------- */

/* What a chart holds, in values. Texts are found a place for when all else is there, and are
 * PS_ITEM_TEXT then, with their middle in points, or PS_ITEM_LEADER: a line to them. */
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
    char *text;   /* that is written, or what the item is */
    char *before; /* of a tag: what stands before the texts on its spot; else NULL */
    PsLook look;
    PsXY *points;
    guint n;
    double degrees; /* a text is turned by */
} PsChartItem;

typedef struct {
    PsLook look; /* of the sample */
    char *text;
} PsKeyLine;

/* The page, the part of it that is the chart's, and what axes, labels and the title take of that:
 * dots. */
typedef struct {
    double width, height;
    PsBox cell;
    double left, right, bottom, top;
    double letter; /* size of texts; 1 on a page of their own */
} PsPaper;

struct PsChart {
    char *title;
    PsRuler x, y;
    gboolean edge;    /* some marks are at the right edge */
    GPtrArray *items; /* PsChartItem */
    GArray *key;      /* PsKeyLine */
    gboolean framed;
    PsPaper paper;
    PsBox plot; /* the plot area: dots of the page */
    PsRoom room;
};

void ps_chart_add(PsChart *chart, PsItemKind kind, const char *text, const PsLook *look,
                  const PsXY *points, guint n);

/* An arrow between two marks, which it leaves free; none where they touch. */
void ps_chart_arrow(PsChart *chart, const PsLook *look, PsXY from, PsXY to);

/* What is above a line that goes up, behind all else. */
void ps_chart_shade(PsChart *chart, const char *colour, PsXY from, PsXY to);

/* The text that was added last is a tag: it is one with those of the same `before` on the same
 * spot, and stands behind that, "1, 4–7". Numbers are told from names. */
void ps_chart_tag(PsChart *chart, const char *before);

/* Makes one text of the tags of each spot (tag.c). */
void ps_chart_join_tags(PsChart *chart);

/* ---- the frame (frame.c) --------------------------------------------------------------------- */

/* Settles the axes of a chart that has the whole page, and with its key the room: all of it must be
 * there. Whoever does not ask for dots need not call it. */
void ps_chart_frame(PsChart *chart);
void ps_chart_frame_on(PsChart *chart, const PsPaper *paper, gboolean with_key);

/* Of a chart with a frame. Beyond the ends of an axis is the edge. */
PsXY ps_chart_dots(const PsChart *chart, PsXY value);
PsXY ps_chart_value(const PsChart *chart, PsXY dots);

/* Cuts a line to the plot area; FALSE where no part of it is there. */
gboolean ps_chart_cut(const PsChart *chart, PsXY *from, PsXY *to);

/* The page of one chart. */
#define PS_PAGE_WIDTH 900.0
#define PS_PAGE_HEIGHT 560.0

/* Of a small text: dots per column and per row. */
#define PS_TEXT_COLUMN 6.4
#define PS_TEXT_ROW 13.0

/* Half a mark. */
#define PS_MARK 5

/* ---- where texts stand (layout.c) ------------------------------------------------------------ */

/* Cuts lines, and finds texts a place. */
void ps_chart_lay_out(PsChart *chart);

/* ---- gnuplot's words (look.c), and the key in them (key.c) ------------------------------------
 */

/* "linewidth 2 dashtype 1 linecolor rgb '#0072B2'", and of marks "pointtype 7 ..."; g_free. */
char *ps_gnuplot_line(const PsLook *look);
char *ps_gnuplot_mark(const PsLook *look);

/* What follows the ends of an arrow, up to the end of its line. */
void ps_gnuplot_arrow(GString *out, const char *style);

/* So many lines have room beside a chart on a page of its own. */
#define PS_KEY_LINES 36

/* Dots of the page's width that the key needs. */
double ps_key_width(const PsChart *chart, double letter);

/* Puts it at the right of the plot area or, for several charts, of the page. */
void ps_key_put(const PsChart *chart, double left, GString *out);

#endif
