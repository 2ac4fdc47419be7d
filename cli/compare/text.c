/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The comparison for people. Figures stand side by side in columns A and B; what is a sentence has
 * a line for each. It fits 80 columns.
 */
#include "cli/compare/compare.h"

#include "pipesim-private.h"

#include <math.h>
#include <string.h>

/* Rows of a table of charges; the others become one. */
#define MAX_ROWS 10

typedef struct {
    const Versus *versus;
    const PsAnswer *a, *b;
    const PsPaper *paper;
} Page;

/* ---- side by side -------------------------------------------------------------------------- */

static gboolean have_one_name(const Page *page)
{
    return strcmp(page->a->idg->name, page->b->idg->name) == 0;
}

/* ", --block 128", what the title does not say otherwise: the clock is there, and what --kernel
 * says where the names differ. */
static void add_apart(const Page *page, guint side, GString *title)
{
    for (char **option = page->versus->sides[side].apart; *option; option++) {
        if (g_str_has_prefix(*option, "--clock ") ||
            (g_str_has_prefix(*option, "--kernel ") && !have_one_name(page)))
            continue;
        g_autofree char *clean = ps_text_clean(*option);
        g_string_append_printf(title, ", %s", clean);
    }
}

/* "mmul of b.cu on Pascal (10 CUs, 1506 MHz), --block 128, what if alu.issue=2" */
static void print_title(const Page *page, guint side)
{
    const PsAnswer *answer = page->versus->comparison->answers[side];
    const PsComparedSide *sides = page->versus->sides;
    g_autofree char *chip = ps_format_chip(answer->gpu, answer->clock);
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

/* Two sentences, or one where they are the same. Items of a list in Markdown have their labels
 * each; in text the second stands below the first. */
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

/* One unit and so many decimals for a whole table, so that it can be added up by eye. */
typedef struct {
    const char *unit;
    double size;
    int decimals;
} Scale;

static Scale scale_of(double most)
{
    static const struct {
        const char *unit;
        double size;
    } units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    guint i = 0;
    while (i + 1 < G_N_ELEMENTS(units) && most < units[i].size)
        i++;
    const double number = most / units[i].size;
    return (Scale){units[i].unit, units[i].size, number < 10 ? 4 : number < 100 ? 3 : 2};
}

/* A change, in so many decimals; what rounds to nothing has no sign (g_free). */
static char *signed_number(double x, int decimals)
{
    char *text = g_strdup_printf("%+.*f", decimals, x);
    if (strspn(text, "+-0.") == strlen(text))
        memmove(text, text + 1, strlen(text));
    return text;
}

static char *scaled(const Scale *scale, double seconds, gboolean with_sign)
{
    const double number = seconds / scale->size;
    return with_sign ? signed_number(number, scale->decimals)
                     : g_strdup_printf("%.*f", scale->decimals, number);
}

/* Takes the name. */
static void add_charge(const Page *page, PsTable *table, const Scale *scale, char *name,
                       const PsCharge *charge)
{
    ps_table_add(table, name);
    for (guint side = 0; side < 2; side++)
        ps_table_add(table, charge->there[side] ? scaled(scale, charge->seconds[side], FALSE)
                                                : g_strdup("-"));
    ps_table_add(table, scaled(scale, charge->difference, TRUE));
    g_autofree char *share = signed_number(100 * charge->difference / page->a->seconds, 1);
    ps_table_add(table, page->a->seconds > 0 ? g_strconcat(share, " %", NULL) : g_strdup("-"));
}

static void add_head(PsTable *table, const char *title, const Scale *scale)
{
    ps_table_add(table, g_strdup(title));
    ps_table_add(table, g_strdup_printf("A (%s)", scale->unit));
    ps_table_add(table, g_strdup_printf("B (%s)", scale->unit));
    ps_table_add(table, g_strdup("B - A"));
    ps_table_add(table, g_strdup("of A"));
}

/* Adds charges from `first` on as one row. */
static void add_others(const Page *page, PsTable *table, const Scale *scale,
                       const GPtrArray *charges, guint first)
{
    PsCharge rest = {.there = {TRUE, TRUE}};
    for (guint i = first; i < charges->len; i++) {
        const PsCharge *charge = charges->pdata[i];
        for (guint side = 0; side < 2; side++)
            rest.seconds[side] += charge->seconds[side];
    }
    rest.difference = rest.seconds[1] - rest.seconds[0];
    add_charge(page, table, scale, g_strdup_printf("%u others", charges->len - first), &rest);
}

/* What is on no path, where one of the two has it. */
static void add_off_path(const Page *page, PsTable *table, const Scale *scale, const char *name,
                         const PsCharge *charge)
{
    if (charge->there[0] || charge->there[1])
        add_charge(page, table, scale, g_strdup(name), charge);
}

static void print_charges(const Page *page, const char *title, const GPtrArray *charges,
                          PsChargeWords words)
{
    const PsComparison *comparison = page->versus->comparison;
    const Scale scale = scale_of(MAX(page->a->seconds, page->b->seconds));
    g_autoptr(PsTable) table = ps_table_new("lrrrr");
    add_head(table, title, &scale);
    const guint rows = charges->len > MAX_ROWS + 1 ? MAX_ROWS : charges->len;
    for (guint i = 0; i < rows; i++)
        add_charge(page, table, &scale, words(page->a, charges->pdata[i]), charges->pdata[i]);
    if (rows < charges->len)
        add_others(page, table, &scale, charges, rows);
    add_off_path(page, table, &scale, PS_CHARGE_LAUNCH, &comparison->launch);
    add_off_path(page, table, &scale, PS_CHARGE_CLAMP, &comparison->clamp);
    const PsCharge all = {.there = {TRUE, TRUE},
                          .seconds = {page->a->seconds, page->b->seconds},
                          .difference = comparison->difference};
    add_charge(page, table, &scale, g_strdup("in all"), &all);
    ps_table_tighten(table);
    ps_paper_table(page->paper, table, 2);
}

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
    print_charges(page, "by class", comparison->by_class, ps_class_charge_words);
    ps_paper_gap(page->paper);
    if (comparison->line_problem)
        put_sentence(page, comparison->line_problem);
    else
        print_charges(page, "by source line", comparison->by_line, ps_line_charge_words);
    if (comparison->line_note)
        put_sentence(page, comparison->line_note);
    ps_paper_gap(page->paper);
    print_charges(page, "by pipeline", comparison->by_pipeline, ps_pipeline_charge_words);
}

