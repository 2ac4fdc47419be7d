/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The roofline as a chart: what bandwidth and operations allow, what the kernel's instruction mix
 * leaves of that (equation 18), and the run as a point. Without peaks or intensity there is no
 * chart, but a sentence.
 */
#include "cli/page.h"

#include "cli/drawing.h"
#include "cli/format.h"
#include "cli/markup.h"
#include "cli/report-roofline.h"

#include <math.h>

/* All in operations, bytes and seconds; NaN for what is not known. */
typedef struct {
    double intensity, rate, peak, adjusted, bandwidth;
    double what_if; /* rate */
    double measured;
} Roof;

static gboolean is_known(double x)
{
    return isfinite(x) && x > 0;
}

static double rate_of(double operations, double seconds)
{
    return seconds > 0 ? operations / seconds : NAN;
}

static Roof roof_of(const Report *report)
{
    const Answer *answer = report->answer;
    const Bound *bound = &answer->bound;
    const double work = bound->params.W_comp;
    return (Roof){
        .intensity = bound->params.O_krn,
        .rate = rate_of(work, answer->seconds),
        .peak = bound->prediction.T_op,
        .adjusted = bound->prediction.T_adjusted,
        .bandwidth = bound->peaks.value[PS_B_MEM],
        .what_if = report->what_if ? rate_of(work, report->what_if->seconds) : NAN,
        .measured = rate_of(work, report->measured),
    };
}

/* Axes that hold the point, the ridge and the roof, in units of 10^9 per second. */
static void find_axes(const Roof *roof, Drawing *drawing)
{
    const double ridge = is_known(roof->bandwidth) && is_known(roof->peak)
                             ? roof->peak / roof->bandwidth
                             : roof->intensity;
    const double points[] = {roof->rate, roof->what_if, roof->measured};
    double low = NAN, high = roof->peak;
    for (guint i = 0; i < G_N_ELEMENTS(points); i++)
        if (is_known(points[i])) {
            low = fmin(low, points[i]);
            high = fmax(high, points[i]);
        }
    drawing->x.from = fmin(roof->intensity, ridge) / 4;
    drawing->x.to = fmax(roof->intensity, ridge) * 4;
    axis_round(&drawing->x);
    if (!is_known(high))
        high = drawing->x.to * roof->bandwidth;
    if (is_known(roof->bandwidth))
        low = fmin(low, fmax(drawing->x.from * roof->bandwidth, high / 1e5));
    drawing->y.from = low / 1e9 / 1.5;
    drawing->y.to = high / 1e9 * 1.5;
    axis_round(&drawing->y);
}

/* A level roof from where the bandwidth allows it. */
static void put_level(const Drawing *drawing, const Roof *roof, double level, const char *klass)
{
    const double start = is_known(roof->bandwidth) ? level / roof->bandwidth : drawing->x.from;
    const double x[] = {CLAMP(start, drawing->x.from, drawing->x.to), drawing->x.to};
    const double y[] = {level / 1e9, level / 1e9};
    drawing_line(drawing, klass, x, y, 2);
}

/* The slope from where it enters the frame up to the ridge. */
static void put_slope(const Drawing *drawing, const Roof *roof)
{
    const double giga = roof->bandwidth / 1e9;
    const double top = is_known(roof->peak) ? roof->peak / roof->bandwidth : drawing->x.to;
    const double from = fmax(drawing->x.from, drawing->y.from / giga);
    const double to = fmin(fmin(top, drawing->x.to), drawing->y.to / giga);
    const double x[] = {from, fmax(from, to)}, y[] = {x[0] * giga, x[1] * giga};
    g_autofree char *text = format_scaled(roof->bandwidth);
    g_autofree char *label = g_strdup_printf("%sB/s", text);
    drawing_line(drawing, "roof", x, y, 2);
    if (x[1] > 4 * x[0])
        drawing_label_along(drawing, x, y, label);
}

static void label_level(const Drawing *drawing, double level, LabelSide side, const char *what)
{
    g_autofree char *text = format_scaled(level);
    g_autofree char *label = g_strdup_printf("%s, %sop/s", what, text);
    drawing_label(drawing, drawing->x.to, level / 1e9, side, label);
}

static void put_roofs(const Drawing *drawing, const Roof *roof)
{
    if (is_known(roof->bandwidth))
        put_slope(drawing, roof);
    if (is_known(roof->peak)) {
        put_level(drawing, roof, roof->peak, "roof");
        label_level(drawing, roof->peak, LABEL_ABOVE, "peak");
    }
    if (is_known(roof->adjusted) && roof->adjusted < 0.99 * roof->peak) {
        put_level(drawing, roof, roof->adjusted, "dash");
        label_level(drawing, roof->adjusted,
                    roof->rate > roof->adjusted ? LABEL_BELOW : LABEL_ABOVE,
                    "with its mix of instructions");
    }
}

/* Above a level that the point is over, below one that it is under. */
static void put_point(const Drawing *drawing, const Roof *roof, double rate, const char *klass,
                      const char *label)
{
    if (!is_known(rate))
        return;
    const LabelSide side = rate > roof->adjusted ? LABEL_ABOVE : LABEL_BELOW;
    drawing_point(drawing, klass, roof->intensity, rate / 1e9);
    drawing_label(drawing, roof->intensity, rate / 1e9, side, label);
}

static void put_chart(const Page *page, const Roof *roof, const char *text, GString *out)
{
    Drawing drawing = {.out = out,
                       .x = {.log = TRUE, .label = "operations per byte of device memory"},
                       .y = {.log = TRUE, .label = "10^9 operations per second"},
                       .name = "roofline",
                       .title = "Roofline",
                       .text = text};
    find_axes(roof, &drawing);
    g_string_append(out, "<figure>\n");
    drawing_begin(&drawing);
    put_roofs(&drawing, roof);
    put_point(&drawing, roof, roof->measured, "dot", "measured");
    put_point(&drawing, roof, roof->what_if, "if", "what if");
    put_point(&drawing, roof, roof->rate, "now", page->report->what_if ? "as it is" : "this run");
    drawing_end(&drawing);
    g_string_append(out, "</figure>\n");
}

void page_put_roofline(const Page *page, GString *out)
{
    const Roof roof = roof_of(page->report);
    g_autofree char *text = describe_roofline(page->report->answer);
    g_autofree char *check = describe_cross_check(page->report->answer);
    g_string_append(out, "<section>\n<h2>Roofline</h2>\n");
    if (is_known(roof.intensity) && is_known(roof.rate) &&
        (is_known(roof.peak) || is_known(roof.bandwidth)))
        put_chart(page, &roof, text, out);
    markup_element(out, "p", text);
    if (check)
        markup_element(out, "p", check);
    g_string_append(out, "</section>\n");
}
