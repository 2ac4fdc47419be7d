/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The page for people, 80 columns wide. It goes from the answer (how long, how fast, what limits
 * it, what would help) over what was asked for besides to what it rests on (how sure it is, the
 * launch, the bounds); the figures behind (pipelines, classes, source lines) are there on demand.
 */
#include "cli/report/answer.h"

#include "cli/report/explain.h"
#include "cli/report/listing.h"
#include "cli/report/roofline.h"
#include "cli/report/table.h"
#include "pipesim-private.h"

#include <math.h>
#include <string.h>

/* Source lines that are listed: those that keep a pipeline busy longest. */
#define MAX_LINES 10

typedef struct {
    const Report *report;
    const PsTold *facts, *what_if; /* of the report's answers; NULL where there is no what-if */
    const Paper *paper;
} Page;

/* ---- summary ------------------------------------------------------------------------------- */

static void print_title(const Page *page)
{
    const PsAnswer *answer = page->report->answer;
    const PsGpu *gpu = answer->gpu;
    g_autofree char *chip = ps_format_chip(gpu, answer->clock);
    g_autofree char *rest = g_strdup_printf(" on %s (%s)", gpu->name, chip);
    paper_title(page->paper, answer->idg->name, rest);
    if (answer->idg->title)
        paper_text(page->paper, "", answer->idg->title);
    paper_gap(page->paper);
}

static char *describe_rate(const PsAnswer *answer)
{
    const double gflops = ps_answer_gflops(answer, answer->seconds);
    return gflops > 0 ? ps_format_number(gflops) : g_strdup("-");
}

static void print_line(const Page *page, const char *label, const char *text)
{
    g_autofree char *first = g_strdup_printf("%-14s", label);
    paper_text(page->paper, first, text);
}

/* The sentences of a view; with those of the what-if that differ. */
static void print_sentences(const Page *page, PsViewId view)
{
    g_autoptr(GPtrArray) lines = ps_view_sentences(view, page->facts, page->what_if);
    for (guint i = 0; i + 1 < lines->len; i += 2)
        print_line(page, lines->pdata[i], lines->pdata[i + 1]);
}

static void print_skipped(const Page *page)
{
    const double skipped = ps_answer_skipped(page->report->answer);
    g_autofree char *share = ps_format_share(skipped);
    g_autofree char *text =
        g_strdup_printf("%s of the cycles: they repeat what was simulated", share);
    if (skipped > 0)
        print_line(page, "Skipped", text);
}

/* ---- with and without a what-if ------------------------------------------------------------ */

static void add_pair(Table *table, const char *label, char *as_is, char *what_if, char *ratio)
{
    table_add(table, g_strdup(label));
    table_add(table, as_is);
    table_add(table, what_if);
    table_add(table, ratio);
}

/* Which of the two the roofline holds back. */
static const char *describe_clamped(const PsAnswer *a, const PsAnswer *b)
{
    return a->clamped && b->clamped ? "both times, to what the roofline allows"
           : a->clamped             ? "the time as it is, to what the roofline allows"
                                    : "the time of the what-if, to what the roofline allows";
}

static void print_side_by_side(const Page *page)
{
    const PsAnswer *a = page->report->answer, *b = page->report->what_if;
    const double ratio = ps_answer_ratio(b, a);
    g_autoptr(Table) table = table_new("lrrr");
    add_pair(table, "", g_strdup("as it is"), g_strdup("what if"), g_strdup("ratio"));
    add_pair(table, "Time", ps_sentence_seconds(a), ps_sentence_seconds(b),
             ps_format_number(ratio));
    if (a->clamped || b->clamped)
        add_pair(table, "Simulated", ps_format_time(a->simulated), ps_format_time(b->simulated),
                 g_strdup(""));
    add_pair(table, "Cycles", ps_format_rounded_cycles(a->result.cycles),
             ps_format_rounded_cycles(b->result.cycles), g_strdup(""));
    if (a->flops > 0)
        add_pair(table, "GFLOP/s", describe_rate(a), describe_rate(b), ps_format_number(1 / ratio));
    add_pair(table, "Busiest", ps_sentence_busiest(a), ps_sentence_busiest(b), g_strdup(""));
    paper_table(page->paper, table, 0);
    paper_gap(page->paper);
    print_line(page, "What if", page->report->what_if_text);
    if (a->clamped || b->clamped)
        print_line(page, "Clamped", describe_clamped(a, b));
}

