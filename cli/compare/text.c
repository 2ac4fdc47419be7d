/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The comparison for people. Figures stand side by side in columns A and B; what is a sentence has
 * a line for each. It fits 80 columns.
 */
#include "cli/compare/compare.h"

#include "cli/report/roofline.h"
#include "cli/report/table.h"
#include "pipesim-private.h"

#include <math.h>
#include <string.h>

/* Rows of a table of charges; the others become one. */
#define MAX_ROWS 10

typedef struct {
    const Versus *versus;
    const PsAnswer *a, *b;
    const Paper *paper;
} Page;

static void add_row(Table *table, const char *label, char *a, char *b, char *ratio)
{
    table_add(table, g_strdup(label));
    table_add(table, a);
    table_add(table, b);
    table_add(table, ratio);
}

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
    const PsAnswer *answer = page->versus->answers[side];
    const VersusSide *sides = page->versus->sides;
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
    paper_text(page->paper, side ? "B  " : "A  ", title->str);
}

static char *ratio_of(double a, double b)
{
    return a > 0 && b > 0 ? ps_format_number(b / a) : g_strdup("");
}

static void add_count(Table *table, const char *label, gint64 a, gint64 b)
{
    add_row(table, label, ps_format_count(a), ps_format_count(b), ratio_of((double)a, (double)b));
}

static char *time_or_dash(double seconds)
{
    return seconds > 0 ? ps_format_time(seconds) : g_strdup("-");
}

static void add_time(Table *table, const char *label, double a, double b)
{
    add_row(table, label, time_or_dash(a), time_or_dash(b), ratio_of(a, b));
}

/* A row only where one of them has any. */
static void add_any(Table *table, const char *label, double a, double b)
{
    if (a > 0 || b > 0)
        add_row(table, label, a > 0 ? ps_format_count(llround(a)) : g_strdup("-"),
                b > 0 ? ps_format_count(llround(b)) : g_strdup("-"), ratio_of(a, b));
}

static void add_results(const Page *page, Table *table)
{
    const PsAnswer *a = page->a, *b = page->b;
    const double rate[2] = {ps_answer_gflops(a, a->seconds), ps_answer_gflops(b, b->seconds)};
    add_row(table, "Time", ps_sentence_seconds(a), ps_sentence_seconds(b),
            ratio_of(a->seconds, b->seconds));
    if (a->clamped || b->clamped)
        add_time(table, "Simulated", a->simulated, b->simulated);
    add_row(
        table, "Cycles", ps_sentence_cycles(a), ps_sentence_cycles(b),
        ratio_of(ps_rational_to_double(a->result.cycles), ps_rational_to_double(b->result.cycles)));
    if (a->flops > 0 || b->flops > 0)
        add_row(table, "GFLOP/s", rate[0] > 0 ? ps_format_number(rate[0]) : g_strdup("-"),
                rate[1] > 0 ? ps_format_number(rate[1]) : g_strdup("-"),
                ratio_of(rate[0], rate[1]));
    add_any(table, "Operations", a->flops, b->flops);
    add_any(table, "Bytes of memory", a->roofline.params.W_traf, b->roofline.params.W_traf);
    add_count(table,
              a->machine->n_cus == 1 && b->machine->n_cus == 1 ? "Instructions of a CU"
                                                               : "Instructions",
              a->result.instructions, b->result.instructions);
    if (has_roofline_values(a) || has_roofline_values(b)) {
        add_time(table, "Roofline", a->roofline.prediction.ceiling_seconds,
                 b->roofline.prediction.ceiling_seconds);
        add_time(table, "Prediction", a->roofline.prediction.seconds,
                 b->roofline.prediction.seconds);
    }
}

static void add_launch(const Page *page, Table *table)
{
    const PsLaunch *a = &page->a->machine->launch, *b = &page->b->machine->launch;
    add_count(table, "Groups", a->groups, b->groups);
    add_count(table, "... on the fullest CU", a->groups_per_cu, b->groups_per_cu);
    add_count(table, "... at once", a->active_groups, b->active_groups);
    add_count(table, "Threads of a group", a->group_size, b->group_size);
    add_any(table, "Registers of a thread", (double)page->a->kernel->registers,
            (double)page->b->kernel->registers);
    add_any(table,
            ps_idg_says_shared(page->a->idg) ? "Shared bytes of a group" : "Local bytes of a group",
            (double)page->a->kernel->local_memory, (double)page->b->kernel->local_memory);
    add_count(table, "Warps at once", a->active_groups * a->warps_per_group,
              b->active_groups * b->warps_per_group);
    if (page->a->gpu->limits.warps && page->b->gpu->limits.warps) {
        add_row(table, "Occupancy", ps_sentence_resident(page->a, a->occupancy),
                ps_sentence_resident(page->b, b->occupancy), ratio_of(a->occupancy, b->occupancy));
        add_row(table, "... achieved", ps_sentence_resident(page->a, page->a->achieved),
                ps_sentence_resident(page->b, page->b->achieved),
                ratio_of(page->a->achieved, page->b->achieved));
    }
}

