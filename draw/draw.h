/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Charts: series, marks and texts go in; a script for gnuplot, which makes SVG, PNG and PDF of it,
 * or an SVG picture within a page comes out. Everything is given in values of the axes, and texts
 * are copied. Nobody needs to say where a text stands: each finds room near its point or along its
 * line, once all that it must not cover is there.
 */
#ifndef PIPESIM_DRAW_DRAW_H
#define PIPESIM_DRAW_DRAW_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct {
    double x, y;
} PsXY;

/* Coordinates for a line that shall reach the edges of the chart, which cuts it off there. No
 * measured value lies beyond these, and their squares are still doubles. */
#define PS_CHART_NEAR 1e-60
#define PS_CHART_FAR 1e60

typedef enum {
    PS_SCALE_LINEAR, /* from 0, or from the least value if that is below 0 */
    PS_SCALE_LOG2,   /* for values that people count in powers of two */
    PS_SCALE_LOG10
} PsScale;

typedef struct {
    const char *label;
    PsScale scale;
    const char *unit; /* unit of the values, such as "FLOP/s"; it gets a prefix that suits them and
                         stands behind the label. NULL: the label says everything */
} PsAxis;

/* What lines and marks look like. The strings must outlive the chart. */
typedef struct {
    const char *colour; /* "#0072B2"; in ps_chart_svg's element a class of the page's style sheet */
    double width;       /* of the line; 0: none */
    const char *dash;   /* gnuplot's dashtype, from ps_look_dash or as "(24,12)"; NULL: solid */
    guint marker;       /* from ps_look_marker; 0: none */
    double size;        /* of marks, as gnuplot's pointsize */
} PsLook;

/* Lists of colours, dashes and markers by which lines and marks differ, also in print and for
 * people who do not see all colours. Each list begins anew at its end; that of colours has
 * PS_LOOK_COLOURS. A hollow marker is white inside. */
#define PS_LOOK_COLOURS 7
const char *ps_look_colour(guint i);
const char *ps_look_dash(guint i);
guint ps_look_marker(guint i, gboolean hollow);

typedef struct PsChart PsChart;

/* Free with ps_chart_free. A title may be shortened to the chart's width. */
PsChart *ps_chart_new(const char *title, const PsAxis *x, const PsAxis *y);
void ps_chart_free(PsChart *chart);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsChart, ps_chart_free)

/* Makes the axes reach that point. A coordinate that its axis cannot show, such as NAN, is ignored.
 */
void ps_chart_see(PsChart *chart, double x, double y);

/* A line through n points and a mark at each, as far as the look has both. It is cut off where the
 * axes end, and a point that is not a number (NAN) is a gap. `what` becomes a comment in the script
 * (NULL: none). The axes do not widen for it. */
void ps_chart_line(PsChart *chart, const char *what, const PsLook *look, const PsXY *points,
                   guint n);

/* A straight line from one point to another. */
void ps_chart_segment(PsChart *chart, const char *what, const PsLook *look, PsXY from, PsXY to);

/* A mark. One of infinite x stands at the right edge, with an arrow that points beyond. */
void ps_chart_mark(PsChart *chart, const char *what, const PsLook *look, PsXY at);

/* Like ps_chart_line, but the axes reach all points, and the key gets a line with that name (NULL:
 * none). */
void ps_chart_series(PsChart *chart, const char *name, const PsLook *look, const PsXY *points,
                     guint n);

/* A text near a mark, with a thin line to it if there is no room right beside it. A coordinate
 * beyond its axis (0 and INFINITY on a logarithmic one) means that edge. */
void ps_chart_label(PsChart *chart, const char *text, const char *colour, PsXY at);

/* A text along a line from one point to another: above or below it, near `from` if there is room,
 * else further towards `to`. If it would cover something everywhere, it stands level beside the
 * line, with a thin line to it. */
void ps_chart_label_along(PsChart *chart, const char *text, const char *colour, PsXY from, PsXY to);

/* A line of the key: a sample of that look (NULL: none), and a text, as of printf, which may be
 * shortened. */
void ps_chart_key(PsChart *chart, const PsLook *look, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* The script of a chart on a page of its own, with its key below; g_free. It sets neither terminal
 * nor output, which the caller chooses. The page should be *height times as high as the usual one,
 * of 900 by 560. The chart is used up: nothing can be added to it, nor can it be drawn again. */
char *ps_chart_script(PsChart *chart, double *height);

/* The script of several charts (PsChart, at least one), which are used up, in so many columns under
 * a title; g_free. With `one_key` all have the same key, and the first one's stands at the right of
 * the page; else each has its own. The page should be *height times as high as the usual one.
 */
char *ps_charts_script(const GPtrArray *charts, const char *title, guint columns, gboolean one_key,
                       double *height);

/* Appends the chart, which is used up, as an SVG element without its key. `name` is the beginning
 * of its id, unique in the page; `text` describes the picture for readers who cannot see it. */
void ps_chart_svg(PsChart *chart, const char *name, const char *text, GString *out);

#pragma GCC visibility pop
G_END_DECLS
#endif