/* ---- the answer, and what it rests on ------------------------------------------------------ */

static void print_answer(const Page *page)
{
    print_sentences(page, PS_VIEW_ANSWER_PARTIAL);
    if (page->what_if)
        print_side_by_side(page);
    else
        print_sentences(page, PS_VIEW_ANSWER_TIMES);
    print_sentences(page, PS_VIEW_ANSWER_LIMIT);
    if (!(page->report->shows & EXPLAIN_SHOWS_ADVICE))
        print_sentences(page, PS_VIEW_ANSWER_HELP);
}

static void print_listing(const Page *page, const PsAnswer *answer, const char *which)
{
    g_autoptr(PsListing) listing = ps_listing_new(answer, page->report->machine);
    listing_text(listing, which, page->paper);
}

/* What somebody asked for is not below what everybody gets. */
static void print_asked(const Page *page)
{
    const Report *report = page->report;
    if (report->timeline)
        paper_drawing(page->paper, report->timeline);
    explain_text(report->answer, report->shows, report->what_if ? "as it is" : NULL, page->paper);
    if (report->what_if)
        explain_text(report->what_if, report->shows, "what if", page->paper);
    if (report->machine)
        print_listing(page, report->answer, report->what_if ? "as it is" : NULL);
    if (report->machine && report->what_if)
        print_listing(page, report->what_if, "what if");
    if (report->timeline || report->shows || report->machine)
        paper_gap(page->paper);
}

/* ---- pipelines, classes, lines ------------------------------------------------------------- */

static void add_words(Table *table, const char *words)
{
    g_auto(GStrv) list = g_strsplit(words, "|", 0);
    for (guint i = 0; list[i]; i++)
        table_add(table, g_strdup(list[i]));
}

static void add_busy(Table *table, const PsAnswer *answer, const PsStatsRow *row)
{
    table_add(table, ps_format_share(ps_answer_share(answer, row)));
}

static void add_wait(Table *table, const PsAnswer *answer, const PsStatsRow *row)
{
    table_add(table, ps_format_number(ps_answer_mean(answer, row->queued, row->issued)));
}

static Table *table_of_rows(const Report *report)
{
    Table *table = table_new(report->what_if ? "lrrrrr" : "lrrr");
    add_words(table, report->what_if ? "|instructions|busy|what if|wait|what if"
                                     : "|instructions|busy|wait");
    return table;
}

/* A row of the run and, where there is a what-if, the same of that. */
static void add_row(Table *table, const Report *report, char *name, const PsStatsRow *row,
                    const PsStatsRow *other)
{
    table_add(table, name /* taken */);
    table_add(table, ps_format_count(row->issued));
    add_busy(table, report->answer, row);
    if (other)
        add_busy(table, report->what_if, other);
    add_wait(table, report->answer, row);
    if (other)
        add_wait(table, report->what_if, other);
}

/* What issues does not depend on latencies: pipelines, classes and lines are the same in both
 * runs. */
static void print_pipelines(const Page *page)
{
    const PsAnswer *a = page->report->answer, *b = page->report->what_if;
    paper_heading(page->paper, "Pipelines");
    g_autoptr(Table) table = table_of_rows(page->report);
    for (guint i = 0; i < a->pipelines->len; i++) {
        const PsStatsRow *row = a->pipelines->pdata[i];
        add_row(table, page->report, ps_answer_pipeline_words(a, row->name), row,
                b ? b->pipelines->pdata[i] : NULL);
    }
    paper_table(page->paper, table, 2);
}

static char *describe_level(const PsServerRow *row)
{
    if (row->level == PS_LEVEL_DEVICE)
        return g_strdup("device memory");
    return row->level < PS_N_LEVELS ? g_ascii_strup(row->name, -1) : ps_server_words(row);
}

/* "2.1e+06", and of what is no level nothing. */
static char *describe_scaled(const PsServerRow *row, double value)
{
    return row->level < PS_N_LEVELS ? ps_format_scaled(value) : g_strdup("");
}

