/* SPDX-License-Identifier: BSD-3-Clause */
/* See kinds.h. */
#include "lift/groups/kinds.h"

#define STREWN 8
#define STREWN_MORE 64
#define STREWN_MANY 256
/* The golden section: any number of its multiples are spread over the unit interval. */
#define GOLDEN 0.6180339887498949
/* Each multiple is shifted by at most this share of the grid. Otherwise multiples might meet a
 * pattern that recurs in the grid at about the same place: at 288 recurrences, 40 of them fall into
 * a quarter of the pattern. */
#define SHIFT (1.0 / STREWN_MORE)

/* ---- plan ----------------------------------------------------------------------------------- */

static void add(GArray *plan, guint64 number)
{
    for (guint i = 0; i < plan->len; i++)
        if (g_array_index(plan, guint64, i) == number)
            return;
    g_array_append_val(plan, number);
}

/* A number of the unit interval that is independent of the one before (Murmur's mixing). */
static double scattered(guint n)
{
    guint32 value = (n + 1) * 2654435761U;
    value = (value ^ value >> 16) * 0x85ebca6bU;
    value = (value ^ value >> 13) * 0xc2b2ae35U;
    return (value ^ value >> 16) / 4294967296.0;
}

guint64 ps_kinds_nth_strewn(const guint grid[3], guint n)
{
    const double all = (double)grid[0] * grid[1] * grid[2];
    const double at = GOLDEN * (n + 1) + SHIFT * scattered(n);
    return (guint64)((at - (guint)at) * all);
}

GArray *ps_kinds_strewn(const guint grid[3])
{
    GArray *plan = g_array_new(FALSE, FALSE, sizeof(guint64));
    for (guint i = 0; i < STREWN; i++)
        add(plan, ps_kinds_nth_strewn(grid, i));
    return plan;
}

/* Those of the order behind the first ones, up to so many; in a small grid, all groups. */
static GArray *behind_strewn(const guint grid[3], guint most)
{
    const guint64 all = (guint64)grid[0] * grid[1] * grid[2];
    GArray *plan = g_array_new(FALSE, FALSE, sizeof(guint64));
    for (guint i = STREWN; i < most; i++)
        add(plan, ps_kinds_nth_strewn(grid, i));
    for (guint64 i = 0; all <= STREWN_MORE && i < all; i++)
        add(plan, i);
    return plan;
}

GArray *ps_kinds_more(const guint grid[3])
{
    return behind_strewn(grid, STREWN_MORE);
}

