/* SPDX-License-Identifier: BSD-3-Clause */
/* See page.h: the answer, its pictures, and folded below the reasons and figures. */
#include "tell/page/page.h"

#include "answer/advised.h"
#include "answer/figures.h"
#include "answer/launch-roofline.h"
#include "answer/sensitivity.h"
#include "tell/describe.h"
#include "tell/format.h"
#include "tell/html.h"
#include "tell/page/markup.h"
#include "tell/table.h"
#include "tell/words.h"

#include <math.h>

/* ---- the answer ---------------------------------------------------------------------------- */

static void put_time_tile(const PsAnswer *answer, const char *label, GString *out)
{
    g_autofree char *time = ps_format_time(answer->seconds);
    g_autofree char *simulated = ps_format_time(answer->simulated);
    g_autofree char *cycles = ps_format_number(ps_rational_to_double(answer->result.cycles));
    g_autofree char *small = answer->clamped ? g_strdup_printf("clamped; %s simulated", simulated)
                                             : g_strdup_printf("%s cycles", cycles);
    ps_markup_tile(out, label, time, small);
}

static void put_headroom_tile(const PsAnswer *answer, GString *out)
{
    const double headroom = ps_answer_headroom(answer);
    if (!isfinite(headroom))
        return;
    g_autofree char *number = ps_format_number(headroom);
    g_autofree char *ceiling =
        ps_format_time(ps_launch_roofline_seconds(&answer->roofline, PS_CLAMP_CEILING));
    g_autofree char *value = g_strdup_printf("%s x", number);
    g_autofree char *small = g_strdup_printf("the ceiling's time, %s", ceiling);
    ps_markup_tile(out, "Headroom", value, small);
}

static void put_tiles(const PsReport *report, GString *out)
{
    const PsAnswer *answer = report->answer;
    const double gflops = ps_answer_gflops(answer, answer->seconds);
    g_autofree char *rate = ps_format_number(gflops);
    g_autofree char *share = ps_sentence_resident(answer, answer->machine->launch.occupancy);
    g_autofree char *groups = ps_format_noun(answer->machine->launch.active_groups, "group");
    g_autofree char *at_once = g_strdup_printf("%s at once", groups);
    g_string_append(out, "<dl class='answer'>\n");
    put_time_tile(answer, report->what_if ? "Time as it is" : "Time", out);
    if (report->what_if)
        put_time_tile(report->what_if, "Time, what if", out);
    if (gflops > 0)
        ps_markup_tile(out, "Performance", rate, "GFLOP/s");
    if (answer->gpu->limits.warps)
        ps_markup_tile(out, "Occupancy", share, at_once);
    put_headroom_tile(answer, out);
    g_string_append(out, "</dl>\n");
}

static void put_advice(const PsAnswer *answer, GString *out)
{
    if (!answer->advice)
        return;
    g_string_append(out, "<section>\n<h2>What would help</h2>\n<ol class='advice'>\n");
    for (guint i = 0; i < answer->advice->len; i++)
        ps_markup_take(out, "li", ps_placed_advice_sentence(answer, answer->advice->pdata[i]));
    g_string_append(out, "</ol>\n</section>\n");
}

/* ---- facts --------------------------------------------------------------------------------- */

static void put_fact(GString *out, const char *label, char *text)
{
    if (text && *text) {
        g_string_append(out, "<tr>");
        ps_html_element(out, "th scope='row'", label);
        ps_html_element(out, "td", text);
        g_string_append(out, "</tr>\n");
    }
    g_free(text);
}

static char *describe_parameters(const PsAnswer *answer)
{
    GString *out = g_string_new(NULL);
    g_autoptr(GPtrArray) names = ps_scope_names(answer->kernel->scope);
    for (guint i = 0; i < names->len; i++) {
        PsRational value;
        ps_scope_get(answer->kernel->scope, names->pdata[i], &value);
        g_autofree char *text = ps_rational_format(value);
        g_string_append_printf(out, "%s%s = %s", i ? ", " : "", (const char *)names->pdata[i],
                               text);
    }
    return g_string_free(out, FALSE);
}

/* Puts the sentences of a view, with those of the what-if that differ. */
static void put_sentences(const PsPage *page, PsViewId view, GString *out)
{
    g_autoptr(GPtrArray) lines = ps_view_sentences(view, page->facts, page->what_if);
    for (guint i = 0; i + 1 < lines->len; i += 2)
        put_fact(out, lines->pdata[i], g_strdup(lines->pdata[i + 1]));
}

static void put_run(const PsPage *page, GString *out)
{
    ps_markup_fold(out, "The run");
    g_string_append(out, "<table class='facts'><tbody>\n");
    put_fact(out, "What if", g_strdup(page->report->what_if_text));
    put_sentences(page, PS_VIEW_PAGE_THEN, out);
    put_fact(out, "Parameters", describe_parameters(page->report->answer));
    g_string_append(out, "</tbody></table>\n");
    ps_markup_unfold(out);
}

/* ---- pipelines and classes ----------------------------------------------------------------- */