static const PsStatsRow *row_called(const GPtrArray *rows, const char *name)
{
    for (guint i = 0; i < rows->len; i++)
        if (strcmp(((const PsStatsRow *)rows->pdata[i])->name, name) == 0)
            return rows->pdata[i];
    return NULL;
}

static void add_pipeline(const Page *page, Table *table, const PsAnswer *of, const char *name)
{
    const PsStatsRow *a = row_called(page->a->pipelines, name);
    const PsStatsRow *b = row_called(page->b->pipelines, name);
    g_autofree char *words = ps_answer_pipeline_words(of, name);
    g_autofree char *label = g_strdup_printf("Pipeline %s", words);
    const double busy[2] = {a ? ps_answer_share(page->a, a) : 0,
                            b ? ps_answer_share(page->b, b) : 0};
    add_row(table, label, a ? ps_format_share(busy[0]) : g_strdup("-"),
            b ? ps_format_share(busy[1]) : g_strdup("-"), ratio_of(busy[0], busy[1]));
}

static void add_level(const Page *page, Table *table, const PsServerRow *row)
{
    const PsServerRow *a = ps_server_called(page->a, row->name),
                      *b = ps_server_called(page->b, row->name);
    g_autofree char *label = ps_server_words(row);
    const double busy[2] = {a ? ps_server_utilization(page->a, a) : 0,
                            b ? ps_server_utilization(page->b, b) : 0};
    label[0] = g_ascii_toupper(label[0]);
    add_row(table, label, a ? ps_format_share(busy[0]) : g_strdup("-"),
            b ? ps_format_share(busy[1]) : g_strdup("-"), ratio_of(busy[0], busy[1]));
}

static void add_levels(const Page *page, Table *table)
{
    for (guint i = 0; i < page->a->servers->len; i++)
        add_level(page, table, page->a->servers->pdata[i]);
    for (guint i = 0; i < page->b->servers->len; i++) {
        const PsServerRow *row = page->b->servers->pdata[i];
        if (!ps_server_called(page->a, row->name))
            add_level(page, table, row);
    }
}

static void print_table(const Page *page)
{
    g_autoptr(Table) table = table_new("lrrr");
    add_row(table, "", g_strdup("A"), g_strdup("B"), g_strdup("B / A"));
    add_results(page, table);
    add_launch(page, table);
    for (guint i = 0; i < page->a->pipelines->len; i++)
        add_pipeline(page, table, page->a,
                     ((const PsStatsRow *)page->a->pipelines->pdata[i])->name);
    for (guint i = 0; i < page->b->pipelines->len; i++) {
        const PsStatsRow *row = page->b->pipelines->pdata[i];
        if (!row_called(page->a->pipelines, row->name))
            add_pipeline(page, table, page->b, row->name);
    }
    add_levels(page, table);
    table_tighten(table);
    paper_table(page->paper, table, 0);
    paper_gap(page->paper);
}

/* Two sentences, or one where they are the same. Items of a list in Markdown have their labels
 * each; in text the second stands below the first. */