static void add_level(Table *table, const Page *page, guint i)
{
    const PsAnswer *a = page->report->answer, *b = page->report->what_if;
    const PsServerRow *row = a->servers->pdata[i];
    const double bytes = ps_server_bytes(a, row), hits = ps_server_hits(a, row);
    table_add(table, describe_level(row));
    table_add(table, ps_format_share(ps_server_utilization(a, row)));
    if (b)
        table_add(table, ps_format_share(ps_server_utilization(b, b->servers->pdata[i])));
    table_add(table, describe_scaled(row, bytes));
    table_add(table, describe_scaled(row, bytes / ps_answer_execution(a)));
    table_add(table, isnan(hits) ? g_strdup("") : ps_format_share(hits));
}

/* A what-if of classes or levels leaves the levels that there are. */
static void print_levels(const Page *page)
{
    const Report *report = page->report;
    const GPtrArray *servers = report->answer->servers;
    if (!ps_busiest_server(report->answer))
        return;
    paper_heading(page->paper,
                  "Memory (bytes of the launch; hits: those that need no level behind)");
    g_autoptr(Table) table = table_new(report->what_if ? "lrrrrr" : "lrrrr");
    add_words(table,
              report->what_if ? "|busy|what if|bytes|bytes/s|hits" : "|busy|bytes|bytes/s|hits");
    for (guint i = 0; i < servers->len; i++)
        add_level(table, page, i);
    paper_table(page->paper, table, 2);
}

/* The class that was asked for, and the one that served it if that is another. */
static char *describe_class(const PsAnswer *answer, guint class_index)
{
    const PsMachineClass *entry = &answer->machine->classes[class_index];
    g_autofree char *asked = ps_answer_class_words(answer, class_index);
    g_autofree char *served = ps_idg_class_words(answer->idg, entry->class->name);
    return entry->match == PS_MATCH_EXACT ? g_steal_pointer(&asked)
                                          : g_strdup_printf("%s -> %s", asked, served);
}

/* A latency, and after an arrow what it is in the what-if if that differs. */
static char *describe_latency(PsRational as_is, const PsRational *what_if)
{
    g_autofree char *text = ps_format_latency(as_is);
    if (!what_if || ps_rational_cmp(as_is, *what_if) == 0)
        return g_steal_pointer(&text);
    g_autofree char *other = ps_format_latency(*what_if);
    return g_strdup_printf("%s -> %s", text, other);
}

static void add_class(Table *table, const Report *report, guint i)
{
    const PsAnswer *a = report->answer, *b = report->what_if;
    const PsStatsRow *row = a->classes->pdata[i];
    const PsMachineClass *entry = &a->machine->classes[i];
    const PsLatency *other = b ? &b->machine->classes[i].latency : NULL;
    g_autofree char *pipeline = ps_pipeline_words(a, entry->pipeline);
    table_add(table, describe_class(a, i));
    table_add(table, g_strdup_printf("%s%s", pipeline, entry->per_scheduler ? " (each)" : ""));
    if (ps_class_differs(a->machine, i)) {
        table_add(table, g_strdup("by"));
        table_add(table, g_strdup("levels"));
    } else {
        table_add(table, describe_latency(entry->latency.issue, other ? &other->issue : NULL));
        table_add(table,
                  describe_latency(entry->latency.completion, other ? &other->completion : NULL));
    }
    if (!b) {
        table_add(table, ps_format_count(row->issued));
        add_busy(table, a, row);
    }
    add_wait(table, a, row);
    if (b)
        add_wait(table, b, b->classes->pdata[i]);
}

static void print_classes(const Page *page)
{
    const Report *report = page->report;
    paper_heading(page->paper,
                  "Instruction classes (lambda: issue, Lambda: completion latency, in cycles)");
    g_autoptr(Table) table = table_new(report->what_if ? "llrrrr" : "llrrrrr");
    add_words(table, report->what_if ? "|pipeline|lambda|Lambda|wait|what if"
                                     : "|pipeline|lambda|Lambda|instructions|busy|wait");
    for (guint i = 0; i < report->answer->machine->n_classes; i++)
        add_class(table, report, i);
    paper_table(page->paper, table, 2);
}

