/* SPDX-License-Identifier: BSD-3-Clause */
/* See listing-text.h. */
#include "tell/listing-text.h"

#include "answer/words.h"
#include "base/level.h"
#include "base/message.h"
#include "sim/listen/waits.h"
#include "tell/format.h"
#include "tell/words.h"

#include <math.h>
#include <string.h>

/* ---- words ---------------------------------------------------------------------------------- */

char *ps_listing_control(const PsSassControl *control)
{
    g_autoptr(GString) text = g_string_new(NULL);
    if (control->wait)
        g_string_append_printf(text, "%02x", control->wait);
    else
        g_string_append(text, "--");
    const guint scoreboards[] = {control->read, control->write};
    for (guint i = 0; i < G_N_ELEMENTS(scoreboards); i++)
        if (scoreboards[i] == PS_SASS_NO_BARRIER)
            g_string_append(text, ":-");
        else
            g_string_append_printf(text, ":%u", scoreboards[i]);
    g_string_append_printf(text, ":%c:%02u", control->yield ? 'Y' : '-', control->stall);
    return g_strdup(text->str);
}

/* Numbers up to this one are written in full. */
#define MOST_DIGITS 1e5

char *ps_listing_issued(const PsListing *listing, const PsListingRow *row)
{
    const double times = ps_listing_per_warp(listing, row);
    if (!row->node)
        return g_strdup("-");
    return times < MOST_DIGITS ? g_strdup_printf("%.5g", times) : ps_format_scaled(times);
}

char *ps_listing_share(double share)
{
    return share > 0 ? g_strdup_printf("%.1f", 100 * share) : g_strdup("");
}

/* The largest wait; NULL: none. */
static const PsListingWait *main_wait(const PsListingRow *row)
{
    for (guint i = 0; i < row->waits->len; i++) {
        const PsListingWait *wait = &g_array_index(row->waits, PsListingWait, i);
        if (wait->kind != PS_WAIT_ISSUING)
            return wait;
    }
    return NULL;
}

char *ps_listing_cause(const PsListing *listing, const PsListingRow *row)
{
    const PsListingWait *wait = main_wait(row);
    const PsAnswer *answer = listing->answer;
    if (!wait)
        return g_strdup("");
    g_autoptr(GString) text = g_string_new(ps_wait_kind_name(wait->kind));
    g_autofree char *pipeline =
        wait->kind == PS_WAIT_QUEUE ? ps_pipeline_words(answer, wait->which) : NULL;
    if (wait->on != G_MAXUINT)
        g_string_append_printf(text, " %0*x", (int)ps_listing_address_width(listing),
                               wait->on * PS_SASS_BYTES);
    else if (wait->kind == PS_WAIT_QUEUE)
        g_string_append_printf(text, " %s", pipeline);
    if (wait->level < PS_N_LEVELS)
        g_string_append_printf(text, " %s", ps_level_name(wait->level));
    return ps_text_clean(text->str);
}

char *ps_listing_line(const PsListing *listing, const PsListingRow *row, guint width)
{
    g_autofree char *clean =
        ps_text_clean(listing->answer->idg->file ? listing->answer->idg->file : "");
    const char *number = row->line ? strrchr(row->line, ':') + 1 : NULL;
    if (!number)
        return g_strdup("");
    const gboolean own =
        strlen(clean) == (gsize)(number - 1 - row->line) && g_str_has_prefix(row->line, clean);
    return own ? g_strdup(number) : ps_format_cut(row->line, width);
}

guint ps_listing_address_width(const PsListing *listing)
{
    enum { LEAST = 4 };
    guint width = LEAST;
    for (guint last = listing->rows->len * PS_SASS_BYTES; last >> 4 * width > 0; width++)
        ;
    return width;
}

guint ps_listing_line_width(const PsListing *listing)
{
    enum { LEAST = 4, MOST = 14 };
    gsize width = LEAST;
    for (guint i = 0; i < listing->rows->len; i++) {
        g_autofree char *line = ps_listing_line(listing, listing->rows->pdata[i], MOST);
        width = MAX(width, strlen(line));
    }
    return (guint)MIN(width, MOST);
}

char *ps_listing_title(const PsListing *listing)
{
    const PsListingTotals totals = ps_listing_totals(listing);
    return g_strdup_printf("%u instructions for sm_%d, %u registers, of which %u are live at most",
                           totals.instructions, listing->code->capability, totals.registers,
                           totals.live);
}

/* ---- text ----------------------------------------------------------------------------------- */

/* Columns whose width depends on the listing. */
typedef struct {
    guint address, text, cause, line;
} Widths;

static Widths widths_of(const PsListing *listing)
{
    enum { DATA_OF_DEVICE = 12, OTHERS = 43 }; /* other columns, and all blanks in between */
    Widths widths = {.address = ps_listing_address_width(listing),
                     .line = ps_listing_line_width(listing)};
    widths.cause = DATA_OF_DEVICE + widths.address;
    widths.text = PS_LISTING_WIDTH - OTHERS - widths.address - widths.cause - widths.line;
    return widths;
}

static void print_row(const PsListing *listing, const PsListingRow *row, const Widths *widths,
                      GString *out)
{
    const double ticks = (double)listing->answer->result.ticks;
    g_autofree char *control = ps_listing_control(&row->instruction->control),
                    *clean = ps_text_clean(row->text), *text = ps_format_cut(clean, widths->text),
                    *issued = ps_listing_issued(listing, row),
                    *path = ps_listing_share(ticks > 0 ? (double)row->ticks / ticks : 0),
                    *waits = ps_listing_share(ps_listing_wait_share(listing, row->waited)),
                    *cause = ps_listing_cause(listing, row),
                    *cut = ps_format_cut(cause, widths->cause),
                    *line = ps_listing_line(listing, row, widths->line);
    g_string_append_printf(out, "%0*x %s %-*s %7s %5s %5s %-*s %*s %4u\n", (int)widths->address,
                           row->number * PS_SASS_BYTES, control, (int)widths->text, text, issued,
                           path, waits, (int)widths->cause, cut, (int)widths->line, line,
                           row->live);
}

void ps_listing_text(const PsListing *listing, const char *which, const PsPaper *paper)
{
    const Widths widths = widths_of(listing);
    g_autofree char *title = ps_listing_title(listing);
    g_autofree char *heading = which ? g_strdup_printf("Listing: %s (%s)", title, which)
                                     : g_strdup_printf("Listing: %s", title);
    ps_paper_heading(paper, heading);
    ps_paper_text(paper, "  ", PS_LISTING_CONTROL_WORDS);
    ps_paper_text(paper, "  ", PS_LISTING_COLUMN_WORDS);
    g_autoptr(GString) lines = g_string_new(NULL);
    g_string_append_printf(lines, "%-*s control     %-*s %7s %5s %5s %-*s %*s live\n",
                           (int)widths.address, "at", (int)widths.text, "instruction", "issued",
                           "path", "waits", (int)widths.cause, "for", (int)widths.line, "line");
    for (guint i = 0; i < listing->rows->len; i++)
        print_row(listing, listing->rows->pdata[i], &widths, lines);
    ps_paper_drawing(paper, lines->str);
}
