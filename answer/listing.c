/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums by machine instruction. See listing.h. */
#include "answer/listing.h"

#include "base/message.h"

#include <string.h>

/* ---- rows ----------------------------------------------------------------------------------- */

static void free_row(gpointer data)
{
    PsListingRow *row = data;
    g_free(row->text);
    g_free(row->line);
    g_array_unref(row->waits);
    g_free(row);
}

static char *text_of(const PsSassInstruction *instruction)
{
    const char *guard = instruction->guard, *operands = instruction->operands;
    return g_strconcat(guard ? guard : "", guard ? " " : "", instruction->opcode,
                       operands ? " " : "", operands, NULL);
}

/* A file's name without its folders, as the graph's nodes have it. */
static char *line_of(const PsSassLines *lines, const PsSassPlace *place)
{
    if (place->line == 0)
        return NULL;
    if (place->file == 0)
        return g_strdup_printf("?:%d", place->line);
    g_autofree char *name = g_path_get_basename(lines->files->pdata[place->file - 1]);
    g_autofree char *clean = ps_text_clean(name);
    return g_strdup_printf("%s:%d", clean, place->line);
}

static void add_rows(PsListing *listing)
{
    const PsSassCode *code = listing->code;
    g_autofree guint *live = ps_sass_live(code);
    for (guint i = 0; i < code->n; i++) {
        PsListingRow *row = g_new0(PsListingRow, 1);
        const PsSassPlace place = ps_sass_place_in(code->lines, i, listing->answer->idg->file);
        row->instruction = &g_array_index(code->listing->instructions, const PsSassInstruction, i);
        row->number = i;
        row->text = text_of(row->instruction);
        row->line = line_of(code->lines, &place);
        row->ptx_line = place.ptx_line;
        row->live = live[i];
        row->waits = g_array_new(FALSE, FALSE, sizeof(PsListingWait));
        g_ptr_array_add(listing->rows, row);
    }
}

/* The row of a node; NULL: the node belongs to no instruction. */
static PsListingRow *row_of(const PsListing *listing, guint program, guint node)
{
    const PsIdgItem *item = listing->answer->kernel->programs[program].nodes[node].item;
    return item->instruction > 0 && item->instruction <= listing->rows->len
               ? listing->rows->pdata[item->instruction - 1]
               : NULL;
}

/* ---- charging ------------------------------------------------------------------------------- */

static void charge_issues(const PsListing *listing)
{
    const PsKernel *kernel = listing->answer->kernel;
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++) {
            PsListingRow *row = row_of(listing, p, n);
            if (!row)
                continue;
            row->node = TRUE;
            row->issued += ps_stats_issued(listing->answer->stats, p, n);
        }
}

static void charge_path(PsListing *listing)
{
    const GPtrArray *path = listing->answer->explain->path;
    for (guint i = 0; path && i < path->len; i++) {
        const PsPathRow *stretch = path->pdata[i];
        PsListingRow *row =
            stretch->node == G_MAXUINT ? NULL : row_of(listing, stretch->program, stretch->node);
        if (row) {
            row->ticks += stretch->ticks;
            row->times += stretch->times;
        } else {
            listing->elsewhere += stretch->ticks;
        }
    }
}

/* The level that serves most of a node's reads. */
static PsLevel level_of(const PsMachine *machine, guint program, guint node)
{
    const PsRational *moved = machine->costs[program][node].moved;
    PsLevel first = 0, last = 0;
    while (first < PS_N_LEVELS && moved[first].num == 0)
        first++;
    if (first == PS_N_LEVELS)
        return PS_N_LEVELS;
    const double half = ps_rational_to_double(moved[first]) / 2;
    for (PsLevel level = first; level < PS_N_LEVELS; level++)
        if (moved[level].num > 0 && ps_rational_to_double(moved[level]) >= half)
            last = level;
    return last;
}