/* Orders two numbers of lines: the busier line comes first. */
static int by_busy(const void *a, const void *b, void *lines)
{
    const PsStatsRow *x = ((GPtrArray *)lines)->pdata[*(const guint *)a];
    const PsStatsRow *y = ((GPtrArray *)lines)->pdata[*(const guint *)b];
    return (x->busy < y->busy) - (x->busy > y->busy);
}

/* Numbers of all lines, the busiest first if not all are shown. */
static GArray *order_lines(const GPtrArray *lines)
{
    GArray *order = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < lines->len; i++)
        g_array_append_val(order, i);
    if (lines->len > MAX_LINES)
        g_array_sort_with_data(order, by_busy, (void *)lines);
    return order;
}

/* A line of which several pipelines serve instructions can keep all of them busy at once. */
static gboolean is_above_all(const PsAnswer *answer)
{
    for (guint i = 0; answer && i < answer->lines->len; i++)
        if (ps_answer_share(answer, answer->lines->pdata[i]) > 1)
            return TRUE;
    return FALSE;
}

static void print_lines(const Page *page)
{
    const PsAnswer *a = page->report->answer, *b = page->report->what_if;
    if (!a->lines->len)
        return;
    paper_heading(page->paper, "Source lines");
    const guint n = MIN(a->lines->len, MAX_LINES);
    g_autofree char *more = g_strdup_printf("  and %u more that are less busy", a->lines->len - n);
    g_autoptr(GArray) order = order_lines(a->lines);
    g_autoptr(Table) table = table_of_rows(page->report);
    for (guint i = 0; i < n; i++) {
        const guint line = g_array_index(order, guint, i);
        const PsStatsRow *row = a->lines->pdata[line];
        add_row(table, page->report, g_strdup(row->name), row, b ? b->lines->pdata[line] : NULL);
    }
    paper_table(page->paper, table, 2);
    if (n < a->lines->len)
        paper_line(page->paper, more);
    if (is_above_all(a) || is_above_all(b))
        paper_text(
            page->paper, "  ",
            "busy: how long the line kept pipelines busy, which is above 100 % where it kept "
            "several");
}

/* What is assumed has a line of the summary. */
static void print_warnings(const Page *page)
{
    const PsAnswer *answer = page->report->answer;
    if (answer->warnings->len > answer->n_assumed)
        paper_heading(page->paper, "Warnings");
    for (guint i = 0; i < answer->warnings->len; i++)
        if (i < answer->assumed || i >= answer->assumed + answer->n_assumed)
            paper_text(page->paper, "  - ", answer->warnings->pdata[i]);
}

static void print_tables(const Page *page)
{
    const PsAnswer *answer = page->report->answer;
    print_skipped(page);
    if (answer->pipelines->len) {
        g_autofree char *where = ps_sentence_cus(answer);
        g_autofree char *text =
            g_strdup_printf("On %s (wait: mean cycles that a ready instruction queues)", where);
        paper_preface(page->paper, text);
        print_pipelines(page);
        print_levels(page);
        print_classes(page);
    }
    print_lines(page);
    if (has_roofline_values(answer)) {
        paper_heading(page->paper,
                      "Quantitative roofline (operations, bytes, and these per second)");
        print_roofline_values(&answer->roofline, page->paper);
    }
}

guint warnings_apart(const PsAnswer *answer, gboolean in_report, gboolean read)
{
    return !in_report ? answer->warnings->len : read ? 0 : answer->assumed;
}

void report_text(const Report *report, const Paper *paper)
{
    g_autoptr(PsTold) facts = ps_answer_told(report->answer, report->measured);
    g_autoptr(PsTold) what_if =
        report->what_if ? ps_answer_told(report->what_if, report->measured) : NULL;
    const Page page = {report, facts, what_if, paper};
    print_title(&page);
    print_answer(&page);
    print_asked(&page);
    print_sentences(&page, PS_VIEW_ANSWER_GROUNDS);
    if (report->tables)
        print_tables(&page);
    else if (!paper->markdown)
        print_line(&page, "More",
                   "--tables (by pipeline, class and line), --explain (where the time goes), "
                   "--advise (what each change would give)");
    print_warnings(&page);
}
