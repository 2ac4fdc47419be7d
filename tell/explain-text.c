/* SPDX-License-Identifier: BSD-3-Clause */
/* See explain-text.h. Remedies come first, then reasons: a reader may stop anywhere. */
#include "tell/explain-text.h"

#include "answer/advised.h"
#include "answer/explain.h"
#include "answer/sensitivity.h"
#include "answer/stalls.h"
#include "tell/format.h"
#include "tell/words.h"

#include <math.h>
#include <string.h>

typedef struct {
    const PsAnswer *answer;
    const PsTold *facts;
    const char *which;
    const PsPaper *paper;
} Page;

static void heading(const Page *page, const char *text)
{
    g_autofree char *both =
        page->which ? g_strdup_printf("%s (%s)", text, page->which) : g_strdup(text);
    ps_paper_heading(page->paper, both);
}

static gboolean print_view(const Page *page, PsViewId view)
{
    return ps_paper_view(page->paper, view, page->facts, NULL, page->which);
}

/* ---- the critical path --------------------------------------------------------------------- */

/* Prints a sentence, if there is one. Frees it. */
static void print_note(const Page *page, char *note)
{
    if (note)
        ps_paper_text(page->paper, "  ", note);
    g_free(note);
}

static void print_path(const Page *page)
{
    const PsExplain *explain = page->answer->explain;
    heading(page, "Critical path: what the time went to, from the end back to the start");
    if (!explain->path) {
        ps_paper_text(page->paper, "  ", explain->problem);
        return;
    }
    print_view(page, PS_VIEW_PATH_CLASSES_PAGE);
    print_note(page, ps_sentence_places(page->answer));
    ps_paper_gap(page->paper);
    if (ps_answer_has_lines(page->answer))
        print_view(page, PS_VIEW_PATH_LINES_PAGE);
    print_note(page, ps_sentence_path_lines(page->answer));
    ps_paper_gap(page->paper);
    print_view(page, PS_VIEW_PATH_PIPELINES_PAGE);
}

/* ---- roles --------------------------------------------------------------------------------- */

static void print_roles(const Page *page)
{
    const PsRoleTable *table = page->answer->explain->roles;
    if (!table)
        return;
    heading(page, "Roles of warps (shares of each role's time)");
    for (guint r = 0; r < table->roles->len; r++) {
        g_autofree char *sentence = ps_role_sentence(table, r);
        ps_paper_text(page->paper, "  - ", sentence);
    }
    for (guint s = 0; s < table->stages->len; s++) {
        g_autofree char *sentence = ps_stages_sentence(page->answer, s);
        ps_paper_text(page->paper, "  - ", sentence);
    }
}

/* ---- occupancy over time ------------------------------------------------------------------- */

#define BARS 4

/* A line of the bar chart, up to the height that warps reach, out of `most`. A column reached for
 * less than half of its time is empty. */
static void print_bar(const Page *page, guint bar, double most, GString *out)
{
    const PsExplain *explain = page->answer->explain;
    const double top = most * bar / BARS, step = most / BARS;
    g_autofree char *label = ps_format_number(floor(top + 0.5));
    g_autoptr(GString) line = g_string_new(NULL);
    const char *point = strchr(label, '.');
    g_string_append_printf(line, "  %6.*s |", point ? (int)(point - label) : (int)strlen(label),
                           label);
    for (guint i = 0; i < explain->n_occupancy; i++) {
        const double above = (explain->occupancy[i] - (top - step)) / step;
        g_string_append_c(line, above >= 0.75 ? '#' : above >= 0.25 ? '.' : ' ');
    }
    g_string_append_printf(out, "%s\n", g_strchomp(line->str));
}

