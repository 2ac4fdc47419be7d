/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Charts as SVG within a page: axes, lines, points, labels. Colours are classes of the page's style
 * sheet, so that they follow light and dark.
 */
#ifndef PIPESIM_CLI_REPORT_DRAWING_H
#define PIPESIM_CLI_REPORT_DRAWING_H

#include <glib.h>

typedef struct {
    double from, to; /* of a logarithmic axis above 0 */
    gboolean log;
    const char *label;
} Axis;

/* Zero but for out and the axes to start with. */
typedef struct {
    GString *out;
    Axis x, y;
    const char *name; /* unique in the page */
    const char *title;
    const char *text; /* what it shows, for who cannot see it */
} Drawing;

/* Widens an axis: of a logarithmic one to powers of ten, of another from 0 to a round number. */
void axis_round(Axis *axis);

/* Frame, ticks and labels; then what it shows; then the end. */
void drawing_begin(const Drawing *drawing);
void drawing_end(const Drawing *drawing);

/* A polyline through n points; class says how it looks. */
void drawing_line(const Drawing *drawing, const char *klass, const double *x, const double *y,
                  guint n);

void drawing_point(const Drawing *drawing, const char *klass, double x, double y);

typedef enum { LABEL_ABOVE, LABEL_BELOW } LabelSide;

/* A label at a point of the chart, which it moves so that it stays within the frame. */
void drawing_label(const Drawing *drawing, double x, double y, LabelSide side, const char *text);

/* A label along a line from one point to another, at its middle, above it. */
void drawing_label_along(const Drawing *drawing, const double *x, const double *y,
                         const char *text);

#endif
