/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical path and where warps are: stacked bars, whose legends are the tables below them. */
#include "cli/page/page.h"

#include "cli/report/markup.h"
#include "pipesim-private.h"

#include <math.h>

/* Colours of a bar; what comes after them shares the last. */
#define COLOURS 8

/* Rows of a table; the others become one. */
#define MAX_ROWS 12

/* A part of a bar and a row of its table. */
typedef struct {
    char *name;
    double share;
    gint64 ticks;
} Part;

static void clear_part(void *data)
{
    g_free(((Part *)data)->name);
}

static GArray *parts_new(void)
{
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(Part));
    g_array_set_clear_func(parts, clear_part);
    return parts;
}

/* Takes the name. What is beyond MAX_ROWS of n joins the last part. */
static void add_part(GArray *parts, char *name, double share, gint64 ticks, guint n)
{
    if (parts->len < MAX_ROWS || n <= MAX_ROWS + 1) {
        const Part part = {name, share, ticks};
        g_array_append_val(parts, part);
        return;
    }
    g_free(name);
    if (parts->len == MAX_ROWS) {
        const Part rest = {g_strdup_printf("%u others", n - MAX_ROWS), 0, 0};
        g_array_append_val(parts, rest);
    }
    Part *rest = &g_array_index(parts, Part, MAX_ROWS);
    rest->share += share;
    rest->ticks += ticks;
}

/* What a screen reader says of a bar: its largest parts. */
static char *describe(const GArray *parts)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < MIN(parts->len, COLOURS); i++) {
        const Part *part = &g_array_index(parts, Part, i);
        g_autofree char *share = ps_format_share(part->share);
        g_string_append_printf(text, "%s%s %s", i ? ", " : "", part->name, share);
    }
    return g_string_free(text, FALSE);
}

static void put_bar(const char *title, const GArray *parts, GString *out)
{
    g_autofree char *text = describe(parts);
    g_string_append(out, "<div class='bar' role='img' aria-label='");
    markup_text(out, title);
    g_string_append(out, ": ");
    markup_text(out, text);
    g_string_append(out, "'>");
    for (guint i = 0; i < parts->len; i++) {
        const Part *part = &g_array_index(parts, Part, i);
        if (part->share <= 0)
            continue;
        g_autofree char *share = ps_format_share(part->share);
        g_string_append_printf(out, "<span class='c%u' style='width:%.3f%%' title='",
                               MIN(i, COLOURS - 1), 100 * part->share);
        markup_text(out, part->name);
        g_string_append_printf(out, ", %s'></span>", share);
    }
    g_string_append(out, "</div>\n");
}

static void put_name(const Part *part, guint i, GString *out)
{
    g_string_append_printf(out, "<tr><th scope='row'><span class='key c%u'></span>",
                           MIN(i, COLOURS - 1));
    markup_text(out, part->name);
    g_string_append(out, "</th>");
    markup_take(out, "td class='n'", ps_format_share(part->share));
}

/* ---- the critical path --------------------------------------------------------------------- */

static double seconds_of(const PsAnswer *answer, gint64 ticks)
{
    return ps_rational_to_double(ps_machine_cycles(answer->machine, ticks)) /
           (ps_rational_to_double(answer->clock) * 1e6);
}

static void put_amounts(const PsAnswer *answer, gint64 ticks, GString *out)
{
    markup_take(out, "td class='n'",
                ticks ? ps_format_time(seconds_of(answer, ticks)) : g_strdup("0"));
    markup_take(out, "td class='n'",
                ps_format_rounded_cycles(ps_machine_cycles(answer->machine, ticks)));
    g_string_append(out, "</tr>\n");
}

static void put_cycles(const char *name, double seconds, PsRational cycles, GString *out)
{
    g_string_append(out, "<tr class='all'>");
    markup_element(out, "th scope='row'", name);
    markup_take(out, "td class='n'", g_strdup(""));
    markup_take(out, "td class='n'", ps_format_time(seconds));
    markup_take(out, "td class='n'", ps_format_rounded_cycles(cycles));
    g_string_append(out, "</tr>\n");
}

/* What the time has besides: it is not the path's, which is of the execution. */
static void put_launch(const PsAnswer *answer, GString *out)
{
    PsRational launch, whole;
    if (!ps_explain_launch(answer, &launch, &whole))
        return;
    put_cycles("the kernel's launch", answer->launch_seconds, launch, out);
    put_cycles("with the launch", answer->simulated, whole, out);
}

static void put_shares(const PsAnswer *answer, const char *title, const GPtrArray *shares,
                       ShareWords words, GString *out)
{
    g_autoptr(GArray) parts = parts_new();
    for (guint i = 0; i < shares->len; i++) {
        const PsExplainShare *share = shares->pdata[i];
        add_part(parts, words(answer, share), share->share, share->ticks, shares->len);
    }
    markup_element(out, "h3", title);
    put_bar(title, parts, out);
    g_string_append(out, "<div class='scroll'><table class='parts path'>\n");
    markup_head(out, "|share|time|cycles");
    g_string_append(out, "<tbody>\n");
    for (guint i = 0; i < parts->len; i++) {
        const Part *part = &g_array_index(parts, Part, i);
        put_name(part, i, out);
        put_amounts(answer, part->ticks, out);
    }
    g_string_append(out, "<tr class='all'><th scope='row'>in all</th>");
    markup_take(out, "td class='n'", ps_format_share(1));
    put_amounts(answer, answer->result.ticks, out);
    if (shares == answer->explain->by_class)
        put_launch(answer, out);
    g_string_append(out, "</tbody></table></div>\n");
}

