/* SPDX-License-Identifier: BSD-3-Clause */
/* The effect of occupancy: the time over the number of active groups, up to the number that
 * fits. */
#include "tell/page/page.h"

#include "draw/draw.h"
#include "tell/format.h"
#include "tell/html.h"
#include "tell/page/markup.h"

#include <math.h>

static const PsPagePoint *point_at(const PsPage *page, guint i)
{
    return &g_array_index(page->sweep, PsPagePoint, i);
}

/* The fastest point; of equal ones, the one with fewest groups. The run itself is always known. */
static const PsPagePoint *find_best(const PsPage *page)
{
    const PsPagePoint *best = NULL;
    for (guint i = 0; i < page->sweep->len; i++) {
        const PsPagePoint *point = point_at(page, i);
        if (isfinite(point->seconds) && (!best || point->seconds < best->seconds))
            best = point;
    }
    return best;
}

static char *describe(const PsPage *page)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < page->sweep->len; i++) {
        const PsPagePoint *point = point_at(page, i);
        g_autofree char *groups = ps_format_noun(point->active, "group");
        g_autofree char *time =
            isfinite(point->seconds) ? ps_format_time(point->seconds) : g_strdup("not known");
        g_string_append_printf(text, "%s%s: %s", i ? ", " : "", groups, time);
    }
    return g_string_free(text, FALSE);
}

static char *describe_best(const PsPage *page)
{
    const PsPagePoint *best = find_best(page);
    const double now = page->report->answer->seconds;
    g_autofree char *groups =
        ps_format_noun(page->report->answer->machine->launch.active_groups, "group");
    g_autofree char *time = ps_format_time(now);
    if (best->seconds >= now)
        return g_strdup_printf("No other number is faster than %s at once: %s.", groups, time);
    const PsPagePoint *most = point_at(page, page->sweep->len - 1);
    g_autofree char *others = ps_format_noun(best->active, "group");
    g_autofree char *less = ps_format_time(best->seconds);
    g_autofree char *full = isfinite(most->seconds) ? ps_format_time(most->seconds) : NULL;
    /* Advice refers to this number. */
    g_autofree char *fitting =
        full && most->active != best->active
            ? g_strdup_printf(", the %" G_GINT64_FORMAT " that fit %s", most->active, full)
            : g_strdup("");
    return g_strdup_printf("%s at once would be fastest and take %s%s; %s take %s.", others, less,
                           fitting, groups, time);
}

static void put_chart(const PsPage *page, GString *out)
{
    static const PsAxis across = {"groups on a compute unit at once", PS_SCALE_LINEAR, NULL};
    static const PsAxis up = {"time", PS_SCALE_LINEAR, "s"};
    static const PsLook dots = {.colour = "dot", .marker = 1}, now = {.colour = "now", .marker = 1};
    static const PsLook curve = {.colour = "curve", .width = 1};
    const PsAnswer *answer = page->report->answer;
    const PsXY run = {(double)answer->machine->launch.active_groups, answer->seconds};
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(PsXY));
    g_autofree char *text = describe(page);
    for (guint i = 0; i < page->sweep->len; i++) {
        const PsXY at = {(double)point_at(page, i)->active, point_at(page, i)->seconds};
        if (isfinite(at.y))
            g_array_append_val(points, at);
    }
    const PsXY *all = (const PsXY *)(const void *)points->data;
    g_autoptr(PsChart) chart = ps_chart_new("Time over occupancy", &across, &up);
    ps_chart_series(chart, NULL, &curve, all, points->len);
    ps_chart_line(chart, NULL, &dots, all, points->len);
    ps_chart_mark(chart, NULL, &now, run);
    ps_chart_label(chart, "this run", "m", run);
    ps_chart_svg(chart, "sweep", text, out);
}

void ps_page_put_sweep(const PsPage *page, GString *out)
{
    if (page->sweep->len < 2)
        return;
    g_autofree char *best = describe_best(page);
    g_string_append(out, "<section>\n<h2>Occupancy</h2>\n<figure>\n");
    put_chart(page, out);
    ps_html_element(out, "figcaption", best);
    g_string_append(out, "</figure>\n</section>\n");
}
