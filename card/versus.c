/* SPDX-License-Identifier: BSD-3-Clause */
/* See versus.h. */
#include "card/versus.h"

#include "card/summary.h"
#include "card/told.h"
#include "tell/format.h"

#include <math.h>
#include <string.h>

/* ---- pairs ---------------------------------------------------------------------------------- */

/* The kernels' names in the order of their first launches; the log owns the texts. */
static GPtrArray *names_of(const PsCardRead *read)
{
    GPtrArray *names = g_ptr_array_new();
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL); /* each text exists once */
    for (guint i = 0; i < read->launches->len; i++) {
        const PsCardLaunched *launch = &g_array_index(read->launches, PsCardLaunched, i);
        if (g_hash_table_add(seen, (gpointer)launch->kernel))
            g_ptr_array_add(names, (gpointer)launch->kernel);
    }
    return names;
}

/* "f" for "void f<32>(float*)" (g_free). */
static char *stem_of(const char *kernel)
{
    char *name = ps_card_kernel_name(kernel);
    char *arguments = strchr(name, '<');
    if (arguments)
        *arguments = '\0';
    return name;
}

static gboolean is_same(const char *a, const char *b, gboolean stems)
{
    g_autofree char *x = stems ? stem_of(a) : g_strdup(a), *y = stems ? stem_of(b) : g_strdup(b);
    return strcmp(x, y) == 0;
}

/* Takes the matching names out of both lists. */
static void pair_up(GPtrArray *const names[2], gboolean stems, GArray *rows)
{
    for (guint i = 0; i < names[0]->len; i++)
        for (guint k = 0; k < names[1]->len; k++) {
            if (!is_same(names[0]->pdata[i], names[1]->pdata[k], stems))
                continue;
            const PsCardVersusRow row = {.kernel = {g_ptr_array_remove_index(names[0], i--),
                                                    g_ptr_array_remove_index(names[1], k)}};
            g_array_append_val(rows, row);
            break;
        }
}

static GArray *pairs_of(const PsCardRead *const reads[2])
{
    GPtrArray *const names[] = {names_of(reads[0]), names_of(reads[1])};
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(PsCardVersusRow));
    pair_up(names, FALSE, rows);
    pair_up(names, TRUE, rows);
    for (guint side = 0; side < 2; side++) {
        for (guint i = 0; i < names[side]->len; i++) {
            PsCardVersusRow row = {.kernel = {NULL, NULL}};
            row.kernel[side] = names[side]->pdata[i];
            g_array_append_val(rows, row);
        }
        g_ptr_array_unref(names[side]);
    }
    return rows;
}

/* ---- times ---------------------------------------------------------------------------------- */

/* The times of a kernel's launches in order; kernel NULL: of all launches. */
static GArray *times_of(const PsCardRead *read, const char *kernel, gboolean all)
{
    GArray *times = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; (kernel || all) && i < read->launches->len; i++) {
        const PsCardLaunched *launch = &g_array_index(read->launches, PsCardLaunched, i);
        if (all || launch->kernel == kernel)
            g_array_append_val(times, launch->seconds);
    }
    return times;
}

static void sum(const GArray *times, PsCardVersusRow *row, guint side)
{
    row->launches[side] = times->len;
    row->seconds[side] = times->len ? NAN : 0;
    for (guint i = 0; i < times->len; i++) {
        const double time = g_array_index(times, double, i);
        row->unknown[side] += isnan(time);
        if (!isnan(time))
            row->seconds[side] = isnan(row->seconds[side]) ? time : row->seconds[side] + time;
    }
}

static void find_changed(GArray *const times[2], PsCardVersusRow *row)
{
    double most = 0;
    for (guint i = 0; times[0]->len == times[1]->len && i < times[0]->len; i++) {
        const double a = g_array_index(times[0], double, i), b = g_array_index(times[1], double, i);
        if (fabs(b - a) > most) { /* FALSE for NaN */
            most = fabs(b - a);
            row->changed = i + 1;
            row->changing[0] = a;
            row->changing[1] = b;
        }
    }
}