/* Puts a view's table below its title, and a sentence on rows that are left out; nothing without
 * rows. */
static void put_view(const PsPage *page, PsViewId view, GString *out)
{
    g_autoptr(PsTable) table = ps_table_of_view(view, page->facts, page->what_if, TRUE);
    if (!ps_table_has_rows(table))
        return;
    if (ps_view_title(view))
        ps_html_element(out, "h3", ps_view_title(view));
    ps_table_put_html(table, "figures", 0, out);
    if (ps_table_more(table))
        ps_html_element(out, "p class='quiet'", ps_table_more(table));
}

static void put_loads(const PsPage *page, GString *out)
{
    const PsAnswer *answer = page->report->answer;
    if (!answer->pipelines->len)
        return;
    g_autofree char *where = ps_sentence_cus(answer);
    ps_markup_fold(out, "Pipelines and classes");
    ps_markup_take(
        out, "p class='quiet'",
        g_strdup_printf("On %s; wait: mean cycles that a ready instruction queues.", where));
    put_view(page, PS_VIEW_PIPELINES_PAGE, out);
    if (ps_busiest_server(answer))
        put_view(page, PS_VIEW_LEVELS_PAGE, out);
    put_view(page, PS_VIEW_CLASSES_PAGE, out);
    put_view(page, PS_VIEW_LINES_PAGE, out);
    ps_markup_unfold(out);
}

/* A list of sentences, if there are any. Frees them. */
static void put_notes(GPtrArray *notes, GString *out)
{
    if (notes->len)
        g_string_append(out, "<ul>\n");
    for (guint i = 0; i < notes->len; i++)
        ps_html_element(out, "li", notes->pdata[i]);
    if (notes->len)
        g_string_append(out, "</ul>\n");
    g_ptr_array_unref(notes);
}

static void put_sensitivity(const PsPage *page, GString *out)
{
    const PsSensitivities *all = page->report->answer->sensitivities;
    if (!all || !all->rows->len)
        return;
    ps_markup_fold(out, "Sensitivity");
    g_string_append(out, "<p class='quiet'>Each is simulated. Elasticity: by how many per cent the "
                         "time grows where the input does by one.</p>\n");
    put_view(page, PS_VIEW_SENSITIVITY_PAGE, out);
    put_notes(ps_sentences_chance(page->report->answer), out);
    put_view(page, PS_VIEW_RELIEFS_PAGE, out);
    put_notes(ps_sentences_untried(page->report->answer), out);
    ps_markup_unfold(out);
}

static void put_warnings(const PsAnswer *answer, GString *out)
{
    const GPtrArray *of_code = answer->idg->warnings;
    const guint n = of_code ? of_code->len : 0;
    if (n + answer->warnings->len == 0)
        return;
    g_string_append(out, "<section>\n<h2>Warnings</h2>\n<ul class='warnings'>\n");
    for (guint i = 0; i < n; i++)
        ps_html_element(out, "li", of_code->pdata[i]);
    for (guint i = 0; i < answer->warnings->len; i++)
        ps_html_element(out, "li", answer->warnings->pdata[i]);
    g_string_append(out, "</ul>\n</section>\n");
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void put_header(const PsPage *page, GString *out)
{
    const PsAnswer *answer = page->report->answer;
    g_autofree char *chip = ps_sentence_chip(answer);
    g_string_append(out, "<header>\n");
    ps_html_element(out, "h1", answer->idg->name);
    if (answer->idg->title)
        ps_html_element(out, "p", answer->idg->title);
    ps_markup_take(out, "p class='quiet'", g_strdup_printf("on %s, %s", answer->gpu->name, chip));
    put_tiles(page->report, out);
    g_string_append(out, "<table class='facts'><tbody>\n");
    put_sentences(page, PS_VIEW_PAGE_FIRST, out);
    g_string_append(out, "</tbody></table>\n</header>\n");
}

char *ps_page_format(const PsPage *page)
{
    const PsAnswer *answer = page->report->answer;
    g_autofree char *title = g_strconcat(answer->idg->name, " on ", answer->gpu->name, NULL);
    GString *out = g_string_new(NULL);
    ps_markup_open(out, title);
    put_header(page, out);
    g_string_append(out, "<main>\n");
    g_string_append(out, "<div class='pictures'>\n");
    ps_page_put_roofline(page, out);
    ps_page_put_occupancy(page, out);
    g_string_append(out, "</div>\n");
    ps_page_put_waits(page, out);
    ps_page_put_roles(page, out);
    put_advice(answer, out);
    ps_page_put_path(page, out);
    ps_page_put_sources(page, out);
    ps_page_put_listing(page, out);
    ps_page_put_sweep(page, out);
    put_sensitivity(page, out);
    put_run(page, out);
    put_loads(page, out);
    put_warnings(answer, out);
    g_string_append(out, "</main>\n");
    ps_markup_close(out, "Times follow from the graph of the kernel and the description of the "
                         "GPU; nothing was measured for this page.");
    return g_string_free(out, FALSE);
}
