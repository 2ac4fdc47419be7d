/* SPDX-License-Identifier: BSD-3-Clause */
/* See kinds.h. */
#include "lift/groups/kinds.h"

#include <stdlib.h>

#define STRATA 27 /* first, inside, last in each direction */
#define STREWN 8
#define STREWN_MORE 64
/* The golden section: its multiples lie all over the unit interval, however many there are. */
#define GOLDEN 0.6180339887498949

/* ---- strata --------------------------------------------------------------------------------- */

static guint stratum_of(const guint grid[3], const guint group[3])
{
    guint stratum = 0;
    for (int d = 0; d < 3; d++) {
        const gboolean last = grid[d] > 1 && group[d] == grid[d] - 1;
        const guint at = group[d] == 0 && grid[d] > 1 ? 0 : last ? 2 : 1;
        stratum = 3 * stratum + at;
    }
    return stratum;
}

/* How many groups of the grid are in the stratum. */
static guint64 size_of(const guint grid[3], guint stratum)
{
    guint64 size = 1;
    for (int d = 3; d-- > 0; stratum /= 3)
        if (stratum % 3 == 1)
            size *= grid[d] > 1 ? grid[d] - 2 : 1;
        else if (grid[d] == 1)
            return 0;
    return size;
}

/* ---- plan ----------------------------------------------------------------------------------- */

typedef struct {
    guint64 number, size;
} Corner;

static int larger_first(gconstpointer a, gconstpointer b)
{
    const Corner *x = a, *y = b;
    return x->size == y->size ? (x->number > y->number) - (x->number < y->number)
                              : (x->size < y->size) - (x->size > y->size);
}

/* The group in the middle of the stratum. */
static guint64 middle_of(const guint grid[3], guint stratum)
{
    guint64 number = 0;
    const guint at[3] = {stratum / 9, stratum / 3 % 3, stratum % 3};
    for (int d = 3; d-- > 0;)
        number = number * grid[d] + (at[d] == 0 ? 0 : at[d] == 1 ? (grid[d] - 1) / 2 : grid[d] - 1);
    return number;
}

static void add(GArray *plan, guint64 number)
{
    for (guint i = 0; i < plan->len; i++)
        if (g_array_index(plan, guint64, i) == number)
            return;
    g_array_append_val(plan, number);
}

/* The nth of groups that lie all over the grid. */
static guint64 strewn(const guint grid[3], guint n)
{
    const double all = (double)grid[0] * grid[1] * grid[2], at = GOLDEN * (n + 1);
    return (guint64)((at - (guint)at) * all);
}

GArray *ps_kinds_edges(const guint grid[3])
{
    GArray *plan = g_array_new(FALSE, FALSE, sizeof(guint64));
    Corner corners[STRATA] = {{0}};
    guint n = 0;
    for (guint stratum = 0; stratum < STRATA; stratum++)
        if (size_of(grid, stratum) > 0)
            corners[n++] = (Corner){middle_of(grid, stratum), size_of(grid, stratum)};
    qsort(corners, n, sizeof *corners, larger_first);
    for (guint i = 0; i < n; i++)
        g_array_append_val(plan, corners[i].number);
    return plan;
}

GArray *ps_kinds_strewn(const guint grid[3])
{
    GArray *plan = g_array_new(FALSE, FALSE, sizeof(guint64));
    for (guint i = 0; i < STREWN; i++)
        add(plan, strewn(grid, i));
    return plan;
}

GArray *ps_kinds_more(const guint grid[3])
{
    const guint64 all = (guint64)grid[0] * grid[1] * grid[2];
    const guint first = all > STREWN_MORE ? STREWN : 0;
    GArray *plan = g_array_new(FALSE, FALSE, sizeof(guint64));
    for (guint i = first; i < MIN(all, STREWN_MORE); i++)
        add(plan, first > 0 ? strewn(grid, i) : i);
    return plan;
}

/* ---- kinds ---------------------------------------------------------------------------------- */

static gboolean same_item(const PsRollItem *a, const PsRollItem *b);

static gboolean same_steps(const PsRollSequence *a, const PsRollSequence *b)
{
    gboolean same = a->n_items == b->n_items && a->length == b->length;
    for (guint i = 0; same && a != b && i < a->n_items; i++)
        same = same_item(&a->items[i], &b->items[i]);
    return same;
}

static gboolean same_item(const PsRollItem *a, const PsRollItem *b)
{
    if (a->kind != b->kind)
        return FALSE;
    if (a->kind != PS_ROLL_LOOP)
        return a->point == b->point && a->off == b->off;
    gboolean same = a->loop == b->loop && a->n_runs == b->n_runs;
    for (guint r = 0; same && r < a->n_runs; r++)
        same = a->runs[r].times == b->runs[r].times && same_steps(a->runs[r].body, b->runs[r].body);
    return same;
}

static gboolean alike(gconstpointer a, gconstpointer b)
{
    const PsRollGroup *one = a, *other = b;
    gboolean same = one->length == other->length && one->warps->len == other->warps->len;
    for (guint i = 0; same && i < one->warps->len; i++) {
        const PsRollWarps *x = one->warps->pdata[i], *y = other->warps->pdata[i];
        same = x->warps->len == y->warps->len && same_steps(x->sequence, y->sequence);
    }
    return same;
}

