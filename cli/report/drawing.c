/* SPDX-License-Identifier: BSD-3-Clause */
/* See drawing.h. Sizes are those of the viewBox: the page scales the whole. */
#include "cli/report/drawing.h"

#include "cli/report/markup.h"

#include <math.h>
#include <string.h>

#define WIDTH 480.0
#define HEIGHT 320.0
#define LEFT 66.0
#define RIGHT 456.0
#define TOP 12.0
#define BOTTOM 272.0

/* Columns of a letter, about. */
#define LETTER 6.6

/* ---- axes ---------------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten: the step of about five ticks. */
static double step_of(const Axis *axis)
{
    const double rough = (axis->to - axis->from) / 5, power = pow(10, floor(log10(rough)));
    const double lead = rough / power;
    return power * (lead > 5 ? 10 : lead > 2 ? 5 : lead > 1 ? 2 : 1);
}

void axis_round(Axis *axis)
{
    if (axis->log) {
        axis->from = pow(10, floor(log10(axis->from) + 1e-9));
        axis->to = pow(10, ceil(log10(axis->to) - 1e-9));
        if (axis->to <= axis->from)
            axis->to = axis->from * 10;
        return;
    }
    axis->from = 0;
    if (!(axis->to > 0))
        axis->to = 1;
    const double step = step_of(axis);
    axis->to = ceil(axis->to / step - 1e-9) * step;
}

/* Where a value is on an axis, 0 to 1. */
static double part(const Axis *axis, double value)
{
    const double at =
        axis->log ? (log10(value) - log10(axis->from)) / (log10(axis->to) - log10(axis->from))
                  : (value - axis->from) / (axis->to - axis->from);
    return CLAMP(at, 0.0, 1.0);
}

static double x_of(const Drawing *drawing, double x)
{
    return LEFT + (RIGHT - LEFT) * part(&drawing->x, x);
}

static double y_of(const Drawing *drawing, double y)
{
    return BOTTOM - (BOTTOM - TOP) * part(&drawing->y, y);
}

/* "0.1", "20", "5 k", "1 T" */
static char *tick_text(double value)
{
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P"};
    guint i = 0;
    for (; i + 1 < G_N_ELEMENTS(prefixes) && value >= 999.9; i++)
        value /= 1000;
    return g_strdup_printf("%.4g%s", value, prefixes[i]);
}

static void put_tick(const Drawing *drawing, gboolean is_x, double value, gboolean with_text)
{
    g_autofree char *text = with_text ? tick_text(value) : g_strdup("");
    const double at = is_x ? x_of(drawing, value) : y_of(drawing, value);
    if (is_x)
        g_string_append_printf(
            drawing->out,
            "<path class='grid' d='M%.1f %.1fV%.1f'/><text x='%.1f' y='%.1f' class='m'>%s</text>\n",
            at, TOP, BOTTOM, at, BOTTOM + 17, text);
    else
        g_string_append_printf(
            drawing->out,
            "<path class='grid' d='M%.1f %.1fH%.1f'/><text x='%.1f' y='%.1f' class='e'>%s</text>\n",
            LEFT, at, RIGHT, LEFT - 6, at + 4, text);
}

/* Of many powers of ten only every second, third ... has a text. */
static void put_ticks(const Drawing *drawing, gboolean is_x)
{
    const Axis *axis = is_x ? &drawing->x : &drawing->y;
    if (axis->log) {
        const int first = (int)lround(log10(axis->from)), last = (int)lround(log10(axis->to));
        const int every = 1 + (last - first) / 8;
        for (int i = first; i <= last; i++)
            put_tick(drawing, is_x, pow(10, i), (i - first) % every == 0);
        return;
    }
    const double step = step_of(axis);
    for (guint i = 0; axis->from + i * step <= axis->to * (1 + 1e-9); i++)
        put_tick(drawing, is_x, axis->from + i * step, TRUE);
}

/* ---- the chart ----------------------------------------------------------------------------- */

void drawing_begin(const Drawing *drawing)
{
    GString *out = drawing->out;
    g_string_append_printf(out,
                           "<svg viewBox='0 0 %.0f %.0f' role='img' aria-labelledby='%s-t %s-d'>\n",
                           WIDTH, HEIGHT, drawing->name, drawing->name);
    g_string_append_printf(out, "<title id='%s-t'>", drawing->name);
    markup_text(out, drawing->title);
    g_string_append_printf(out, "</title><desc id='%s-d'>", drawing->name);
    markup_text(out, drawing->text);
    g_string_append(out, "</desc>\n");
    put_ticks(drawing, TRUE);
    put_ticks(drawing, FALSE);
    g_string_append_printf(out, "<path class='frame' d='M%.1f %.1fV%.1fH%.1f'/>\n", LEFT, TOP,
                           BOTTOM, RIGHT);
    g_string_append_printf(out, "<text x='%.1f' y='%.1f' class='m'>", (LEFT + RIGHT) / 2,
                           HEIGHT - 10);
    markup_text(out, drawing->x.label);
    g_string_append_printf(out,
                           "</text><text transform='translate(14 %.1f) rotate(-90)' class='m'>",
                           (TOP + BOTTOM) / 2);
    markup_text(out, drawing->y.label);
    g_string_append(out, "</text>\n");
}

void drawing_end(const Drawing *drawing)
{
    g_string_append(drawing->out, "</svg>\n");
}

void drawing_line(const Drawing *drawing, const char *klass, const double *x, const double *y,
                  guint n)
{
    g_string_append_printf(drawing->out, "<polyline class='%s' points='", klass);
    for (guint i = 0; i < n; i++)
        g_string_append_printf(drawing->out, "%s%.1f,%.1f", i ? " " : "", x_of(drawing, x[i]),
                               y_of(drawing, y[i]));
    g_string_append(drawing->out, "'/>\n");
}

void drawing_point(const Drawing *drawing, const char *klass, double x, double y)
{
    g_string_append_printf(drawing->out, "<circle class='%s' cx='%.1f' cy='%.1f' r='5'/>\n", klass,
                           x_of(drawing, x), y_of(drawing, y));
}

void drawing_label(const Drawing *drawing, double x, double y, LabelSide side, const char *text)
{
    const double half = LETTER * (double)g_utf8_strlen(text, -1) / 2;
    const double at = CLAMP(x_of(drawing, x), LEFT + 4 + half, MAX(RIGHT - half, LEFT + 4 + half));
    double up = y_of(drawing, y) + (side == LABEL_ABOVE ? -8 : 18);
    up = CLAMP(up, TOP + 10, BOTTOM - 4);
    g_string_append_printf(drawing->out, "<text x='%.1f' y='%.1f' class='m halo'>", at, up);
    markup_text(drawing->out, text);
    g_string_append(drawing->out, "</text>\n");
}

void drawing_label_along(const Drawing *drawing, const double *x, const double *y, const char *text)
{
    const double ax = x_of(drawing, x[0]), bx = x_of(drawing, x[1]);
    const double ay = y_of(drawing, y[0]), by = y_of(drawing, y[1]);
    g_string_append_printf(
        drawing->out, "<text transform='translate(%.1f %.1f) rotate(%.1f)' dy='-7' class='m halo'>",
        (ax + bx) / 2, (ay + by) / 2, atan2(by - ay, bx - ax) * 180 / G_PI);
    markup_text(drawing->out, text);
    g_string_append(drawing->out, "</text>\n");
}