static void fill(const PsCardRead *const reads[2], PsCardVersusRow *row, gboolean all)
{
    GArray *const times[] = {times_of(reads[0], row->kernel[0], all),
                             times_of(reads[1], row->kernel[1], all)};
    for (guint side = 0; side < 2; side++)
        sum(times[side], row, side);
    const gboolean known = !row->unknown[0] && !row->unknown[1];
    row->difference = known ? row->seconds[1] - row->seconds[0] : NAN;
    if (!all)
        find_changed(times, row);
    g_array_unref(times[0]);
    g_array_unref(times[1]);
}

static double weight(const PsCardVersusRow *row)
{
    return isnan(row->difference) ? -1 : fabs(row->difference);
}

static gint by_difference(gconstpointer a, gconstpointer b)
{
    const double x = weight(a), y = weight(b);
    return x > y ? -1 : x < y;
}

GArray *ps_card_versus(const PsCardRead *const reads[2], PsCardVersusRow *all)
{
    GArray *rows = pairs_of(reads);
    for (guint i = 0; i < rows->len; i++)
        fill(reads, &g_array_index(rows, PsCardVersusRow, i), FALSE);
    g_array_sort(rows, by_difference);
    *all = (PsCardVersusRow){.kernel = {NULL, NULL}};
    fill(reads, all, TRUE);
    return rows;
}

/* ---- facts ---------------------------------------------------------------------------------- */

/* "f<32>", or "f<32> -> f<64>" if B has another name (g_free). */
static char *name_of(const PsCardVersusRow *row)
{
    g_autofree char *a = row->kernel[0] ? ps_card_kernel_name(row->kernel[0]) : NULL;
    g_autofree char *b = row->kernel[1] ? ps_card_kernel_name(row->kernel[1]) : NULL;
    if (!a || !b || strcmp(a, b) == 0)
        return g_strdup(a ? a : b);
    return g_strdup_printf("%s -> %s", a, b);
}

static void tell_row(const PsCardVersusRow *row, PsTold *facts)
{
    ps_tell(facts, PS_FACT_VERSUS_ROW_LAUNCHES_A, row->launches[0]);
    ps_tell(facts, PS_FACT_VERSUS_ROW_LAUNCHES_B, row->launches[1]);
    ps_tell(facts, PS_FACT_VERSUS_ROW_SECONDS_A, row->seconds[0]);
    ps_tell(facts, PS_FACT_VERSUS_ROW_SECONDS_B, row->seconds[1]);
    ps_tell(facts, PS_FACT_VERSUS_ROW_UNKNOWN_A, row->unknown[0]);
    ps_tell(facts, PS_FACT_VERSUS_ROW_UNKNOWN_B, row->unknown[1]);
    ps_tell(facts, PS_FACT_VERSUS_ROW_DIFFERENCE_SECONDS, row->difference);
    ps_tell(facts, PS_FACT_VERSUS_ROW_RATIO,
            isnan(row->difference) || !(row->seconds[0] > 0) ? NAN
                                                             : row->seconds[1] / row->seconds[0]);
}

static void tell_changed(const PsCardVersusRow *row, PsTold *facts)
{
    if (!row->changed)
        return;
    ps_tell_open(facts, PS_FACT_PROGRAMS_COMPARED_KERNELS_CHANGED);
    ps_tell(facts, PS_FACT_PROGRAMS_COMPARED_KERNELS_CHANGED_LAUNCH, (gint64)row->changed);
    ps_tell(facts, PS_FACT_PROGRAMS_COMPARED_KERNELS_CHANGED_SECONDS_A, row->changing[0]);
    ps_tell(facts, PS_FACT_PROGRAMS_COMPARED_KERNELS_CHANGED_SECONDS_B, row->changing[1]);
    ps_tell_close(facts);
}

