/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The roofline as a chart: limits by the bandwidth of each level of memory and by operations, the
 * limit that the kernel's mix of instructions leaves (equation 18), and the run as a point at each
 * level whose bytes it moves. Without peaks or intensity a sentence replaces the chart.
 */
#include "tell/page/page.h"

#include "answer/figures.h"
#include "answer/launch-roofline.h"
#include "draw/draw.h"
#include "idg/words.h"
#include "roofline/terms.h"
#include "tell/format.h"
#include "tell/html.h"
#include "tell/page/markup.h"
#include "tell/roofline.h"

#include <math.h>

/* A level of memory, or local memory: the bytes that the run moves there, and its bandwidth. */
typedef struct {
    const char *name;
    double intensity, bandwidth;
} RoofLevel;

#define MAX_LEVELS (PS_N_LEVELS + 1)

/* In operations, bytes and seconds; NaN: unknown. */
typedef struct {
    double intensity, rate, peak, adjusted, bandwidth;
    double what_if; /* rate of the what-if */
    double measured;
    RoofLevel levels[MAX_LEVELS]; /* nearest to the cores first, device memory last */
    guint n_levels;
} Roof;

static gboolean is_known(double x)
{
    return isfinite(x) && x > 0;
}

static double rate_of(double operations, double seconds)
{
    return seconds > 0 ? operations / seconds : NAN;
}

static void add_level(Roof *roof, const char *name, double operations, double bytes,
                      double bandwidth)
{
    if (is_known(bytes) && is_known(bandwidth) && is_known(operations))
        roof->levels[roof->n_levels++] = (RoofLevel){name, operations / bytes, bandwidth};
}

/* Adds the run's bytes at caches; those of device memory and local memory are known without a
 * run. */
static void add_levels(const PsAnswer *answer, Roof *roof)
{
    static const struct {
        PsLevel level;
        PsPeakKind peak;
        const char *name;
    } caches[] = {{PS_LEVEL_L1, PS_B_L1, "L1"},
                  {PS_LEVEL_L2, PS_B_L2, "L2"},
                  {PS_LEVEL_L3, PS_B_L3, "L3"},
                  {PS_LEVEL_L4, PS_B_L4, "L4"}};
    const PsLaunchRoofline *bound = &answer->roofline;
    const double work = bound->params.W_comp, *peak = bound->peaks.value;
    add_level(roof, ps_idg_local_memory(answer->idg), work, bound->metrics.value[PS_M_LOCAL],
              peak[PS_B_LOCAL]);
    for (guint i = 0; i < G_N_ELEMENTS(caches); i++)
        for (guint k = 0; k < answer->servers->len; k++) {
            const PsServerRow *row = answer->servers->pdata[k];
            if (row->level == caches[i].level)
                add_level(roof, caches[i].name, work, ps_server_bytes(answer, row),
                          peak[caches[i].peak]);
        }
    add_level(roof, "device memory", work, bound->params.W_traf, peak[PS_B_MEM]);
}

/* Integer operations may all be additions, so that a run could exceed T_int. */
static Roof roof_of(const PsReport *report)
{
    const PsAnswer *answer = report->answer;
    const PsLaunchRoofline *bound = &answer->roofline;
    const double work = bound->params.W_comp, peak = bound->prediction.T_op;
    const gboolean is_int = bound->params.K_type == PS_K_INT;
    Roof roof = {
        .intensity = bound->params.O_krn,
        .rate = rate_of(work, answer->seconds),
        .peak = is_int ? fmax(peak, bound->peaks.value[PS_T_ADD]) : peak,
        .adjusted = bound->prediction.T_adjusted,
        .bandwidth = bound->peaks.value[PS_B_MEM],
        .what_if = report->what_if ? rate_of(work, report->what_if->seconds) : NAN,
        .measured = rate_of(work, report->measured),
    };
    add_levels(answer, &roof);
    return roof;
}

/* Chooses axes that show the points, the ridge and the roof, and little more of a slope. */
static void see(const Roof *roof, PsChart *chart)
{
    const double ridge = is_known(roof->bandwidth) && is_known(roof->peak)
                             ? roof->peak / roof->bandwidth
                             : roof->intensity;
    double low = fmin(roof->intensity, ridge);
    for (guint i = 0; i < roof->n_levels; i++)
        low = fmin(low, roof->levels[i].intensity);
    const double left = low / 4, right = fmax(roof->intensity, ridge) * 4;
    ps_chart_see(chart, left, roof->peak);
    ps_chart_see(chart, right, is_known(roof->peak) ? NAN : right * roof->bandwidth);
    if (is_known(roof->bandwidth))
        ps_chart_see(chart, NAN, fmax(left * roof->bandwidth, roof->peak / 1e5));
}

/* Puts a level roof, from where the bandwidth allows it. */
static void put_level(PsChart *chart, const Roof *roof, double level, const char *class_name)
{
    const PsLook look = {.colour = class_name, .width = 1};
    const double start = is_known(roof->bandwidth) ? level / roof->bandwidth : PS_CHART_NEAR;
    if (is_known(level))
        ps_chart_segment(chart, NULL, &look, (PsXY){start, level}, (PsXY){PS_CHART_FAR, level});
}