static void print_pair(const Page *page, const char *label, char *(*describe)(const PsAnswer *))
{
    g_autofree char *a = describe(page->a), *b = describe(page->b);
    const gboolean same = g_strcmp0(a, b) == 0;
    g_autofree char *first = g_strdup_printf("%-12s %s  ", label, same ? " " : "A");
    if (a && *a)
        paper_text(page->paper, first, a);
    g_autofree char *second =
        g_strdup_printf("%-12s B  ", a && *a && !page->paper->markdown ? "" : label);
    if (!same && b && *b)
        paper_text(page->paper, second, b);
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
static void add_charge(const Page *page, Table *table, const Scale *scale, char *name,
                       const PsCharge *charge)
{
    table_add(table, name);
    for (guint side = 0; side < 2; side++)
        table_add(table, charge->there[side] ? scaled(scale, charge->seconds[side], FALSE)
                                             : g_strdup("-"));
    table_add(table, scaled(scale, charge->difference, TRUE));
    g_autofree char *share = signed_number(100 * charge->difference / page->a->seconds, 1);
    table_add(table, page->a->seconds > 0 ? g_strconcat(share, " %", NULL) : g_strdup("-"));
}

static void add_head(Table *table, const char *title, const Scale *scale)
{
    table_add(table, g_strdup(title));
    table_add(table, g_strdup_printf("A (%s)", scale->unit));
    table_add(table, g_strdup_printf("B (%s)", scale->unit));
    table_add(table, g_strdup("B - A"));
    table_add(table, g_strdup("of A"));
}

/* Adds charges from `first` on as one row. */
static void add_others(const Page *page, Table *table, const Scale *scale, const GPtrArray *charges,
                       guint first)
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
static void add_off_path(const Page *page, Table *table, const Scale *scale, const char *name,
                         const PsCharge *charge)
{
    if (charge->there[0] || charge->there[1])
        add_charge(page, table, scale, g_strdup(name), charge);
}

static void print_charges(const Page *page, const char *title, const GPtrArray *charges,
                          ChargeWords words)
{
    const PsComparison *comparison = page->versus->comparison;
    const Scale scale = scale_of(MAX(page->a->seconds, page->b->seconds));
    g_autoptr(Table) table = table_new("lrrrr");
    add_head(table, title, &scale);
    const guint rows = charges->len > MAX_ROWS + 1 ? MAX_ROWS : charges->len;
    for (guint i = 0; i < rows; i++)
        add_charge(page, table, &scale, words(page->a, charges->pdata[i]), charges->pdata[i]);
    if (rows < charges->len)
        add_others(page, table, &scale, charges, rows);
    add_off_path(page, table, &scale, VERSUS_LAUNCH, &comparison->launch);
    add_off_path(page, table, &scale, VERSUS_CLAMP, &comparison->clamp);
    const PsCharge all = {.there = {TRUE, TRUE},
                          .seconds = {page->a->seconds, page->b->seconds},
                          .difference = comparison->difference};
    add_charge(page, table, &scale, g_strdup("in all"), &all);
    table_tighten(table);
    paper_table(page->paper, table, 2);
}

static void put_sentence(const Page *page, const char *clause)
{
    g_autofree char *sentence = g_strdup_printf("%c%s.", g_ascii_toupper(clause[0]), clause + 1);
    paper_text(page->paper, "  ", sentence);
}

static void print_difference(const Page *page)
{
    const PsComparison *comparison = page->versus->comparison;
    paper_heading(page->paper, "What the difference is made of: the critical paths of both");
    if (comparison->problem) {
        paper_text(page->paper, "  ", comparison->problem);
        return;
    }
    print_charges(page, "by class", comparison->by_class, class_charge_words);
    paper_gap(page->paper);
    if (comparison->line_problem)
        put_sentence(page, comparison->line_problem);
    else
        print_charges(page, "by source line", comparison->by_line, line_charge_words);
    if (comparison->line_note)
        put_sentence(page, comparison->line_note);
    paper_gap(page->paper);
    print_charges(page, "by pipeline", comparison->by_pipeline, pipeline_charge_words);
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
    paper_heading(page->paper, "Warnings");
    for (guint i = 0; i < page->a->warnings->len; i++) {
        const char *text = page->a->warnings->pdata[i];
        paper_text(page->paper, has_warning(page->b, text) ? "  - " : "  - A: ", text);
    }
    for (guint i = 0; i < page->b->warnings->len; i++)
        if (!has_warning(page->a, page->b->warnings->pdata[i]))
            paper_text(page->paper, "  - B: ", page->b->warnings->pdata[i]);
}

void compare_text(const Versus *versus, const Paper *paper)
{
    const Page page = {versus, versus->answers[0], versus->answers[1], paper};
    g_autofree char *sentence = describe_times(versus->comparison);
    print_title(&page, 0);
    print_title(&page, 1);
    paper_gap(paper);
    paper_text(paper, "", sentence);
    paper_gap(paper);
    print_table(&page);
    print_pair(&page, "Limited by", ps_sentence_bound);
    print_pair(&page, "Occupancy by", ps_sentence_limits);
    print_pair(&page, "Roofline", ps_sentence_ceiling);
    print_pair(&page, "Prediction", ps_sentence_prediction);
    print_pair(&page, "Cross-check", ps_sentence_cross_check);
    print_pair(&page, "Code", ps_sentence_code);
    print_pair(&page, "How sure", ps_trust_describe);
    print_pair(&page, "Model", ps_sentence_model);
    print_difference(&page);
    if (versus->machine[0])
        compare_listings_text(versus, paper);
    print_warnings(&page);
}
