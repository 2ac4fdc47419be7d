/* SPDX-License-Identifier: BSD-3-Clause */
/* See page.h: the answer, its pictures, and folded up the reasons and the figures behind. */
#include "cli/page/page.h"

#include "cli/report/markup.h"
#include "cli/report/roofline.h"
#include "pipesim-private.h"

#include <math.h>

/* Scripts, and anything from elsewhere, are forbidden even if one got in. */
static const char HEAD[] =
    "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'/>\n"
    "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src "
    "'unsafe-inline'; base-uri 'none'; form-action 'none'\"/>\n"
    "<meta name='viewport' content='width=device-width, initial-scale=1'/>\n"
    "<meta name='referrer' content='no-referrer'/>\n"
    "<meta name='generator' content='pipesim " PIPESIM_VERSION "'/>\n";

/* ---- the answer ---------------------------------------------------------------------------- */

static void put_tile(GString *out, const char *label, const char *value, const char *small)
{
    g_string_append(out, "<div>");
    markup_element(out, "dt", label);
    g_string_append(out, "<dd>");
    markup_text(out, value);
    if (small)
        markup_element(out, "small", small);
    g_string_append(out, "</dd></div>\n");
}

static void put_time_tile(const PsAnswer *answer, const char *label, GString *out)
{
    g_autofree char *time = ps_format_time(answer->seconds);
    g_autofree char *simulated = ps_format_time(answer->simulated);
    g_autofree char *cycles = ps_format_number(ps_rational_to_double(answer->result.cycles));
    g_autofree char *small = answer->clamped ? g_strdup_printf("clamped; %s simulated", simulated)
                                             : g_strdup_printf("%s cycles", cycles);
    put_tile(out, label, time, small);
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
    put_tile(out, "Headroom", value, small);
}

static void put_tiles(const Report *report, GString *out)
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
        put_tile(out, "Performance", rate, "GFLOP/s");
    if (answer->gpu->limits.warps)
        put_tile(out, "Occupancy", share, at_once);
    put_headroom_tile(answer, out);
    g_string_append(out, "</dl>\n");
}

static void put_advice(const PsAnswer *answer, GString *out)
{
    if (!answer->advice)
        return;
    g_string_append(out, "<section>\n<h2>What would help</h2>\n<ol class='advice'>\n");
    for (guint i = 0; i < answer->advice->len; i++)
        markup_take(out, "li", ps_placed_advice_sentence(answer, answer->advice->pdata[i]));
    g_string_append(out, "</ol>\n</section>\n");
}

/* ---- facts --------------------------------------------------------------------------------- */

