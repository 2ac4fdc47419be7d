/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The comparison as text. Figures stand side by side in columns A and B; a sentence has a line for
 * each side. The page fits 80 columns.
 */
#include "tell/comparison-page.h"

#include "base/message.h"
#include "tell/describe.h"
#include "tell/format.h"
#include "tell/join.h"
#include "tell/table.h"

#include <string.h>

typedef struct {
    const PsVersus *versus;
    const PsAnswer *a, *b;
    const PsPaper *paper;
} Page;

/* ---- side by side -------------------------------------------------------------------------- */

static gboolean have_one_name(const Page *page)
{
    return strcmp(page->a->idg->name, page->b->idg->name) == 0;
}

static void add_apart(const Page *page, guint side, GString *title)
{
    for (char **option = page->versus->titled[side]; *option; option++) {
        g_autofree char *clean = ps_text_clean(*option);
        g_string_append_printf(title, ", %s", clean);
    }
}

/* Prints a side's title: "mmul of b.cu on Pascal (10 CUs, 1506 MHz)", its own options, ", what if
 * alu.issue=2". */
static void print_title(const Page *page, guint side)
{
    const PsAnswer *answer = page->versus->comparison->answers[side];
    const PsComparedSide *sides = page->versus->sides;
    g_autofree char *chip = ps_sentence_chip(answer);
    g_autofree char *name = ps_text_clean(answer->idg->name);
    g_autofree char *file = ps_text_clean(sides[side].file);
    g_autofree char *gpu = ps_text_clean(answer->gpu->name);
    const gboolean of_file = have_one_name(page) && strcmp(sides[0].file, sides[1].file) != 0;
    g_autoptr(GString) title = g_string_new(name);
    if (of_file)
        g_string_append_printf(title, " of %s", file);
    g_string_append_printf(title, " on %s (%s)", gpu, chip);
    add_apart(page, side, title);
    if (sides[side].latencies)
        g_string_append_printf(title, ", what if %s", sides[side].latencies);
    ps_paper_text(page->paper, side ? "B  " : "A  ", title->str);
}

static void print_table(const Page *page)
{
    static const char *const heads[] = {"", "A", "B", "B / A"};
    static const PsViewId views[] = {PS_VIEW_COMPARE_PAGE, PS_VIEW_COMPARE_PIPELINES_PAGE,
                                     PS_VIEW_COMPARE_LEVELS_PAGE};
    const PsComparedSide *sides = page->versus->sides;
    g_autoptr(PsTable) table = ps_table_new("lrrr");
    for (guint i = 0; i < G_N_ELEMENTS(heads); i++)
        ps_table_add(table, g_strdup(heads[i]));
    for (guint i = 0; i < G_N_ELEMENTS(views); i++)
        ps_table_add_joined(table, views[i], sides[0].answer, sides[1].answer);
    ps_table_tighten(table);
    ps_paper_table(page->paper, table, 0);
    ps_paper_gap(page->paper);
}

/* Prints two sentences, or one if they are equal. Items of a Markdown list have a label each; in
 * text the second stands below the first. */
static void print_pair(const PsJoined *joined, void *data)
{
    const Page *page = data;
    const PsFact *const *facts = joined->facts;
    const char *label = ps_joined_name(joined);
    const char *a = facts[0] && facts[0]->known ? facts[0]->value.text : NULL;
    const char *b = facts[1] && facts[1]->known ? facts[1]->value.text : NULL;
    const gboolean same = g_strcmp0(a, b) == 0;
    g_autofree char *first = g_strdup_printf("%-12s %s  ", label, same ? " " : "A");
    g_autofree char *second =
        g_strdup_printf("%-12s B  ", a && page->paper->form == PS_PAPER_TEXT ? "" : label);
    if (a)
        ps_paper_text(page->paper, first, a);
    if (!same && b)
        ps_paper_text(page->paper, second, b);
}

/* ---- the difference ------------------------------------------------------------------------ */

static void put_sentence(const Page *page, const char *clause)
{
    g_autofree char *sentence = g_strdup_printf("%c%s.", g_ascii_toupper(clause[0]), clause + 1);
    ps_paper_text(page->paper, "  ", sentence);
}

static void print_difference(const Page *page)
{
    const PsComparison *comparison = page->versus->comparison;
    ps_paper_heading(page->paper, "What the difference is made of: the critical paths of both");
    if (comparison->problem) {
        ps_paper_text(page->paper, "  ", comparison->problem);
        return;
    }
    ps_paper_view(page->paper, PS_VIEW_COMPARE_CLASSES_PAGE, page->versus->told, NULL, NULL);
    ps_paper_gap(page->paper);
    if (comparison->line_problem)
        put_sentence(page, comparison->line_problem);
    else
        ps_paper_view(page->paper, PS_VIEW_COMPARE_LINES_PAGE, page->versus->told, NULL, NULL);
    if (comparison->line_note)
        put_sentence(page, comparison->line_note);
    ps_paper_gap(page->paper);
    ps_paper_view(page->paper, PS_VIEW_COMPARE_CHARGES_PAGE, page->versus->told, NULL, NULL);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static gboolean has_warning(const PsAnswer *answer, const char *text)
{
    return g_ptr_array_find_with_equal_func(answer->warnings, text, g_str_equal, NULL);
}

static void print_warnings(const Page *page)
{
    if (page->a->warnings->len + page->b->warnings->len == 0)
        return;
    ps_paper_heading(page->paper, "Warnings");
    for (guint i = 0; i < page->a->warnings->len; i++) {
        const char *text = page->a->warnings->pdata[i];
        ps_paper_text(page->paper, has_warning(page->b, text) ? "  - " : "  - A: ", text);
    }
    for (guint i = 0; i < page->b->warnings->len; i++)
        if (!has_warning(page->a, page->b->warnings->pdata[i]))
            ps_paper_text(page->paper, "  - B: ", page->b->warnings->pdata[i]);
}

void ps_versus_page(const PsVersus *versus, const PsPaper *paper)
{
    const PsAnswer *const *answers = versus->comparison->answers;
    const Page page = {versus, answers[0], answers[1], paper};
    print_title(&page, 0);
    print_title(&page, 1);
    ps_paper_gap(paper);
    ps_paper_text(paper, "", ps_told_text(versus->told, PS_FACT_COMPARISON_DIFFERENCE_WORDS));
    ps_paper_gap(paper);
    print_table(&page);
    ps_join(PS_VIEW_COMPARE_WORDS, versus->sides[0].answer, versus->sides[1].answer, print_pair,
            (void *)&page);
    print_difference(&page);
    if (versus->sides[0].machine)
        ps_versus_listings(versus, paper);
    print_warnings(&page);
}