/* ---- one sentence -------------------------------------------------------------------------- */

/* "; B has 0.5000 times as many operations", or "; B moves 0.5000 times as many bytes"; empty where
 * it is the same work (g_free). */
static char *describe_work(const PsComparison *comparison)
{
    if (comparison->work == 1)
        return g_strdup("");
    g_autofree char *times = ps_format_number(comparison->work);
    return g_strdup_printf("; B %s %s times as many %s",
                           comparison->work_is_operations ? "has" : "moves", times,
                           comparison->work_is_operations ? "operations" : "bytes");
}

/* "B takes 6.290 times as long as A: 31.78 ms instead of 5.052 ms" (g_free). */
static char *describe_times(const PsComparison *comparison)
{
    const PsAnswer *a = comparison->answers[0], *b = comparison->answers[1];
    g_autofree char *first = ps_format_time(a->seconds), *second = ps_format_time(b->seconds);
    g_autofree char *work = describe_work(comparison);
    const double ratio = ps_answer_ratio(b, a);
    g_autofree char *slower = ps_format_number(ratio), *faster = ps_format_number(1 / ratio);
    if (a->seconds == b->seconds)
        return g_strdup_printf("A and B take the same time: %s%s", first, work);
    if (!(a->seconds > 0) || !(b->seconds > 0))
        return g_strdup_printf("B takes %s, A %s", second, first);
    return ratio > 1 ? g_strdup_printf("B takes %s times as long as A: %s instead of %s%s", slower,
                                       second, first, work)
                     : g_strdup_printf("B is %s times as fast as A: %s instead of %s%s", faster,
                                       second, first, work);
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

void compare_text(const Versus *versus, const PsPaper *paper)
{
    const PsAnswer *const *answers = versus->comparison->answers;
    const Page page = {versus, answers[0], answers[1], paper};
    g_autofree char *sentence = describe_times(versus->comparison);
    print_title(&page, 0);
    print_title(&page, 1);
    ps_paper_gap(paper);
    ps_paper_text(paper, "", sentence);
    ps_paper_gap(paper);
    print_table(&page);
    ps_join(PS_VIEW_COMPARE_WORDS, versus->sides[0].answer, versus->sides[1].answer, print_pair,
            (void *)&page);
    print_difference(&page);
    if (versus->sides[0].machine)
        compare_listings_text(versus, paper);
    print_warnings(&page);
}
