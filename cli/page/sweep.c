/* SPDX-License-Identifier: BSD-3-Clause */
/* What occupancy does: the time over the number of active groups, up to what fits. */
#include "cli/page/page.h"

#include "cli/report/drawing.h"
#include "cli/report/format.h"
#include "cli/report/markup.h"

#include <math.h>

static const PagePoint *point_at(const Page *page, guint i)
{
    return &g_array_index(page->sweep, PagePoint, i);
}

/* The fastest point, of several the one with fewest groups. The run itself is always known. */
static const PagePoint *find_best(const Page *page)
{
    const PagePoint *best = NULL;
    for (guint i = 0; i < page->sweep->len; i++) {
        const PagePoint *point = point_at(page, i);
        if (isfinite(point->seconds) && (!best || point->seconds < best->seconds))
            best = point;
    }
    return best;
}

static char *describe(const Page *page)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < page->sweep->len; i++) {
        const PagePoint *point = point_at(page, i);
        g_autofree char *groups = format_noun(point->active, "group");
        g_autofree char *time =
            isfinite(point->seconds) ? format_time(point->seconds) : g_strdup("not known");
        g_string_append_printf(text, "%s%s: %s", i ? ", " : "", groups, time);
    }
    return g_string_free(text, FALSE);
}

static char *describe_best(const Page *page)
{
    const PagePoint *best = find_best(page);
    const double now = page->report->answer->seconds;
    g_autofree char *groups =
        format_noun(page->report->answer->machine->launch.active_groups, "group");
    g_autofree char *time = format_time(now);
    if (best->seconds >= now)
        return g_strdup_printf("No other number is faster than %s at once: %s.", groups, time);
    const PagePoint *most = point_at(page, page->sweep->len - 1);
    g_autofree char *others = format_noun(best->active, "group");
    g_autofree char *less = format_time(best->seconds);
    g_autofree char *full = isfinite(most->seconds) ? format_time(most->seconds) : NULL;
    /* That is the number that advice speaks of. */
    g_autofree char *fitting =
        full && most->active != best->active
            ? g_strdup_printf(", the %" G_GINT64_FORMAT " that fit %s", most->active, full)
            : g_strdup("");
    return g_strdup_printf("%s at once would be fastest and take %s%s; %s take %s.", others, less,
                           fitting, groups, time);
}

static void put_chart(const Page *page, GString *out)
{
    static const struct {
        double size;
        const char *label;
    } units[] = {{1, "time (s)"}, {1e-3, "time (ms)"}, {1e-6, "time (us)"}, {1e-9, "time (ns)"}};
    const guint n = page->sweep->len;
    g_autofree double *x = g_new(double, n), *y = g_new(double, n);
    g_autofree char *text = describe(page);
    double most = 0;
    guint unit = 0, known = 0;
    for (guint i = 0; i < n; i++)
        most = fmax(most, point_at(page, i)->seconds);
    while (unit + 1 < G_N_ELEMENTS(units) && most < units[unit].size)
        unit++;
    for (guint i = 0; i < n; i++)
        if (isfinite(point_at(page, i)->seconds)) {
            x[known] = (double)point_at(page, i)->active;
            y[known++] = point_at(page, i)->seconds / units[unit].size;
        }
    Drawing drawing = {
        .out = out,
        .x = {0, (double)point_at(page, n - 1)->active, FALSE, "groups on a compute unit at once"},
        .y = {0, most / units[unit].size, FALSE, units[unit].label},
        .name = "sweep",
        .title = "Time over occupancy",
        .text = text};
    axis_round(&drawing.x);
    axis_round(&drawing.y);
    drawing_begin(&drawing);
    drawing_line(&drawing, "curve", x, y, known);
    for (guint i = 0; i < known; i++)
        drawing_point(&drawing, "dot", x[i], y[i]);
    const double now[] = {(double)page->report->answer->machine->launch.active_groups,
                          page->report->answer->seconds / units[unit].size};
    drawing_point(&drawing, "now", now[0], now[1]);
    drawing_label(&drawing, now[0], now[1], LABEL_ABOVE, "this run");
    drawing_end(&drawing);
}

void page_put_sweep(const Page *page, GString *out)
{
    if (page->sweep->len < 2)
        return;
    g_autofree char *best = describe_best(page);
    g_string_append(out, "<section>\n<h2>Occupancy</h2>\n<figure>\n");
    put_chart(page, out);
    markup_element(out, "figcaption", best);
    g_string_append(out, "</figure>\n</section>\n");
}