static guint hash(gconstpointer group)
{
    return g_int64_hash(&((const PsRollGroup *)group)->length);
}

static int by_share(gconstpointer a, gconstpointer b)
{
    const PsKind *x = a, *y = b;
    return (x->groups < y->groups) - (x->groups > y->groups);
}

/* The kind of a group that was recorded, by its number in `kinds`, which gets it if it is new. */
static PsKind *kind_of(GArray *kinds, GHashTable *known, const PsRollGroup *group)
{
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(known, group));
    if (number == 0) {
        const PsKind fresh = {.group = group};
        g_array_append_val(kinds, fresh);
        number = kinds->len;
        g_hash_table_insert(known, (gpointer)group, GUINT_TO_POINTER(number));
    }
    return &g_array_index(kinds, PsKind, number - 1);
}

GArray *ps_kinds_new(const guint grid[3], const GPtrArray *groups)
{
    GArray *kinds = g_array_new(FALSE, FALSE, sizeof(PsKind));
    g_autoptr(GHashTable) known = g_hash_table_new(hash, alike); /* to 1 + number of the kind */
    guint in[STRATA] = {0}, had[STRATA] = {0};
    guint64 all = 0;
    for (guint i = 0; i < groups->len; i++)
        in[stratum_of(grid, ((const PsRollGroup *)groups->pdata[i])->group)]++;
    for (guint stratum = 0; stratum < STRATA; stratum++)
        all += in[stratum] > 0 ? size_of(grid, stratum) : 0;
    for (guint i = 0; i < groups->len; i++) {
        const PsRollGroup *group = groups->pdata[i], *recorded = group->as ? group->as : group;
        const guint stratum = stratum_of(grid, group->group), n = in[stratum];
        const guint64 size = size_of(grid, stratum);
        PsKind *kind = kind_of(kinds, known, recorded);
        /* what does not divide goes to the first ones */
        kind->groups += size / n + (had[stratum]++ < size % n);
        if (size_of(grid, stratum_of(grid, recorded->group)) >
            size_of(grid, stratum_of(grid, kind->group->group)))
            kind->group = recorded;
    }
    for (guint k = 0; k < kinds->len; k++) {
        PsKind *kind = &g_array_index(kinds, PsKind, k);
        kind->share = (double)kind->groups / (double)all;
    }
    g_array_sort(kinds, by_share); /* of equal ones, it keeps the order */
    return kinds;
}

double ps_kind_work(const PsKind *kind)
{
    return (double)(kind->group->length - kind->group->off);
}

double ps_kinds_mean(const GArray *kinds)
{
    double mean = 0;
    for (guint i = 0; i < kinds->len; i++) {
        const PsKind *kind = &g_array_index(kinds, PsKind, i);
        mean += kind->share * ps_kind_work(kind);
    }
    return mean;
}

/* Sums of fractions may come in any order. */
#define EQUAL 1e-9

/* How well the kind stands for all, the less the better. */
static double unlike(const PsKind *kind, double mean, gboolean at_once)
{
    const double work = ps_kind_work(kind);
    if (at_once)
        return -work;
    return 2 * kind->share * work >= mean ? -1 : ABS(work - mean);
}

const PsKind *ps_kinds_typical(const GArray *kinds, gboolean at_once)
{
    const PsKind *typical = &g_array_index(kinds, PsKind, 0);
    const double mean = ps_kinds_mean(kinds);
    for (guint i = 1; i < kinds->len; i++) {
        const PsKind *kind = &g_array_index(kinds, PsKind, i);
        const double best = unlike(typical, mean, at_once);
        if (unlike(kind, mean, at_once) < best - EQUAL * ABS(best))
            typical = kind;
    }
    return typical;
}

/* Named of many; nobody reads more. */
#define MOST_NAMED 4

char *ps_kinds_text(const GArray *kinds)
{
    GString *text = g_string_new(NULL);
    double others = 0;
    for (guint i = 0; i < kinds->len; i++) {
        const PsKind *kind = &g_array_index(kinds, PsKind, i);
        const guint *group = kind->group->group;
        if (i < MOST_NAMED)
            g_string_append_printf(text, "%s%.1f %% as %u,%u,%u (%" G_GINT64_FORMAT "%s)",
                                   i ? ", " : "", 100 * kind->share, group[0], group[1], group[2],
                                   kind->group->length, i ? "" : " warp instructions");
        else
            others += kind->share;
    }
    if (others > 0)
        g_string_append_printf(text, ", %.1f %% as others", 100 * others);
    return g_string_free(text, FALSE);
}

char *ps_kinds_names(const GArray *kinds)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < kinds->len; i++) {
        const guint *group = g_array_index(kinds, PsKind, i).group->group;
        g_string_append_printf(text, "%s%u,%u,%u",
                               i == 0                ? ""
                               : i + 1 == kinds->len ? " and "
                                                     : "; ",
                               group[0], group[1], group[2]);
    }
    g_string_append(text, kinds->len > 1 ? " are" : " is");
    return g_string_free(text, FALSE);
}
