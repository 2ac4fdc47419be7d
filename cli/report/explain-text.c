/* SPDX-License-Identifier: BSD-3-Clause */
/* See explain.h. What helps comes first, then why: a reader may stop anywhere. */
#include "cli/report/explain.h"

#include "cli/report/table.h"
#include "pipesim-private.h"

#include <math.h>
#include <string.h>

/* Rows of a table: those with the largest shares; the others become one. */
#define MAX_ROWS 10

typedef struct {
    const PsAnswer *answer;
    const char *which;
    const Paper *paper;
} Page;

static void heading(const Page *page, const char *text)
{
    g_autofree char *both =
        page->which ? g_strdup_printf("%s (%s)", text, page->which) : g_strdup(text);
    paper_heading(page->paper, both);
}

static void add_words(Table *table, const char *words)
{
    g_auto(GStrv) list = g_strsplit(words, "|", 0);
    for (guint i = 0; list[i]; i++)
        table_add(table, g_strdup(list[i]));
}

/* ---- the critical path --------------------------------------------------------------------- */

/* A table of shares. */
typedef struct {
    const Page *page;
    Table *table;
    gboolean placed; /* with a column that says where most of each is; lines need none */
} Shares;

/* A sum of several shares has no share of its own: NULL. */
static void add_share(const Shares *shares, const char *name, gint64 ticks,
                      const PsExplainShare *share)
{
    const PsAnswer *answer = shares->page->answer;
    const gint64 all = answer->result.ticks;
    table_add(shares->table, g_strdup(name));
    table_add(shares->table, ps_format_share(all ? (double)ticks / (double)all : 0));
    table_add(shares->table, ps_format_rounded_cycles(ps_machine_cycles(answer->machine, ticks)));
    if (shares->placed)
        table_add(shares->table,
                  share ? ps_near_words(answer, share->program, share->node) : g_strdup(""));
}

/* What the time has besides, of no share of the path's, which is of the execution. */
static void add_besides(const Shares *shares, const char *name, PsRational cycles)
{
    table_add(shares->table, g_strdup(name));
    table_add(shares->table, g_strdup(""));
    table_add(shares->table, ps_format_rounded_cycles(cycles));
    if (shares->placed)
        table_add(shares->table, g_strdup(""));
}

static void add_launch(const Shares *shares)
{
    PsRational launch, whole;
    if (!ps_explain_launch(shares->page->answer, &launch, &whole))
        return;
    add_besides(shares, "the kernel's launch", launch);
    add_besides(shares, "with the launch", whole);
}

static void add_rows(const Shares *shares, const GPtrArray *list, ShareWords words)
{
    gint64 rest = 0;
    for (guint i = 0; i < list->len; i++) {
        const PsExplainShare *share = list->pdata[i];
        g_autofree char *name = words(shares->page->answer, share);
        if (i < MAX_ROWS || list->len == MAX_ROWS + 1)
            add_share(shares, name, share->ticks, share);
        else
            rest += share->ticks;
    }
    if (list->len > MAX_ROWS + 1) {
        g_autofree char *others = g_strdup_printf("%u others", list->len - MAX_ROWS);
        add_share(shares, others, rest, NULL);
    }
}

static void print_shares(const Page *page, const char *title, const GPtrArray *list,
                         ShareWords words)
{
    const PsExplain *explain = page->answer->explain;
    const gboolean placed = list != explain->by_line && ps_answer_has_lines(page->answer);
    g_autoptr(Table) table = table_new(placed ? "lrrl" : "lrr");
    const Shares shares = {page, table, placed};
    g_autofree char *head = g_strdup_printf("%s|share|cycles%s", title, placed ? "|most at" : "");
    add_words(table, head);
    add_rows(&shares, list, words);
    add_share(&shares, "in all", page->answer->result.ticks, NULL);
    if (list == explain->by_class)
        add_launch(&shares);
    table_tighten(table);
    paper_table(page->paper, table, 2);
}