/* Whether a node on the path has a source line at all. */
static gboolean has_lines(const GPtrArray *lines)
{
    return lines->len > 1 || (lines->len && ((const PsExplainShare *)lines->pdata[0])->line);
}

void page_put_path(const Page *page, GString *out)
{
    const PsAnswer *answer = page->report->answer;
    const PsExplain *explain = answer->explain;
    if (!answer->result.ticks)
        return;
    markup_fold(out, "What the time went to: the critical path");
    if (!explain->path) {
        markup_element(out, "p", explain->problem);
    } else {
        g_string_append(out, "<p class='quiet'>From the last completion back to the start, each "
                             "stretch of time is charged to what it was spent on.</p>\n");
        put_shares(answer, "By class", explain->by_class, ps_class_share_words, out);
        put_shares(answer, "By pipeline", explain->by_pipeline, ps_pipeline_share_words, out);
        if (has_lines(explain->by_line))
            put_shares(answer, "By source line", explain->by_line, ps_line_share_words, out);
    }
    markup_unfold(out);
}

/* ---- warps --------------------------------------------------------------------------------- */

/* Resident warps over time as steps, without a script to hover over them. */
static void put_steps(const PsAnswer *answer, GString *out)
{
    const PsExplain *explain = answer->explain;
    const PsLaunch *launch = &answer->machine->launch;
    const double seconds = ps_answer_execution(answer);
    static const PsAxis time = {"time", PS_SCALE_LINEAR, "s"};
    static const PsAxis warps = {"warps", PS_SCALE_LINEAR, NULL};
    static const PsLook area = {.colour = "area", .width = 1};
    const double share = (double)explain->tail / (double)answer->result.ticks;
    g_autofree char *tail = ps_format_share(share);
    g_autofree char *groups = ps_format_noun(launch->active_groups, "group");
    g_autofree char *text =
        share >= 0.0005
            ? g_strdup_printf("Fewer than %s are there in the last %s of the time", groups, tail)
            : g_strdup("All places are taken to the end");
    const guint n = explain->n_occupancy;
    g_autofree PsXY *steps = g_new0(PsXY, 2 * n + 2);
    for (guint i = 0; i < n; i++) {
        steps[2 * i + 1] = (PsXY){seconds * i / n, explain->occupancy[i]};
        steps[2 * i + 2] = (PsXY){seconds * (i + 1) / n, explain->occupancy[i]};
    }
    steps[2 * n + 1].x = seconds;
    g_autoptr(PsChart) chart =
        ps_chart_new("Warps on the first compute unit over time", &time, &warps);
    ps_chart_see(chart, NAN, (double)(launch->active_groups * launch->warps_per_group));
    ps_chart_series(chart, NULL, &area, steps, 2 * n + 2);
    g_string_append(out, "<figure>\n");
    ps_chart_svg(chart, "warps", text, out);
    markup_element(out, "figcaption", text);
    g_string_append(out, "</figure>\n");
}

void page_put_occupancy(const Page *page, GString *out)
{
    const PsAnswer *answer = page->report->answer;
    if (!answer->result.ticks || !answer->explain->n_occupancy)
        return;
    g_string_append(out, "<section>\n<h2>Warps over time</h2>\n");
    put_steps(answer, out);
    g_string_append(out, "</section>\n");
}

/* The largest parts of a bar, in a line below it. */
static void put_keys(const GArray *parts, GString *out)
{
    enum { MOST = 5 };
    g_string_append(out, "<ul class='keys'>\n");
    for (guint i = 0; i < MIN(parts->len, MOST); i++) {
        const Part *part = &g_array_index(parts, Part, i);
        g_autofree char *share = ps_format_share(part->share);
        if (part->share < 0.01)
            break;
        g_string_append_printf(out, "<li><span class='key c%u'></span>", i);
        markup_take(out, "span", g_strdup_printf("%s: %s", part->name, share));
        g_string_append(out, "</li>\n");
    }
    g_string_append(out, "</ul>\n");
}

void page_put_waits(const Page *page, GString *out)
{
    const PsAnswer *answer = page->report->answer;
    const PsExplain *explain = answer->explain;
    g_autoptr(GArray) parts = parts_new();
    if (!answer->result.ticks || !explain->waits->len)
        return;
    for (guint i = 0; i < explain->waits->len; i++) {
        const PsWaitRow *row = explain->waits->pdata[i];
        add_part(parts, ps_wait_words(answer, row), ps_explain_wait_share(explain, row), 0,
                 explain->waits->len);
    }
    g_string_append(out, "<section>\n<h2>Where warps are</h2>\n<p class='quiet'>Shares of the time "
                         "of all places for warps.</p>\n");
    put_bar("Where warps are", parts, out);
    put_keys(parts, out);
    g_string_append(out, "<details>\n<summary>All of them</summary>\n"
                         "<div class='scroll'><table class='parts'>\n");
    markup_head(out, "|share");
    g_string_append(out, "<tbody>\n");
    for (guint i = 0; i < parts->len; i++) {
        put_name(&g_array_index(parts, Part, i), i, out);
        g_string_append(out, "</tr>\n");
    }
    g_string_append(out, "</tbody></table></div>\n</details>\n</section>\n");
}
