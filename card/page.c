/* SPDX-License-Identifier: BSD-3-Clause */
/* See page.h. */
#include "card/page.h"

#include "card/axis.h"
#include "card/told.h"
#include "draw/draw.h"
#include "tell/answer-page.h"
#include "tell/format.h"
#include "tell/html.h"
#include "tell/page/markup.h"
#include "tell/view.h"

#include <math.h>

static gboolean is_known(double x)
{
    return isfinite(x) && x > 0;
}

/* ---- the head ------------------------------------------------------------------------------- */

static void put_time(GString *out, const char *label, double seconds, const char *small)
{
    g_autofree char *time = ps_format_time(seconds);
    if (is_known(seconds))
        ps_markup_tile(out, label, time, small);
}

static void put_head(const PsCardPage *page, const GArray *rows, const PsCardRow *all, GString *out)
{
    g_autofree char *launches = ps_format_count(all->launches);
    g_autofree char *kernels = ps_format_noun(rows->len, "kernel");
    g_autofree char *small =
        g_strdup_printf("%s launch%s of %s", launches, all->launches == 1 ? "" : "es", kernels);
    PsCardCopies copies[PS_CARD_SET + 1];
    double copied = 0;
    ps_card_copies(page->read, copies);
    for (guint i = 0; i <= PS_CARD_SET; i++)
        copied += isnan(copies[i].seconds) ? 0 : copies[i].seconds;
    g_string_append(out, "<header>\n");
    ps_html_element(out, "h1", page->program);
    ps_markup_take(out, "p class='quiet'", g_strdup_printf("on %s", page->gpu->name));
    g_string_append(out, "<dl class='answer'>\n");
    put_time(out, "Kernels", all->total, small);
    put_time(out, "Copies", copied, NULL);
    put_time(out, "On the device", ps_card_end(page->read), "from the first to the last");
    g_string_append(out, "</dl>\n</header>\n");
}

/* ---- the roofline of all kernels ------------------------------------------------------------ */

typedef struct {
    double intensity, rate, peak;
} Point;

static Point point_of(const PsCardCloser *kernel)
{
    const PsLaunchRoofline *bound = &kernel->answer->roofline;
    return (Point){bound->params.O_krn, bound->params.W_comp / kernel->answer->seconds,
                   bound->prediction.T_op};
}

static void put_roof(PsChart *chart, double peak, double bandwidth)
{
    static const PsLook look = {.colour = "roof", .width = 1};
    const PsXY ridge = {peak / bandwidth, peak};
    g_autofree char *operations = ps_format_scaled(peak);
    g_autofree char *text = g_strdup_printf("%sop/s", operations);
    ps_chart_segment(chart, NULL, &look, ridge, (PsXY){PS_CHART_FAR, peak});
    ps_chart_segment(chart, NULL, &look, (PsXY){PS_CHART_NEAR, PS_CHART_NEAR * bandwidth}, ridge);
    ps_chart_label_along(chart, text, "", (PsXY){PS_CHART_FAR, peak}, ridge);
    ps_chart_see(chart, ridge.x * 4, peak);
}

static void put_kernel(PsChart *chart, const PsCardCloser *kernel, Point point)
{
    static const PsLook look = {.colour = "now", .marker = 1};
    g_autofree char *name = ps_card_kernel_name(kernel->kernel);
    const PsXY at = {point.intensity, point.rate};
    ps_chart_see(chart, at.x / 4, at.y / 2);
    ps_chart_see(chart, at.x * 4, at.y);
    ps_chart_mark(chart, NULL, &look, at);
    ps_chart_label(chart, name, "", at);
}