static void tell_kernels(const GArray *rows, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_PROGRAMS_COMPARED_KERNELS);
    for (guint i = 0; i < rows->len; i++) {
        const PsCardVersusRow *row = &g_array_index(rows, PsCardVersusRow, i);
        ps_tell_item(facts);
        ps_tell_taken(facts, PS_FACT_PROGRAMS_COMPARED_KERNELS_KERNEL, name_of(row));
        tell_row(row, facts);
        tell_changed(row, facts);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

static void tell_notes(const PsCardRead *read, PsTold *facts)
{
    for (guint i = 0; i < read->notes->len; i++)
        ps_tell_item_text(facts, read->notes->pdata[i]);
    ps_tell_close(facts);
}

PsTold *ps_card_versus_told(const PsCardVersusSide sides[2])
{
    const PsCardRead *const reads[] = {sides[0].read, sides[1].read};
    PsCardVersusRow all;
    g_autoptr(GArray) rows = ps_card_versus(reads, &all);
    PsTold *facts = ps_told_new();
    ps_tell(facts, PS_FACT_PROGRAMS_COMPARED_PIPESIM, PIPESIM_VERSION);
    ps_tell_open(facts, PS_FACT_PROGRAMS_COMPARED_A);
    ps_tell(facts, PS_FACT_PROGRAMS_COMPARED_A_PROGRAM, sides[0].name);
    ps_tell(facts, PS_FACT_PROGRAMS_COMPARED_A_GPU, sides[0].gpu);
    ps_tell_open(facts, PS_FACT_PROGRAMS_COMPARED_A_NOTES);
    tell_notes(sides[0].read, facts);
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_PROGRAMS_COMPARED_B);
    ps_tell(facts, PS_FACT_PROGRAMS_COMPARED_B_PROGRAM, sides[1].name);
    ps_tell(facts, PS_FACT_PROGRAMS_COMPARED_B_GPU, sides[1].gpu);
    ps_tell_open(facts, PS_FACT_PROGRAMS_COMPARED_B_NOTES);
    tell_notes(sides[1].read, facts);
    ps_tell_close(facts);
    tell_kernels(rows, facts);
    ps_tell_open(facts, PS_FACT_PROGRAMS_COMPARED_TOTAL);
    tell_row(&all, facts);
    ps_tell_close(facts);
    return facts;
}

/* ---- for people ----------------------------------------------------------------------------- */

static void put_side(const PsCardVersusSide *side, const char *letter, const PsPaper *paper)
{
    g_autofree char *name = ps_text_clean(side->name), *gpu = ps_text_clean(side->gpu);
    g_autofree char *text = g_strdup_printf("%s on %s", name, gpu);
    ps_paper_text(paper, letter, text);
}

/* A sentence with the verdict on all launches (g_free). */
static char *verdict(const PsCardVersusRow *all)
{
    const double *seconds = all->seconds;
    if (isnan(all->difference))
        return g_strdup_printf(
            "Of A the time of %" G_GINT64_FORMAT " launches is not known, of B "
            "that of %" G_GINT64_FORMAT
            ", so that the sums are of the others, and there is no ratio of them",
            all->unknown[0], all->unknown[1]);
    g_autofree char *a = ps_format_time(seconds[0]), *b = ps_format_time(seconds[1]);
    if (seconds[0] == seconds[1] || !(seconds[0] > 0) || !(seconds[1] > 0))
        return g_strdup_printf("All launches take %s in A and %s in B", a, b);
    return g_strdup_printf("B's launches take %s instead of %s: %.4g times as %s", b, a,
                           fmax(seconds[0] / seconds[1], seconds[1] / seconds[0]),
                           seconds[1] < seconds[0] ? "fast" : "long");
}

static void put_notes(const PsCardVersusSide *side, const char *heading, const PsPaper *paper)
{
    if (side->read->notes->len)
        ps_paper_heading(paper, heading);
    for (guint i = 0; i < side->read->notes->len; i++)
        ps_paper_text(paper, "  - ", side->read->notes->pdata[i]);
}

void ps_card_versus_put(const PsCardVersusSide sides[2], const PsPaper *paper)
{
    const PsCardRead *const reads[] = {sides[0].read, sides[1].read};
    PsCardVersusRow all;
    g_array_unref(ps_card_versus(reads, &all));
    g_autoptr(PsTold) facts = ps_card_versus_told(sides);
    g_autoptr(PsTable) table = ps_table_of_view(PS_VIEW_PROGRAMS_COMPARED_PAGE, facts, NULL, FALSE);
    g_autofree char *sentence = verdict(&all);
    put_side(&sides[0], "A  ", paper);
    put_side(&sides[1], "B  ", paper);
    ps_paper_gap(paper);
    ps_paper_text(paper, "", sentence);
    ps_paper_gap(paper);
    ps_paper_table(paper, table, 0);
    put_notes(&sides[0], "Notes on A", paper);
    put_notes(&sides[1], "Notes on B", paper);
}