static PsListingWait wait_of(const PsListing *listing, const PsNodeWait *wait)
{
    PsListingWait made = {wait->kind, wait->which, G_MAXUINT, PS_N_LEVELS, wait->ticks};
    if (wait->on == G_MAXUINT)
        return made;
    const PsListingRow *on = row_of(listing, wait->program, wait->on);
    made.on = on ? on->number : G_MAXUINT;
    made.level = level_of(listing->answer->machine, wait->program, wait->on);
    return made;
}

static void add_wait(PsListingRow *row, const PsListingWait *wait)
{
    row->waited += wait->kind == PS_WAIT_ISSUING ? 0 : wait->ticks;
    for (guint i = 0; i < row->waits->len; i++) {
        PsListingWait *known = &g_array_index(row->waits, PsListingWait, i);
        if (known->kind == wait->kind && known->which == wait->which && known->on == wait->on &&
            known->level == wait->level) {
            known->ticks += wait->ticks;
            return;
        }
    }
    g_array_append_val(row->waits, *wait);
}

/* Equal rows are ordered by kind, then by the instruction that is waited for. */
static int largest_first(gconstpointer a, gconstpointer b)
{
    const PsListingWait *x = a, *y = b;
    if (x->ticks != y->ticks)
        return x->ticks > y->ticks ? -1 : 1;
    return x->kind != y->kind ? (int)x->kind - (int)y->kind : (x->on > y->on) - (x->on < y->on);
}

static void charge_waits(const PsListing *listing)
{
    const GArray *waits = listing->answer->explain->node_waits;
    for (guint i = 0; i < waits->len; i++) {
        const PsNodeWait *wait = &g_array_index(waits, PsNodeWait, i);
        PsListingRow *row = row_of(listing, wait->program, wait->node);
        const PsListingWait made = wait_of(listing, wait);
        if (row)
            add_wait(row, &made);
    }
    for (guint i = 0; i < listing->rows->len; i++)
        g_array_sort(((PsListingRow *)listing->rows->pdata[i])->waits, largest_first);
}

/* ---- the whole ------------------------------------------------------------------------------ */

PsListing *ps_listing_new(const PsAnswer *answer, const PsSassCode *code)
{
    PsListing *listing = g_new0(PsListing, 1);
    const PsLaunch *launch = &answer->machine->launch;
    listing->answer = answer;
    listing->code = code;
    listing->rows = g_ptr_array_new_with_free_func(free_row);
    listing->warps =
        (double)launch->warps_per_group *
        (double)(answer->machine->refinements.all_cus ? launch->groups : launch->groups_per_cu);
    add_rows(listing);
    charge_issues(listing);
    charge_path(listing);
    charge_waits(listing);
    return listing;
}

void ps_listing_free(PsListing *listing)
{
    if (!listing)
        return;
    g_ptr_array_unref(listing->rows);
    g_free(listing);
}

/* ---- figures -------------------------------------------------------------------------------- */

double ps_listing_per_warp(const PsListing *listing, const PsListingRow *row)
{
    return listing->warps > 0 ? (double)row->issued / listing->warps : 0;
}

double ps_listing_wait_share(const PsListing *listing, double ticks)
{
    const double all = listing->answer->explain->warp_ticks;
    return all > 0 ? ticks / all : 0;
}

PsListingTotals ps_listing_totals(const PsListing *listing)
{
    PsListingTotals totals = {.instructions = listing->rows->len,
                              .registers = listing->code->registers,
                              .stack = listing->code->frame};
    for (guint i = 0; i < listing->rows->len; i++) {
        const PsListingRow *row = listing->rows->pdata[i];
        const double issued = ps_listing_per_warp(listing, row);
        const gboolean load = g_str_has_prefix(row->instruction->opcode, "LDL");
        const gboolean store = g_str_has_prefix(row->instruction->opcode, "STL");
        totals.live = MAX(totals.live, row->live);
        totals.loads += load;
        totals.stores += store;
        totals.issued += issued;
        totals.spills += load || store ? issued : 0;
    }
    return totals;
}
