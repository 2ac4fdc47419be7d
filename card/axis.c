/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws a time axis as a bar of columns, as wide as the program takes. A column has the colour of
 * the work that takes most of its time, or none if less than half of it is busy. So a page stays
 * small, however many launches there are.
 */
#include "card/axis.h"

#include "card/summary.h"
#include "tell/format.h"
#include "tell/html.h"
#include "tell/page/markup.h"

#include <math.h>

#define COLUMNS 400

typedef struct {
    double busy[COLUMNS][PS_CARD_COLOURS]; /* busy seconds, by colour */
    double all, last;                      /* busy seconds in all, and the whole axis's */
} Bar;

static Bar *bar_new(double last)
{
    Bar *bar = g_new0(Bar, 1);
    bar->last = last;
    return bar;
}

static void add(Bar *bar, double begin, double seconds, guint colour)
{
    const double step = bar->last / COLUMNS, end = begin + seconds;
    if (isnan(seconds) || step <= 0)
        return;
    bar->all += seconds;
    for (guint i = (guint)MIN(begin / step, COLUMNS - 1); i < COLUMNS && i * step < end; i++)
        bar->busy[i][colour] += MAX(fmin(end, (i + 1) * step) - fmax(begin, i * step), 0);
}

/* The colour of a column; PS_CARD_COLOURS: none. */
static guint colour_at(const Bar *bar, guint column)
{
    double all = 0;
    guint most = 0;
    for (guint i = 0; i < PS_CARD_COLOURS; i++) {
        all += bar->busy[column][i];
        most = bar->busy[column][i] > bar->busy[column][most] ? i : most;
    }
    return all >= bar->last / COLUMNS / 2 ? most : PS_CARD_COLOURS;
}

static void put_bar(const Bar *bar, const char *label, GString *out)
{
    g_autofree char *share = ps_format_share(bar->all / bar->last);
    g_autofree char *text = g_strdup_printf("%s: busy %s of the time", label, share);
    ps_html_element(out, "h3", text);
    g_string_append(out, "<div class='bar' role='img' aria-label='");
    ps_html_text(out, text);
    g_string_append(out, "'>");
    for (guint i = 0, next; i < COLUMNS; i = next) {
        const guint colour = colour_at(bar, i);
        for (next = i + 1; next < COLUMNS && colour_at(bar, next) == colour;)
            next++;
        const double width = 100.0 * (next - i) / COLUMNS;
        if (colour == PS_CARD_COLOURS)
            g_string_append_printf(out, "<span style='width:%.2f%%'></span>", width);
        else
            g_string_append_printf(out, "<span class='c%u' style='width:%.2f%%'></span>", colour,
                                   width);
    }
    g_string_append(out, "</div>\n");
}

static guint colour_of(const GArray *rows, const char *kernel)
{
    guint i = 0;
    while (i < rows->len && g_array_index(rows, PsCardRow, i).kernel != kernel)
        i++;
    return MIN(i, PS_CARD_COLOURS - 1);
}

static void put_stream(const PsCardRead *read, const GArray *rows, guint stream, double last,
                       GString *out)
{
    g_autofree Bar *bar = bar_new(last);
    g_autofree char *label = g_strdup_printf("Kernels of stream %u", stream);
    for (guint i = 0; i < read->launches->len; i++) {
        const PsCardLaunched *launch = &g_array_index(read->launches, PsCardLaunched, i);
        if (launch->stream == stream)
            add(bar, launch->begin, launch->seconds, colour_of(rows, launch->kernel));
    }
    put_bar(bar, label, out);
}

static void put_copies(const PsCardRead *read, PsCardWay way, double last, GString *out)
{
    static const char *const labels[] = {"Copies to the device", "Copies to the host",
                                         "Copies on the device", "Sets of memory"};
    g_autofree Bar *bar = bar_new(last);
    guint n = 0;
    for (guint i = 0; i < read->copies->len; i++) {
        const PsCardCopied *copy = &g_array_index(read->copies, PsCardCopied, i);
        if (copy->way != way)
            continue;
        n++;
        add(bar, copy->begin, copy->seconds, PS_CARD_COLOURS - 1);
    }
    if (n)
        put_bar(bar, labels[way], out);
}

void ps_card_put_axis(const PsCardRead *read, const GArray *rows, GString *out)
{
    g_autoptr(GHashTable) streams = g_hash_table_new(NULL, NULL);
    const double last = ps_card_end(read);
    if (last <= 0)
        return;
    g_string_append(out, "<section>\n<h2>Over time</h2>\n");
    g_autofree char *time = ps_format_time(last);
    ps_markup_take(out, "p",
                   g_strdup_printf("From the first launch or copy to the end of the last: %s. Each "
                                   "colour is a kernel of the table below.",
                                   time));
    for (guint i = 0; i < read->launches->len; i++) {
        const guint stream = g_array_index(read->launches, PsCardLaunched, i).stream;
        if (g_hash_table_add(streams, GUINT_TO_POINTER(stream)))
            put_stream(read, rows, stream, last, out);
    }
    for (PsCardWay way = PS_CARD_TO_DEVICE; way <= PS_CARD_SET; way++)
        put_copies(read, way, last, out);
    g_string_append(out, "</section>\n");
}