/* What near means, where it is said. */
static void print_lines(const Page *page)
{
    const GPtrArray *lines = page->answer->explain->by_line;
    if (!ps_answer_has_lines(page->answer)) {
        paper_text(page->paper, "  ",
                   "The graph states no source lines: code has them that is compiled with "
                   "-lineinfo.");
        return;
    }
    print_shares(page, "by source line", lines, ps_line_share_words);
    gboolean near = FALSE;
    for (guint i = 0; i < lines->len; i++)
        near |= ((const PsExplainShare *)lines->pdata[i])->near > 0;
    if (near)
        paper_text(page->paper, "  ",
                   "What has no line of its own is charged to the line before it; \"near\" a line "
                   "is nothing else.");
}

/* A full CU has no time of its own: it is full of what the groups there do. */
static void print_places(const Page *page)
{
    const gint64 places = page->answer->explain->places;
    g_autofree char *times = ps_format_noun(places, "time");
    g_autofree char *text =
        g_strdup_printf("A group waited for a place on the CU %s: the time is charged to what the "
                        "group before it did.",
                        times);
    if (places > 0)
        paper_text(page->paper, "  ", text);
}

static void print_path(const Page *page)
{
    const PsExplain *explain = page->answer->explain;
    heading(page, "Critical path: what the time went to, from the end back to the start");
    if (!explain->path) {
        paper_text(page->paper, "  ", explain->problem);
        return;
    }
    print_shares(page, "by class", explain->by_class, ps_class_share_words);
    print_places(page);
    paper_gap(page->paper);
    print_lines(page);
    paper_gap(page->paper);
    print_shares(page, "by pipeline", explain->by_pipeline, ps_pipeline_share_words);
}

/* ---- waits --------------------------------------------------------------------------------- */

static void print_waits(const Page *page)
{
    const PsExplain *explain = page->answer->explain;
    g_autoptr(Table) table = table_new("lr");
    double rest = 0;
    guint n_rest = 0;
    heading(page, "Where warps are (shares of the time of all places for warps)");
    for (guint i = 0; i < explain->waits->len; i++) {
        const PsWaitRow *row = explain->waits->pdata[i];
        if (i >= MAX_ROWS && explain->waits->len > MAX_ROWS + 1) {
            rest += ps_explain_wait_share(explain, row);
            n_rest++;
            continue;
        }
        table_add(table, ps_wait_words(page->answer, row));
        table_add(table, ps_format_share(ps_explain_wait_share(explain, row)));
    }
    if (n_rest) {
        table_add(table, g_strdup_printf("%u others", n_rest));
        table_add(table, ps_format_share(rest));
    }
    table_omit_head(table);
    table_tighten(table);
    paper_table(page->paper, table, 2);
}

/* ---- occupancy over time ------------------------------------------------------------------- */

#define BARS 4

/* A line of the chart: where the warps reach that far, of `most`. A part that is reached by less
 * than half is empty. */
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
    paper_drawing(page->paper, lines->str);
    g_autofree char *share = ps_format_share((double)explain->tail / (double)answer->result.ticks);
    g_autofree char *cycles =
        ps_format_rounded_cycles(ps_machine_cycles(answer->machine, explain->tail));
    g_autofree char *groups = ps_format_noun(launch->active_groups, "group");
    g_autofree char *text =
        explain->tail > 0
            ? g_strdup_printf("Tail: fewer than %s in the last %s cycles, %s of the time", groups,
                              cycles, share)
            : g_strdup("Tail: none, all places are taken to the end");
    paper_text(page->paper, "  ", text);
}

/* ---- sensitivity --------------------------------------------------------------------------- */

/* A change of the time: "-48.1 %", "0", "-" for what cannot be. */
static char *format_change(const PsAnswer *answer, double seconds)
{
    if (isnan(seconds) || answer->seconds <= 0)
        return g_strdup("-");
    const double change = seconds / answer->seconds - 1;
    if (change == 0)
        return g_strdup("0");
    g_autofree char *share = ps_format_share(fabs(change));
    return g_strdup_printf("%c%s", change < 0 ? '-' : '+', share);
}