GArray *ps_kinds_many(const guint grid[3])
{
    return behind_strewn(grid, STREWN_MANY);
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

static gboolean execute_alike(gconstpointer a, gconstpointer b)
{
    const PsRollGroup *one = a, *other = b;
    gboolean same = one->length == other->length && one->warps->len == other->warps->len;
    for (guint i = 0; same && i < one->warps->len; i++) {
        const PsRollWarps *x = one->warps->pdata[i], *y = other->warps->pdata[i];
        same = x->warps->len == y->warps->len && same_steps(x->sequence, y->sequence);
    }
    return same;
}

static gboolean alike(gconstpointer a, gconstpointer b)
{
    const PsLoad one = ps_load_of(a), other = ps_load_of(b);
    return ps_load_apart(&one, &other) <= PS_KINDS_MERGED && execute_alike(a, b);
}

/* The recorded group for one that may only have been counted. */
static const PsRollGroup *recorded_of(const PsRollGroup *group)
{
    return group->as ? group->as : group;
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

/* The kind of a recorded group, by its number in `kinds`; added if it is new. */
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

/* Adds groups that are like that one to a kind. */
static void add_groups(PsKind *kind, const PsRollGroup *group, guint64 n)
{
    const PsLoad load = ps_load_of(group);
    for (guint i = 0; i < PS_N_LOADS && n > 0; i++)
        kind->load.of[i] +=
            (load.of[i] - kind->load.of[i]) * ((double)n / (double)(kind->groups + n));
    kind->groups += n;
}

/* The number of groups for which a stratum's known groups stand (*sizes, 0 if none is known), and
 * the number of known groups (*known); free both. Strata without known groups count as those with
 * them. */
static void weigh_strata(const PsStrata *strata, const GPtrArray *groups, guint64 **sizes,
                         guint **known)
{
    const guint n = ps_strata_count(strata);
    const guint64 all = (guint64)strata->grid[0] * strata->grid[1] * strata->grid[2];
    guint64 in_known = 0, left = all, *largest = NULL;
    *sizes = g_new0(guint64, n);
    *known = g_new0(guint, n);
    for (guint i = 0; i < groups->len; i++)
        (*known)[ps_strata_find(strata, ((const PsRollGroup *)groups->pdata[i])->group)]++;
    for (guint s = 0; s < n; s++)
        in_known += (*known)[s] > 0 ? ps_strata_size(strata, s) : 0;
    for (guint s = 0; s < n; s++) {
        if ((*known)[s] == 0)
            continue;
        const guint64 size = ps_strata_size(strata, s);
        const double more = (double)(all - in_known) * ((double)size / (double)in_known);
        (*sizes)[s] = size + MIN((guint64)more, left - MIN(left, size));
        left -= (*sizes)[s];
        largest = !largest || (*sizes)[s] > *largest ? &(*sizes)[s] : largest;
    }
    if (largest)
        *largest += left; /* the remainder */
}

GArray *ps_kinds_new(const PsStrata *strata, const GPtrArray *groups)
{
    GArray *kinds = g_array_new(FALSE, FALSE, sizeof(PsKind));
    g_autoptr(GHashTable) numbers = g_hash_table_new(hash, alike); /* to 1 + number of the kind */
    g_autofree guint64 *sizes = NULL;
    g_autofree guint *known = NULL;
    g_autofree guint *had = g_new0(guint, ps_strata_count(strata));
    const double all = (double)strata->grid[0] * strata->grid[1] * strata->grid[2];
    weigh_strata(strata, groups, &sizes, &known);
    for (guint i = 0; i < groups->len; i++) {
        const PsRollGroup *group = groups->pdata[i], *recorded = recorded_of(group);
        const guint stratum = ps_strata_find(strata, group->group), n = known[stratum];
        PsKind *kind = kind_of(kinds, numbers, recorded);
        /* the first ones take the remainder */
        add_groups(kind, group, sizes[stratum] / n + (had[stratum]++ < sizes[stratum] % n));
        if (ps_strata_size(strata, ps_strata_find(strata, recorded->group)) >
            ps_strata_size(strata, ps_strata_find(strata, kind->group->group)))
            kind->group = recorded;
    }
    for (guint k = 0; k < kinds->len; k++) {
        PsKind *kind = &g_array_index(kinds, PsKind, k);
        kind->share = (double)kind->groups / all;
    }
    g_array_sort(kinds, by_share); /* equal ones keep the order */
    return kinds;
}

gboolean ps_kinds_are_mixed(const PsStrata *strata, const GPtrArray *groups)
{
    g_autofree const PsRollGroup **first = g_new0(const PsRollGroup *, ps_strata_places(strata));
    for (guint i = 0; i < groups->len; i++) {
        const PsRollGroup *group = groups->pdata[i];
        const guint stratum = ps_strata_find(strata, group->group) % ps_strata_places(strata);
        if (first[stratum] && !alike(recorded_of(first[stratum]), recorded_of(group)))
            return TRUE;
        first[stratum] = group;
    }
    return FALSE;
}

gboolean ps_kinds_are_uneven(const PsStrata *strata, const GPtrArray *groups)
{
    const guint n = ps_strata_count(strata);
    g_autoptr(GPtrArray) known = g_ptr_array_new_full(n, (GDestroyNotify)g_hash_table_unref);
    gboolean uneven = FALSE;
    for (guint s = 0; s < n; s++)
        g_ptr_array_add(known, g_hash_table_new(hash, execute_alike));
    for (guint i = 0; i < groups->len && !uneven; i++) {
        const PsRollGroup *group = groups->pdata[i], *recorded = recorded_of(group);
        GHashTable *its = known->pdata[ps_strata_find(strata, group->group)];
        const PsRollGroup *first = g_hash_table_lookup(its, recorded);
        const PsLoad load = ps_load_of(group), other = ps_load_of(first ? first : group);
        uneven = ps_load_apart(&load, &other) > PS_KINDS_MERGED;
        if (!first)
            g_hash_table_insert(its, (gpointer)recorded, (gpointer)group);
    }
    return uneven;
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

/* Relative: sums of fractions may come in any order. */
#define EQUAL 1e-9

/* How badly a kind represents all groups. */
static double unlike(const PsKind *kind, const PsLoad *mean)
{
    const PsLoad load = ps_load_of(kind->group), scale = ps_load_scale(mean);
    double apart = 0;
    gboolean most = TRUE;
    for (guint i = 0; i < PS_N_LOADS; i++) {
        apart = MAX(apart, ABS(load.of[i] - mean->of[i]) / scale.of[i]);
        most = most && 2 * kind->share * load.of[i] >= mean->of[i];
    }
    return most ? -1 : apart;
}

const PsKind *ps_kinds_typical(const GArray *kinds, gboolean at_once)
{
    const PsKind *typical = &g_array_index(kinds, PsKind, 0);
    const PsLoad mean = ps_kinds_load(kinds);
    const guint measure = ps_kinds_measure(kinds);
    for (guint i = 1; i < kinds->len; i++) {
        const PsKind *kind = &g_array_index(kinds, PsKind, i);
        const double best = at_once ? -typical->load.of[measure] : unlike(typical, &mean);
        const double its = at_once ? -kind->load.of[measure] : unlike(kind, &mean);
        if (its < best - EQUAL * ABS(best))
            typical = kind;
    }
    return typical;
}

/* Groups that a message names, at most. */
#define MOST_NAMED 4

/* TRUE if some of those that are named execute as much as others, and so differ in what they ask
 * memory for. */
static gboolean differ_in_memory(const GArray *kinds)
{
    for (guint i = 0; i < MIN(kinds->len, MOST_NAMED); i++)
        for (guint k = 0; k < i; k++)
            if (g_array_index(kinds, PsKind, i).group->length ==
                g_array_index(kinds, PsKind, k).group->length)
                return TRUE;
    return FALSE;
}

/* "256 warp instructions", "256 and 32 sectors"; free with g_free. */
static char *text_of(const PsKind *kind, gboolean first, gboolean sectors)
{
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%" G_GINT64_FORMAT "%s", kind->group->length,
                    first ? " warp instructions" : "");
    if (sectors)
        g_string_append_printf(text, " and %.0f sectors",
                               (double)kind->group->demand.sectors / PS_SECTOR);
    return g_string_free(text, FALSE);
}

char *ps_kinds_text(const GArray *kinds)
{
    GString *text = g_string_new(NULL);
    const gboolean sectors = differ_in_memory(kinds);
    double others = 0;
    for (guint i = 0; i < kinds->len; i++) {
        const PsKind *kind = &g_array_index(kinds, PsKind, i);
        const guint *group = kind->group->group;
        g_autofree char *load = text_of(kind, i == 0, sectors);
        if (i < MOST_NAMED)
            g_string_append_printf(text, "%s%.1f %% as %u,%u,%u (%s)", i ? ", " : "",
                                   100 * kind->share, group[0], group[1], group[2], load);
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
