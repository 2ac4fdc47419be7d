/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The roofline as a chart: what bandwidth and operations allow, what the kernel's instruction mix
 * leaves of that (equation 18), and the run as a point. Without peaks or intensity there is no
 * chart, but a sentence.
 */
#include "cli/page/page.h"

#include "cli/report/markup.h"
#include "cli/report/roofline.h"
#include "pipesim-private.h"

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

/* Integers may all be additions, so that a run could stand above T_int. */
static Roof roof_of(const Report *report)
{
    const PsAnswer *answer = report->answer;
    const PsLaunchRoofline *bound = &answer->roofline;
    const double work = bound->params.W_comp, peak = bound->prediction.T_op;
    const gboolean is_int = bound->params.K_type == PS_K_INT;
    return (Roof){
        .intensity = bound->params.O_krn,
        .rate = rate_of(work, answer->seconds),
        .peak = is_int ? fmax(peak, bound->peaks.value[PS_T_ADD]) : peak,
        .adjusted = bound->prediction.T_adjusted,
        .bandwidth = bound->peaks.value[PS_B_MEM],
        .what_if = report->what_if ? rate_of(work, report->what_if->seconds) : NAN,
        .measured = rate_of(work, report->measured),
    };
}

/* Axes that hold the points, the ridge and the roof; and not much more of a slope. */
static void see(const Roof *roof, PsChart *chart)
{
    const double ridge = is_known(roof->bandwidth) && is_known(roof->peak)
                             ? roof->peak / roof->bandwidth
                             : roof->intensity;
    const double left = fmin(roof->intensity, ridge) / 4, right = fmax(roof->intensity, ridge) * 4;
    ps_chart_see(chart, left, roof->peak);
    ps_chart_see(chart, right, is_known(roof->peak) ? NAN : right * roof->bandwidth);
    if (is_known(roof->bandwidth))
        ps_chart_see(chart, NAN, fmax(left * roof->bandwidth, roof->peak / 1e5));
}

/* A level roof from where the bandwidth allows it. */
static void put_level(PsChart *chart, const Roof *roof, double level, const char *class_name)
{
    const PsLook look = {.colour = class_name, .width = 1};
    const double start = is_known(roof->bandwidth) ? level / roof->bandwidth : PS_CHART_NEAR;
    if (is_known(level))
        ps_chart_segment(chart, NULL, &look, (PsXY){start, level}, (PsXY){PS_CHART_FAR, level});
}

static void put_roofs(PsChart *chart, const Roof *roof)
{
    static const PsLook slope = {.colour = "roof", .width = 1};
    const double top = is_known(roof->peak) ? roof->peak / roof->bandwidth : PS_CHART_FAR;
    const PsXY low = {PS_CHART_NEAR, PS_CHART_NEAR * roof->bandwidth};
    g_autofree char *bytes = ps_format_scaled(roof->bandwidth),
                    *operations = ps_format_scaled(roof->peak);
    g_autofree char *bandwidth = g_strdup_printf("%sB/s", bytes);
    g_autofree char *peak = g_strdup_printf("%sop/s", operations);
    if (is_known(roof->bandwidth)) {
        const PsXY high = {top, top * roof->bandwidth};
        ps_chart_segment(chart, NULL, &slope, low, high);
        ps_chart_label_along(chart, bandwidth, "", low, high);
    }
    put_level(chart, roof, roof->peak, "roof");
    put_level(chart, roof, roof->adjusted, "dash");
    if (is_known(roof->peak))
        ps_chart_label_along(chart, peak, "", (PsXY){PS_CHART_FAR, roof->peak},
                             (PsXY){PS_CHART_NEAR, roof->peak});
}

static void put_point(PsChart *chart, const Roof *roof, double rate, const char *class_name)
{
    const PsLook look = {.colour = class_name, .marker = 1};
    if (!is_known(rate))
        return;
    ps_chart_see(chart, roof->intensity, rate);
    ps_chart_mark(chart, NULL, &look, (PsXY){roof->intensity, rate});
}

/* An entry of the legend: points may lie on each other, so that labels beside them would, too. */
static void put_key(GString *out, const char *class_name, const char *what, double rate)
{
    if (!is_known(rate))
        return;
    g_autofree char *text = ps_format_scaled(rate);
    g_string_append_printf(out, "<li><span class='key %s'></span>", class_name);
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
    static const PsAxis x = {"operations per byte of device memory", PS_SCALE_LOG10, NULL};
    static const PsAxis y = {"operations per second", PS_SCALE_LOG10, NULL};
    g_autoptr(PsChart) chart = ps_chart_new("Roofline", &x, &y);
    see(roof, chart);
    put_roofs(chart, roof);
    put_point(chart, roof, roof->measured, "dot");
    put_point(chart, roof, roof->what_if, "if");
    put_point(chart, roof, roof->rate, "now");
    g_string_append(out, "<figure>\n");
    ps_chart_svg(chart, "roofline", text, out);
    put_legend(page, roof, out);
    g_string_append(out, "</figure>\n");
}

void page_put_roofline(const Page *page, GString *out)
{
    const Roof roof = roof_of(page->report);
    g_autofree char *text = ps_sentence_ceiling(page->report->answer);
    g_autofree char *prediction = ps_sentence_prediction(page->report->answer);
    g_autofree char *check = ps_sentence_cross_check(page->report->answer);
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