static char *name_sensitivity(const PsAnswer *answer, const PsSensitivity *row)
{
    g_autofree char *name = ps_idg_class_words(answer->idg, row->class_name);
    if (!name)
        return g_strdup(ps_varies_words(answer, row->varies));
    return g_strdup_printf("%s %s", name,
                           ps_varies_of_level(row->varies)  ? ps_varies_words(answer, row->varies)
                           : row->varies == PS_VARIES_ISSUE ? "lambda"
                                                            : "Lambda");
}

static void add_sensitivity(Table *table, const PsAnswer *answer, const PsSensitivity *row)
{
    table_add(table, name_sensitivity(answer, row));
    table_add(table, ps_sensitivity_value(row));
    for (guint i = 0; i < PS_SENSITIVITY_FACTORS; i++)
        table_add(table, format_change(answer, row->seconds[i]));
    /* No "-0.00". */
    table_add(table, ps_format_elasticity(row->elasticity));
}

static void print_avoidables(const Page *page)
{
    const GPtrArray *avoidables = page->answer->sensitivities->avoidables;
    for (guint i = 0; i < avoidables->len; i++) {
        const PsAvoidable *avoidable = avoidables->pdata[i];
        g_autofree char *class_name = ps_idg_class_words(page->answer->idg, avoidable->class_name);
        g_autofree char *change = format_change(page->answer, avoidable->seconds);
        const char *how = avoidable->sectors ? "coalesced"
                          : avoidable->plain ? "without conflicts"
                                             : "as the GPU has it";
        g_autofree char *text = g_strdup_printf("%s %s: %s", class_name, how, change);
        paper_text(page->paper, "  ", text);
    }
}

/* What did not do, once for each reason. */
static void print_reasons(const Page *page)
{
    const GPtrArray *rows = page->answer->sensitivities->rows;
    g_autoptr(GHashTable) said = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < rows->len; i++) {
        const PsSensitivity *row = rows->pdata[i];
        for (guint k = 0; k < PS_SENSITIVITY_FACTORS; k++)
            if (row->why[k] && g_hash_table_add(said, row->why[k])) {
                g_autofree char *text = g_strdup_printf(
                    "%s: %s", ps_varies_words(page->answer, row->varies), row->why[k]);
                paper_text(page->paper, "  - ", text);
            }
    }
}

static void print_sensitivity(const Page *page)
{
    const PsAnswer *answer = page->answer;
    const GPtrArray *rows = answer->sensitivities->rows;
    heading(page, "Sensitivity: the time, if one thing changes");
    g_autoptr(Table) table = table_new("lrrrrr");
    add_words(table, "|now|half|+10 %|double|elasticity");
    for (guint i = 0; i < rows->len; i++)
        add_sensitivity(table, answer, rows->pdata[i]);
    table_tighten(table);
    paper_table(page->paper, table, 2);
    print_avoidables(page);
    print_reasons(page);
}

/* ---- advice -------------------------------------------------------------------------------- */

static void print_advice(const Page *page)
{
    const GPtrArray *list = page->answer->advice;
    heading(page, "Advice");
    if (!list->len)
        paper_text(page->paper, "  - ",
                   "nothing that was tried before time was out gives more than 2 %");
    for (guint i = 0; i < list->len; i++) {
        g_autofree char *sentence = ps_placed_advice_sentence(page->answer, list->pdata[i]);
        paper_text(page->paper, "  - ", sentence);
    }
    if (page->answer->occupancy_step && !page->answer->occupancy_step->pays) {
        g_autofree char *sentence = ps_step_sentence(page->answer);
        paper_text(page->paper, "  ", sentence);
    }
}

/* -------------------------------------------------------------------------------------------- */

void explain_text(const PsAnswer *answer, guint shows, const char *which, const Paper *paper)
{
    const Page page = {answer, which, paper};
    if (answer->advice && shows & EXPLAIN_SHOWS_ADVICE)
        print_advice(&page);
    if (answer->sensitivities && shows & EXPLAIN_SHOWS_SENSITIVITY)
        print_sensitivity(&page);
    if (answer->explain && shows & EXPLAIN_SHOWS_PATH) {
        print_path(&page);
        print_waits(&page);
        print_occupancy(&page);
    }
}