/* Draws roofs for the kernels' types, and a point for each kernel with an operational intensity. */
static void put_roofline(const PsCardPage *page, GString *out)
{
    static const PsAxis x = {"operations per byte of device memory", PS_SCALE_LOG10, NULL};
    static const PsAxis y = {"operations per second", PS_SCALE_LOG10, NULL};
    g_autoptr(PsChart) chart = ps_chart_new("Roofline", &x, &y);
    g_autoptr(GArray) peaks = g_array_new(FALSE, FALSE, sizeof(double));
    guint n = 0;
    for (guint i = 0; i < page->kernels->len; i++) {
        const PsCardCloser *kernel = page->kernels->pdata[i];
        const Point point = point_of(kernel);
        const double bandwidth = kernel->answer->roofline.peaks.value[PS_B_MEM];
        if (!is_known(point.intensity) || !is_known(point.rate) || !is_known(point.peak) ||
            !is_known(bandwidth))
            continue;
        guint k = 0;
        while (k < peaks->len && g_array_index(peaks, double, k) != point.peak)
            k++;
        if (k == peaks->len) {
            g_array_append_val(peaks, point.peak);
            put_roof(chart, point.peak, bandwidth);
        }
        put_kernel(chart, kernel, point);
        n++;
    }
    if (!n)
        return;
    g_string_append(out, "<section>\n<h2>Roofline</h2>\n<figure>\n");
    ps_chart_svg(chart, "roofline", "Kernels by operational intensity and rate", out);
    g_string_append(out, "</figure>\n</section>\n");
}

/* ---- tables, and each kernel ---------------------------------------------------------------- */

static void put_table(const PsCardPage *page, const char *title, PsViewId view, guint colours,
                      GString *out)
{
    g_autoptr(PsTable) table = ps_table_of_view(view, page->facts, NULL, TRUE);
    if (ps_table_n_rows(table) < 2)
        return;
    ps_html_element(out, "h2", title);
    ps_table_put_html(table, "figures", colours, out);
}

static void put_answer(const PsCardCloser *kernel, GString *out)
{
    const PsPaper paper = {.out = out, .form = PS_PAPER_HTML};
    g_autofree char *name = ps_card_kernel_name(kernel->kernel),
                    *share = ps_format_share(kernel->share);
    g_autofree char *title = g_strdup_printf("%s: %s of all launches' time", name, share);
    const PsAnswerPage page = {.answer = kernel->answer, .tables = TRUE, .alone = TRUE};
    ps_markup_fold(out, title);
    ps_answer_page(&page, &paper);
    ps_markup_unfold(out);
}

static void put_advice(const PsCardPage *page, GString *out)
{
    const PsPaper paper = {.out = out, .form = PS_PAPER_HTML};
    g_string_append(out, "<section class='advice'>\n<h2>What would help</h2>\n");
    ps_card_put_advice(page->kernels, &paper);
    g_string_append(out, "</section>\n");
}

static void put_notes(const PsCardPage *page, GString *out)
{
    const GPtrArray *notes = page->read->notes;
    if (!notes->len)
        return;
    g_string_append(out, "<section>\n<h2>Notes</h2>\n<ul class='warnings'>\n");
    for (guint i = 0; i < notes->len; i++)
        ps_html_element(out, "li", notes->pdata[i]);
    g_string_append(out, "</ul>\n</section>\n");
}

char *ps_card_page(const PsCardPage *page)
{
    PsCardRow all;
    g_autoptr(GArray) rows = ps_card_summary(page->read, &all);
    g_autofree char *title = g_strdup_printf("%s on %s", page->program, page->gpu->name);
    GString *out = g_string_new(NULL);
    ps_markup_open(out, title);
    put_head(page, rows, &all, out);
    g_string_append(out, "<main>\n");
    ps_card_put_axis(page->read, rows, out);
    put_table(page, "Kernels", PS_VIEW_PROGRAM_PAGE, PS_CARD_COLOURS, out);
    put_roofline(page, out);
    put_table(page, "Copies", PS_VIEW_PROGRAM_COPIES, 0, out);
    put_advice(page, out);
    for (guint i = 0; i < page->kernels->len; i++)
        put_answer(page->kernels->pdata[i], out);
    put_notes(page, out);
    g_string_append(out, "</main>\n");
    ps_markup_close(out, "The kernels were executed on a processor, and times follow from their "
                         "graphs and the description of the GPU; nothing was measured.");
    return g_string_free(out, FALSE);
}
