/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two listings as one: an instruction of both, perhaps with other registers, stands on one line. An
 * instruction of A that B lacks is marked "-", one that B adds "+", one with other operands "~",
 * and one that B has in another place ">".
 */
#include "tell/comparison-page.h"

#include "answer/listing.h"
#include "base/message.h"
#include "tell/format.h"
#include "tell/listing-text.h"
#include "tell/table.h"

#include <math.h>
#include <string.h>

typedef struct {
    PsListing *sides[2];
    GArray *pairs;
} Both;

static void both_clear(Both *both)
{
    ps_listing_free(both->sides[0]);
    ps_listing_free(both->sides[1]);
    g_array_unref(both->pairs);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Both, both_clear)

static Both both_of(const PsVersus *versus)
{
    Both both = {
        .sides = {ps_listing_new(versus->comparison->answers[0], versus->sides[0].machine),
                  ps_listing_new(versus->comparison->answers[1], versus->sides[1].machine)}};
    both.pairs = ps_listing_align(both.sides[0], both.sides[1]);
    return both;
}

static double cycles_of(const PsListing *listing, const PsListingRow *row)
{
    return row ? ps_rational_to_double(ps_machine_cycles(listing->answer->machine, row->ticks)) : 0;
}

static guint count_of(const Both *both, PsListingChange change)
{
    guint n = 0;
    for (guint i = 0; i < both->pairs->len; i++)
        n += g_array_index(both->pairs, PsListingPair, i).change == change;
    return n;
}

/* ---- for people ----------------------------------------------------------------------------- */

static void add_figure(PsTable *table, const char *name, double a, double b)
{
    ps_table_add(table, g_strdup(name));
    ps_table_add(table, g_strdup_printf("%.6g", a));
    ps_table_add(table, g_strdup_printf("%.6g", b));
    ps_table_add(table, a == b ? g_strdup("0") : g_strdup_printf("%+.5g", b - a));
}

static void print_figures(const Both *both, const PsPaper *paper)
{
    const PsListingTotals a = ps_listing_totals(both->sides[0]),
                          b = ps_listing_totals(both->sides[1]);
    g_autoptr(PsTable) table = ps_table_new("lrrr");
    ps_table_add(table, g_strdup(""));
    ps_table_add(table, g_strdup("A"));
    ps_table_add(table, g_strdup("B"));
    ps_table_add(table, g_strdup("B - A"));
    add_figure(table, "Registers of a thread", a.registers, b.registers);
    add_figure(table, "... live at once, at most", a.live, b.live);
    add_figure(table, "Instructions in the code", a.instructions, b.instructions);
    add_figure(table, "... that a warp issues", a.issued, b.issued);
    add_figure(table, "Bytes of a thread's stack", (double)a.stack, (double)b.stack);
    add_figure(table, "Local loads and stores (spills) in the code", a.loads + a.stores,
               b.loads + b.stores);
    add_figure(table, "... that a warp issues", a.spills, b.spills);
    ps_paper_table(paper, table, 2);
}

/* Cycles of the path in a short form, so that columns have one width for all runs (g_free). */
static char *format_path(double cycles)
{
    enum { MOST_WRITTEN_OUT = 1000000 };
    if (cycles == 0)
        return g_strdup("");
    return fabs(cycles) < MOST_WRITTEN_OUT ? g_strdup_printf("%.0f", cycles)
                                           : ps_format_scaled(cycles);
}

static void append_side(const Both *both, const PsListingPair *pair, guint side, GString *out)
{
    const PsListing *listing = both->sides[side];
    const PsListingRow *row = pair->rows[side];
    const int width = (int)MAX(ps_listing_address_width(both->sides[0]),
                               ps_listing_address_width(both->sides[1]));
    g_autofree char *path = row ? format_path(cycles_of(listing, row)) : g_strdup("");
    g_autofree char *issued = row ? ps_listing_issued(listing, row) : g_strdup("");
    if (row)
        g_string_append_printf(out, "%0*x ", width, row->number * PS_SASS_BYTES);
    else
        g_string_append_printf(out, "%*s ", width, "");
    g_string_append_printf(out, "%6s %8s ", issued, path);
}

static void print_line(const Both *both, const PsListingPair *pair, char mark, guint side,
                       GString *out)
{
    enum { OTHERS = 46 };
    const PsListingRow *row = pair->rows[side];
    const guint width =
        MAX(ps_listing_address_width(both->sides[0]), ps_listing_address_width(both->sides[1]));
    const double difference =
        cycles_of(both->sides[1], pair->rows[1]) - cycles_of(both->sides[0], pair->rows[0]);
    g_autofree char *number = format_path(difference);
    g_autofree char *change = g_strconcat(difference > 0 ? "+" : "", number, NULL);
    g_autofree char *clean = ps_text_clean(row->text);
    g_autofree char *text = ps_format_cut(clean, PS_LISTING_WIDTH - OTHERS - 2 * width);
    g_string_append_printf(out, "%c ", mark);
    append_side(both, pair, 0, out);
    append_side(both, pair, 1, out);
    g_string_append_printf(out, "%9s %s\n", change, text);
}

static void print_pair(const Both *both, const PsListingPair *pair, GString *out)
{
    static const char marks[] = {[PS_LISTING_SAME] = ' ',
                                 [PS_LISTING_CHANGED] = '~',
                                 [PS_LISTING_MOVED] = '>',
                                 [PS_LISTING_ONLY_A] = '-',
                                 [PS_LISTING_ONLY_B] = '+'};
    print_line(both, pair, marks[pair->change], pair->rows[1] ? 1 : 0, out);
}

void ps_versus_listings(const PsVersus *versus, const PsPaper *paper)
{
    g_auto(Both) both = both_of(versus);
    const int width =
        (int)MAX(ps_listing_address_width(both.sides[0]), ps_listing_address_width(both.sides[1]));
    g_autofree char *counts = g_strdup_printf(
        "%u instructions are the same, in other registers perhaps; ~ %u have other operands or "
        "another guard; > %u are in another place; - %u are A's alone; + %u are B's alone. issued: "
        "by a warp, in the mean; "
        "path: cycles of the critical path; change: B's less A's",
        count_of(&both, PS_LISTING_SAME), count_of(&both, PS_LISTING_CHANGED),
        count_of(&both, PS_LISTING_MOVED), count_of(&both, PS_LISTING_ONLY_A),
        count_of(&both, PS_LISTING_ONLY_B));
    ps_paper_heading(paper, "The machine code of both");
    print_figures(&both, paper);
    ps_paper_text(paper, "  ", counts);
    g_autoptr(GString) lines = g_string_new(NULL);
    g_string_append_printf(lines, "  %-*s %6s %8s %-*s %6s %8s %9s instruction\n", width, "A",
                           "issued", "path", width, "B", "issued", "path", "change");
    for (guint i = 0; i < both.pairs->len; i++)
        print_pair(&both, &g_array_index(both.pairs, PsListingPair, i), lines);
    ps_paper_drawing(paper, lines->str);
}
