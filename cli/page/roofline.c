/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The roofline as a chart: what bandwidth and operations allow, what the kernel's instruction mix
 * leaves of that (equation 18), and the run as a point. Without peaks or intensity there is no
 * chart, but a sentence.
 */
#include "cli/page/page.h"

#include "cli/report/drawing.h"
#include "cli/report/format.h"
#include "cli/report/markup.h"
#include "cli/report/roofline.h"

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

/* Axes that hold the points, the ridge and the roof. */
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
    drawing->y.from = low / 1.5;
    drawing->y.to = high * 1.5;
    axis_round(&drawing->y);
}

/* A level roof from where the bandwidth allows it. */
static void put_level(const Drawing *drawing, const Roof *roof, double level, const char *klass)
{
    const double start = is_known(roof->bandwidth) ? level / roof->bandwidth : drawing->x.from;
    const double x[] = {CLAMP(start, drawing->x.from, drawing->x.to), drawing->x.to};
    const double y[] = {level, level};
    drawing_line(drawing, klass, x, y, 2);
}

/* The slope from where it enters the frame up to the ridge. */
static void put_slope(const Drawing *drawing, const Roof *roof)
{
    const double top = is_known(roof->peak) ? roof->peak / roof->bandwidth : drawing->x.to;
    const double from = fmax(drawing->x.from, drawing->y.from / roof->bandwidth);
    const double to = fmin(fmin(top, drawing->x.to), drawing->y.to / roof->bandwidth);
    const double x[] = {from, fmax(from, to)},
                 y[] = {x[0] * roof->bandwidth, x[1] * roof->bandwidth};
    g_autofree char *text = format_scaled(roof->bandwidth);
    g_autofree char *label = g_strdup_printf("%sB/s", text);
    drawing_line(drawing, "roof", x, y, 2);
    if (x[1] > 4 * x[0])
        drawing_label_along(drawing, x, y, label);
}

static void put_roofs(const Drawing *drawing, const Roof *roof)
{
    if (is_known(roof->bandwidth))
        put_slope(drawing, roof);
    if (is_known(roof->peak)) {
        g_autofree char *text = format_scaled(roof->peak);
        g_autofree char *label = g_strdup_printf("%sop/s", text);
        put_level(drawing, roof, roof->peak, "roof");
        drawing_label(drawing, drawing->x.to, roof->peak, LABEL_ABOVE, label);
    }
    if (is_known(roof->adjusted))
        put_level(drawing, roof, roof->adjusted, "dash");
}

static void put_point(const Drawing *drawing, const Roof *roof, double rate, const char *klass)
{
    if (is_known(rate))
        drawing_point(drawing, klass, roof->intensity, rate);
}

/* An entry of the legend: points may lie on each other, so that labels beside them would, too. */
static void put_key(GString *out, const char *klass, const char *what, double rate)
{
    if (!is_known(rate))
        return;
    g_autofree char *text = format_scaled(rate);
    g_string_append_printf(out, "<li><span class='key %s'></span>", klass);
    markup_take(out, "span", g_strdup_printf("%s: %sop/s", what, text));
    g_string_append(out, "</li>\n");
}

static void put_legend(const Page *page, const Roof *roof, GString *out)
{
    g_string_append(out, "<figcaption><ul class='keys'>\n");
    put_key(out, "k-now", page->report->what_if ? "as it is" : "this run", roof->rate);
    put_key(out, "k-if", "what if", roof->what_if);
    put_key(out, "k-dot", "measured", roof->measured);
    put_key(out, "k-dash", "what the mix of instructions allows", roof->adjusted);
    g_string_append(out, "</ul></figcaption>\n");
}

static void put_chart(const Page *page, const Roof *roof, const char *text, GString *out)
{
    Drawing drawing = {.out = out,
                       .x = {.log = TRUE, .label = "operations per byte of device memory"},
                       .y = {.log = TRUE, .label = "operations per second"},
                       .name = "roofline",
                       .title = "Roofline",
                       .text = text};
    find_axes(roof, &drawing);
    g_string_append(out, "<figure>\n");
    drawing_begin(&drawing);
    put_roofs(&drawing, roof);
    put_point(&drawing, roof, roof->measured, "dot");
    put_point(&drawing, roof, roof->what_if, "if");
    put_point(&drawing, roof, roof->rate, "now");
    drawing_end(&drawing);
    put_legend(page, roof, out);
    g_string_append(out, "</figure>\n");
}

void page_put_roofline(const Page *page, GString *out)
{
    const Roof roof = roof_of(page->report);
    g_autofree char *text = describe_ceiling(page->report->answer);
    g_autofree char *prediction = describe_prediction(page->report->answer);
    g_autofree char *check = describe_cross_check(page->report->answer);
    g_string_append(out, "<section>\n<h2>Roofline</h2>\n");
    if (is_known(roof.intensity) && is_known(roof.rate) &&
        (is_known(roof.peak) || is_known(roof.bandwidth)))
        put_chart(page, &roof, text, out);
    markup_element(out, "p", text);
    if (prediction)
        markup_element(out, "p", prediction);
    if (check)
        markup_element(out, "p", check);
    g_string_append(out, "</section>\n");
}