static void put_fact(GString *out, const char *label, char *text)
{
    if (text && *text) {
        g_string_append(out, "<tr>");
        markup_element(out, "th scope='row'", label);
        markup_element(out, "td", text);
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

/* The sentences of a view; with those of the what-if that differ. */
static void put_sentences(const Report *report, PsViewId view, GString *out)
{
    g_autoptr(PsTold) facts = ps_answer_told(report->answer, report->measured);
    g_autoptr(PsTold) what_if =
        report->what_if ? ps_answer_told(report->what_if, report->measured) : NULL;
    g_autoptr(GPtrArray) lines = ps_view_sentences(view, facts, what_if);
    for (guint i = 0; i + 1 < lines->len; i += 2)
        put_fact(out, lines->pdata[i], g_strdup(lines->pdata[i + 1]));
}

static void put_run(const Report *report, GString *out)
{
    markup_fold(out, "The run");
    g_string_append(out, "<table class='facts'><tbody>\n");
    put_fact(out, "What if", g_strdup(report->what_if_text));
    put_sentences(report, PS_VIEW_PAGE_THEN, out);
    put_fact(out, "Parameters", describe_parameters(report->answer));
    g_string_append(out, "</tbody></table>\n");
    markup_unfold(out);
}

/* ---- pipelines and classes ----------------------------------------------------------------- */

static void put_load(const PsAnswer *answer, const PsStatsRow *row, GString *out)
{
    markup_number(out, "instructions", ps_format_count(row->issued));
    markup_number(out, "busy", ps_format_share(ps_answer_share(answer, row)));
    markup_number(out, "wait (cycles)",
                  ps_format_number(ps_answer_mean(answer, row->queued, row->issued)));
    g_string_append(out, "</tr>\n");
}

static void put_pipelines(const PsAnswer *answer, GString *out)
{
    g_string_append(out, "<h3>Pipelines</h3>\n<div class='scroll'><table class='figures'>\n");
    markup_head(out, "|instructions|busy|wait (cycles)");
    g_string_append(out, "<tbody>\n");
    for (guint i = 0; i < answer->pipelines->len; i++) {
        const PsStatsRow *row = answer->pipelines->pdata[i];
        g_string_append(out, "<tr>");
        markup_take(out, "th scope='row'", ps_answer_pipeline_words(answer, row->name));
        put_load(answer, row, out);
    }
    g_string_append(out, "</tbody></table></div>\n");
}

static void put_level(const PsAnswer *answer, const PsServerRow *row, GString *out)
{
    const double bytes = ps_server_bytes(answer, row), hits = ps_server_hits(answer, row);
    const gboolean level = row->level < PS_N_LEVELS;
    g_string_append(out, "<tr>");
    markup_take(out, "th scope='row'", ps_server_words(row));
    markup_number(out, "busy", ps_format_share(ps_server_utilization(answer, row)));
    markup_number(out, "bytes of the launch", level ? ps_format_scaled(bytes) : NULL);
    markup_number(out, "bytes/s",
                  level ? ps_format_scaled(bytes / ps_answer_execution(answer)) : NULL);
    markup_number(out, "need no level behind", isnan(hits) ? NULL : ps_format_share(hits));
    g_string_append(out, "</tr>\n");
}

static void put_levels(const PsAnswer *answer, GString *out)
{
    if (!ps_busiest_server(answer))
        return;
    g_string_append(out, "<h3>Memory</h3>\n<div class='scroll'><table class='figures'>\n");
    markup_head(out, "|busy|bytes of the launch|bytes/s|need no level behind");
    g_string_append(out, "<tbody>\n");
    for (guint i = 0; i < answer->servers->len; i++)
        put_level(answer, answer->servers->pdata[i], out);
    g_string_append(out, "</tbody></table></div>\n");
}

static void put_class_latencies(const PsAnswer *answer, guint class_index, GString *out)
{
    const PsLatency *latency = &answer->machine->classes[class_index].latency;
    const gboolean differs = ps_class_differs(answer->machine, class_index);
    markup_number(out, "issue latency",
                  differs ? g_strdup("by levels") : ps_format_latency(latency->issue));
    markup_number(out, "completion latency",
                  differs ? g_strdup("by levels") : ps_format_latency(latency->completion));
}

static void put_classes(const PsAnswer *answer, GString *out)
{
    g_string_append(out,
                    "<h3>Instruction classes</h3>\n<div class='scroll'><table class='figures'>\n");
    markup_head(out, "|<served by|<pipeline|issue latency|completion latency|instructions|busy|"
                     "wait (cycles)");
    g_string_append(out, "<tbody>\n");
    for (guint i = 0; i < answer->machine->n_classes; i++) {
        const PsMachineClass *entry = &answer->machine->classes[i];
        g_string_append(out, "<tr>");
        markup_take(out, "th scope='row'", ps_answer_class_words(answer, i));
        markup_take(out, "td data-of='served by'",
                    ps_idg_class_words(answer->idg, entry->class->name));
        markup_take(out, "td data-of='pipeline'", ps_pipeline_words(answer, entry->pipeline));
        put_class_latencies(answer, i, out);
        put_load(answer, answer->classes->pdata[i], out);
    }
    g_string_append(out, "</tbody></table></div>\n");
}

static void put_loads(const PsAnswer *answer, GString *out)
{
    if (!answer->pipelines->len)
        return;
    g_autofree char *where = ps_sentence_cus(answer);
    markup_fold(out, "Pipelines and classes");
    markup_take(
        out, "p class='quiet'",
        g_strdup_printf("On %s; wait: mean cycles that a ready instruction queues.", where));
    put_pipelines(answer, out);
    put_levels(answer, out);
    put_classes(answer, out);
    markup_unfold(out);
}

static void put_warnings(const PsAnswer *answer, GString *out)
{
    if (!answer->warnings->len)
        return;
    g_string_append(out, "<section>\n<h2>Warnings</h2>\n<ul class='warnings'>\n");
    for (guint i = 0; i < answer->warnings->len; i++)
        markup_element(out, "li", answer->warnings->pdata[i]);
    g_string_append(out, "</ul>\n</section>\n");
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void put_header(const Report *report, GString *out)
{
    const PsAnswer *answer = report->answer;
    g_autofree char *chip = ps_format_chip(answer->gpu, answer->clock);
    g_string_append(out, "<header>\n");
    markup_element(out, "h1", answer->idg->name);
    if (answer->idg->title)
        markup_element(out, "p", answer->idg->title);
    markup_take(out, "p class='quiet'", g_strdup_printf("on %s, %s", answer->gpu->name, chip));
    put_tiles(report, out);
    g_string_append(out, "<table class='facts'><tbody>\n");
    put_sentences(report, PS_VIEW_PAGE_FIRST, out);
    g_string_append(out, "</tbody></table>\n</header>\n");
}

char *page_format(const Page *page)
{
    const PsAnswer *answer = page->report->answer;
    GString *out = g_string_new(HEAD);
    g_string_append(out, "<title>");
    markup_text(out, answer->idg->name);
    g_string_append(out, " on ");
    markup_text(out, answer->gpu->name);
    g_string_append(out, "</title>\n<style>\n");
    for (guint i = 0; page_style[i]; i++)
        g_string_append(out, page_style[i]);
    g_string_append(out, "</style>\n</head>\n<body>\n");
    put_header(page->report, out);
    g_string_append(out, "<main>\n");
    g_string_append(out, "<div class='pictures'>\n");
    page_put_roofline(page, out);
    page_put_occupancy(page, out);
    g_string_append(out, "</div>\n");
    page_put_waits(page, out);
    put_advice(answer, out);
    page_put_path(page, out);
    page_put_sources(page, out);
    page_put_listing(page, out);
    page_put_sweep(page, out);
    page_put_sensitivity(page, out);
    put_run(page->report, out);
    put_loads(answer, out);
    put_warnings(answer, out);
    g_string_append(out, "</main>\n<footer><p>Simulated by pipesim " PIPESIM_VERSION
                         ". Times follow from the graph of the kernel and the description of the "
                         "GPU; nothing was measured for this page.</p></footer>\n"
                         "</body>\n</html>\n");
    return g_string_free(out, FALSE);
}
