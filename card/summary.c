/* SPDX-License-Identifier: BSD-3-Clause */
/* See summary.h. */
#include "card/summary.h"

#include <math.h>

static void add(PsCardRow *row, const PsCardLaunched *launch)
{
    row->launches++;
    row->how[launch->how]++;
    row->bound += launch->bound;
    if (isnan(launch->seconds))
        return;
    row->code = row->code ? row->code : launch->code;
    row->total = isnan(row->total) ? launch->seconds : row->total + launch->seconds;
    row->least = fmin(row->least, launch->seconds); /* fmin of a number and NaN is the number */
    row->most = fmax(row->most, launch->seconds);
}

static void finish(PsCardRow *row, double all)
{
    const gint64 known = row->launches - row->how[PS_CARD_UNKNOWN];
    row->mean = known ? row->total / (double)known : NAN;
    row->share = all > 0 ? row->total / all : NAN;
    row->bound /= (double)MAX(row->launches, 1);
}

/* Finds the limit of those launches of the kernel that together take most of its time. */
static void find_limit(const PsCardRead *read, PsCardRow *row)
{
    g_autoptr(GHashTable) times = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    double most = 0;
    for (guint i = 0; i < read->launches->len; i++) {
        const PsCardLaunched *launch = &g_array_index(read->launches, PsCardLaunched, i);
        if (launch->kernel != row->kernel || !launch->limit || isnan(launch->seconds))
            continue;
        double *time = g_hash_table_lookup(times, launch->limit);
        if (!time) {
            time = g_new0(double, 1);
            g_hash_table_insert(times, (gpointer)launch->limit, time);
        }
        *time += launch->seconds;
        if (*time > most) {
            most = *time;
            row->limit = launch->limit;
            row->limit_words = launch->limit_words;
        }
    }
}

static gint by_total(gconstpointer a, gconstpointer b)
{
    const PsCardRow *x = a, *y = b;
    const double left = isnan(x->total) ? -1 : x->total, right = isnan(y->total) ? -1 : y->total;
    return left > right ? -1 : left < right;
}

GArray *ps_card_summary(const PsCardRead *read, PsCardRow *all)
{
    const PsCardRow none = {.total = NAN, .least = NAN, .most = NAN};
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(PsCardRow));
    g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL); /* each text exists once */
    *all = none;
    for (guint i = 0; i < read->launches->len; i++) {
        const PsCardLaunched *launch = &g_array_index(read->launches, PsCardLaunched, i);
        gpointer place = NULL;
        if (!g_hash_table_lookup_extended(places, launch->kernel, NULL, &place)) {
            PsCardRow row = none;
            row.kernel = launch->kernel;
            row.stand_in = launch->stand_in;
            place = GUINT_TO_POINTER(rows->len);
            g_hash_table_insert(places, (gpointer)launch->kernel, place);
            g_array_append_val(rows, row);
        }
        add(&g_array_index(rows, PsCardRow, GPOINTER_TO_UINT(place)), launch);
        add(all, launch);
    }
    for (guint i = 0; i < rows->len; i++) {
        PsCardRow *row = &g_array_index(rows, PsCardRow, i);
        find_limit(read, row);
        finish(row, all->total);
    }
    finish(all, all->total);
    g_array_sort(rows, by_total);
    return rows;
}

void ps_card_copies(const PsCardRead *read, PsCardCopies copies[PS_CARD_SET + 1])
{
    for (guint way = 0; way <= PS_CARD_SET; way++)
        copies[way] = (PsCardCopies){.seconds = NAN};
    for (guint i = 0; i < read->copies->len; i++) {
        const PsCardCopied *copied = &g_array_index(read->copies, PsCardCopied, i);
        PsCardCopies *copy = &copies[copied->way];
        copy->count++;
        copy->bytes += copied->bytes;
        if (!isnan(copied->seconds))
            copy->seconds =
                isnan(copy->seconds) ? copied->seconds : copy->seconds + copied->seconds;
    }
}

double ps_card_end(const PsCardRead *read)
{
    double end = 0;
    for (guint i = 0; i < read->launches->len; i++) {
        const PsCardLaunched *launch = &g_array_index(read->launches, PsCardLaunched, i);
        end = fmax(end, launch->begin + (isnan(launch->seconds) ? 0 : launch->seconds));
    }
    for (guint i = 0; i < read->copies->len; i++) {
        const PsCardCopied *copy = &g_array_index(read->copies, PsCardCopied, i);
        end = fmax(end, copy->begin + (isnan(copy->seconds) ? 0 : copy->seconds));
    }
    return end;
}