static void print_occupancy(const Page *page)
{
    const PsAnswer *answer = page->answer;
    const PsExplain *explain = answer->explain;
    const PsLaunch *launch = &answer->machine->launch;
    if (!explain->n_occupancy)
        return;
    heading(page, "Warps on the first CU over time");
    g_autoptr(GString) lines = g_string_new(NULL);
    for (guint bar = BARS; bar > 0; bar--)
        print_bar(page, bar, (double)(launch->active_groups * launch->warps_per_group), lines);
    g_autofree char *line = g_strnfill(explain->n_occupancy, '-');
    g_string_append_printf(lines, "       0 +%s\n", line);
    ps_paper_drawing(page->paper, lines->str);
    g_autofree char *share = ps_format_share((double)explain->tail / (double)answer->result.ticks);
    g_autofree char *cycles =
        ps_format_rounded_cycles(ps_machine_cycles(answer->machine, explain->tail));
    g_autofree char *groups = launch->active_groups == 1
                                  ? g_strdup("no group")
                                  : g_strdup_printf("fewer than %" G_GINT64_FORMAT " groups",
                                                    (gint64)launch->active_groups);
    g_autofree char *text = explain->tail > 0
                                ? g_strdup_printf("Tail: %s in the last %s cycles, %s of the time",
                                                  groups, cycles, share)
                                : g_strdup("Tail: none, all places are taken to the end");
    ps_paper_text(page->paper, "  ", text);
}

/* ---- sensitivity --------------------------------------------------------------------------- */

static void print_notes(const Page *page, GPtrArray *notes)
{
    for (guint i = 0; i < notes->len; i++)
        ps_paper_text(page->paper, "  - ", notes->pdata[i]);
    g_ptr_array_unref(notes);
}

static void print_reliefs(const Page *page)
{
    g_autoptr(PsTable) table = ps_table_of_view(PS_VIEW_RELIEFS_PAGE, page->facts, NULL, FALSE);
    for (guint i = 0; i < ps_table_n_rows(table); i++) {
        g_autofree char *text =
            g_strdup_printf("%s: %s", ps_table_cell(table, i, 0), ps_table_cell(table, i, 1));
        ps_paper_text(page->paper, "  ", text);
    }
}

static void print_sensitivity(const Page *page)
{
    if (!print_view(page, PS_VIEW_SENSITIVITY_PAGE))
        heading(page, ps_view_title(PS_VIEW_SENSITIVITY_PAGE));
    print_notes(page, ps_sentences_chance(page->answer));
    print_reliefs(page);
    print_notes(page, ps_sentences_untried(page->answer));
}

/* ---- advice -------------------------------------------------------------------------------- */

static void print_advice(const Page *page)
{
    const GPtrArray *list = page->answer->advice;
    heading(page, "Advice");
    if (!list->len)
        ps_paper_text(page->paper, "  - ",
                      "nothing that was tried before time was out gives more than 2 %");
    for (guint i = 0; i < list->len; i++) {
        g_autofree char *sentence = ps_placed_advice_sentence(page->answer, list->pdata[i]);
        ps_paper_text(page->paper, "  - ", sentence);
    }
    if (page->answer->occupancy_step && !page->answer->occupancy_step->pays) {
        g_autofree char *sentence = ps_step_sentence(page->answer);
        ps_paper_text(page->paper, "  ", sentence);
    }
}

/* -------------------------------------------------------------------------------------------- */

void ps_explain_text(const PsAnswer *answer, const PsTold *facts, guint shows, const char *which,
                     const PsPaper *paper)
{
    const Page page = {answer, facts, which, paper};
    if (answer->advice && shows & PS_EXPLAIN_SHOWS_ADVICE)
        print_advice(&page);
    if (answer->sensitivities && shows & PS_EXPLAIN_SHOWS_SENSITIVITY)
        print_sensitivity(&page);
    if (answer->explain && shows & PS_EXPLAIN_SHOWS_PATH) {
        print_path(&page);
        print_view(&page, PS_VIEW_WAITS_PAGE);
        print_roles(&page);
        print_occupancy(&page);
    }
}