/* Puts the limit of one level of memory, up to the roof of operations. */
static void put_slope(PsChart *chart, const Roof *roof, const char *name, double bandwidth,
                      const char *class_name)
{
    const PsLook look = {.colour = class_name, .width = 1};
    const double top = is_known(roof->peak) ? roof->peak / bandwidth : PS_CHART_FAR;
    const PsXY low = {PS_CHART_NEAR, PS_CHART_NEAR * bandwidth}, high = {top, top * bandwidth};
    g_autofree char *bytes = ps_format_scaled(bandwidth);
    g_autofree char *text = g_strdup_printf("%s %sB/s", name, bytes);
    ps_chart_segment(chart, NULL, &look, low, high);
    ps_chart_label_along(chart, text, "", low, high);
}

static void put_roofs(PsChart *chart, const Roof *roof)
{
    g_autofree char *operations = ps_format_scaled(roof->peak);
    g_autofree char *peak = g_strdup_printf("%sop/s", operations);
    for (guint i = 0; i < roof->n_levels; i++)
        put_slope(chart, roof, roof->levels[i].name, roof->levels[i].bandwidth,
                  i + 1 == roof->n_levels ? "roof" : "slope");
    if (!roof->n_levels && is_known(roof->bandwidth))
        put_slope(chart, roof, "device memory", roof->bandwidth, "roof");
    put_level(chart, roof, roof->peak, "roof");
    put_level(chart, roof, roof->adjusted, "dash");
    if (is_known(roof->peak))
        ps_chart_label_along(chart, peak, "", (PsXY){PS_CHART_FAR, roof->peak},
                             (PsXY){PS_CHART_NEAR, roof->peak});
}

/* The names of levels with the same intensity from i on, "L1, L2"; i becomes the next one. */
static char *names_at(const Roof *roof, guint *i)
{
    GString *names = g_string_new(NULL);
    const double intensity = roof->levels[*i].intensity;
    for (; *i < roof->n_levels && fabs(roof->levels[*i].intensity / intensity - 1) < 0.05; (*i)++)
        g_string_append_printf(names, "%s%s", names->len ? ", " : "", roof->levels[*i].name);
    return g_string_free(names, FALSE);
}

/* Puts the run at each level: the same rate, over the bytes moved there. A single point needs no
 * name. */
static void put_points(PsChart *chart, const Roof *roof)
{
    static const PsLook look = {.colour = "now", .marker = 1};
    for (guint i = 0; i < roof->n_levels;) {
        const PsXY at = {roof->levels[i].intensity, roof->rate};
        g_autofree char *names = names_at(roof, &i);
        ps_chart_see(chart, at.x, at.y);
        ps_chart_mark(chart, NULL, &look, at);
        if (roof->n_levels > 1)
            ps_chart_label(chart, names, "", at);
    }
}

static void put_point(PsChart *chart, const Roof *roof, double rate, const char *class_name)
{
    const PsLook look = {.colour = class_name, .marker = 1};
    if (!is_known(rate))
        return;
    ps_chart_see(chart, roof->intensity, rate);
    ps_chart_mark(chart, NULL, &look, (PsXY){roof->intensity, rate});
}

/* Puts an entry of the legend: points may coincide, and so would labels beside them. */
static void put_key(GString *out, const char *class_name, const char *what, double rate)
{
    if (!is_known(rate))
        return;
    g_autofree char *text = ps_format_scaled(rate);
    g_string_append_printf(out, "<li><span class='key %s'></span>", class_name);
    ps_markup_take(out, "span", g_strdup_printf("%s: %sop/s", what, text));
    g_string_append(out, "</li>\n");
}

static void put_legend(const PsPage *page, const Roof *roof, GString *out)
{
    g_string_append(out, "<figcaption><ul class='keys'>\n");
    put_key(out, "k-now", page->report->what_if ? "as it is" : "this run", roof->rate);
    put_key(out, "k-if", "what if", roof->what_if);
    put_key(out, "k-dot", "measured", roof->measured);
    put_key(out, "k-dash", "estimate for the mix of instructions (equation 18)", roof->adjusted);
    g_string_append(out, "</ul></figcaption>\n");
}

static void put_chart(const PsPage *page, const Roof *roof, const char *text, GString *out)
{
    static const PsAxis x = {"operations per byte at that level of memory", PS_SCALE_LOG10, NULL};
    static const PsAxis y = {"operations per second", PS_SCALE_LOG10, NULL};
    g_autoptr(PsChart) chart = ps_chart_new("Roofline", &x, &y);
    see(roof, chart);
    put_roofs(chart, roof);
    put_point(chart, roof, roof->measured, "dot");
    put_point(chart, roof, roof->what_if, "if");
    if (roof->n_levels)
        put_points(chart, roof);
    else
        put_point(chart, roof, roof->rate, "now");
    g_string_append(out, "<figure>\n");
    ps_chart_svg(chart, "roofline", text, out);
    put_legend(page, roof, out);
    g_string_append(out, "</figure>\n");
}

void ps_page_put_roofline(const PsPage *page, GString *out)
{
    const Roof roof = roof_of(page->report);
    g_autofree char *text = ps_sentence_ceiling(page->report->answer);
    g_string_append(out, "<section>\n<h2>Roofline</h2>\n");
    if (is_known(roof.intensity) && is_known(roof.rate) &&
        (is_known(roof.peak) || is_known(roof.bandwidth)))
        put_chart(page, &roof, text, out);
    else
        ps_html_element(out, "p", text);
    g_string_append(out, "</section>\n");
}
