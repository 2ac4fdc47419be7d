/* SPDX-License-Identifier: BSD-3-Clause */
/* The executed machine code with the time of each instruction: the longer, the deeper its
 * colour. */
#include "tell/page/page.h"

#include "answer/listing.h"
#include "tell/html.h"
#include "tell/listing-text.h"
#include "tell/page/markup.h"

static void put_code(GString *out, char *text)
{
    g_string_append(out, "<td><code>");
    ps_html_text(out, text);
    g_string_append(out, "</code></td>");
    g_free(text);
}

static void put_row(const PsListing *listing, const PsListingRow *row, GString *out)
{
    enum { WIDEST_LINE = 40 };
    const double ticks = (double)listing->answer->result.ticks;
    const double share = ticks > 0 ? (double)row->ticks / ticks : 0;
    if (share > 0)
        g_string_append_printf(out, "<tr style='background:rgba(var(--heat),%.3f)'>",
                               0.05 + 0.3 * share);
    else
        g_string_append(out, "<tr>");
    g_string_append_printf(out, "<th scope='row' class='quiet'><code>%0*x</code></th>",
                           (int)ps_listing_address_width(listing), row->number * PS_SASS_BYTES);
    put_code(out, ps_listing_control(&row->instruction->control));
    put_code(out, g_strdup(row->text));
    ps_markup_take(out, "td class='n'", ps_listing_issued(listing, row));
    ps_markup_take(out, "td class='n'", ps_listing_share(share));
    ps_markup_take(out, "td class='n'",
                   ps_listing_share(ps_listing_wait_share(listing, row->waited)));
    ps_markup_take(out, "td", ps_listing_cause(listing, row));
    ps_markup_take(out, "td class='n'", ps_listing_line(listing, row, WIDEST_LINE));
    ps_markup_take(out, "td class='n'", g_strdup_printf("%u", row->live));
    g_string_append(out, "</tr>\n");
}

void ps_page_put_listing(const PsPage *page, GString *out)
{
    if (!page->report->machine)
        return;
    g_autoptr(PsListing) listing = ps_listing_new(page->report->answer, page->report->machine);
    g_autofree char *title = ps_listing_title(listing);
    ps_markup_fold(out, "Machine code");
    ps_markup_take(out, "p", g_strdup_printf("%s.", title));
    ps_html_element(out, "p class='quiet'", PS_LISTING_CONTROL_WORDS ".");
    ps_html_element(out, "p class='quiet'", PS_LISTING_COLUMN_WORDS ".");
    g_string_append(out, "<div class='scroll'><table class='source code'>\n");
    ps_markup_head(out, "|<control|<instruction|issued|path|waits|<for|line|live");
    g_string_append(out, "<tbody>\n");
    for (guint i = 0; i < listing->rows->len; i++)
        put_row(listing, listing->rows->pdata[i], out);
    g_string_append(out, "</tbody></table></div>\n");
    ps_markup_unfold(out);
}
