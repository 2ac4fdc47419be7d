/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the kinds of a graph: kinds with nearly equal load become one. See kinds.h. */
#include "lift/groups/kinds.h"

/* Where all groups run at once: the share of the longest group by which others may be shorter and
 * still be merged with it. */
#define SOON 0.05

/* Kinds of a graph, at most: each has all of its code, and people read it. */
#define MOST_KINDS 4

/* Error of the launch's work that whole parts may cause, as a share; and the number of parts, at
 * most: the groups of a compute unit repeat after as many. */
#define ROUNDING 0.005
#define MOST_PARTS 1000

/* Kinds with consecutive load. */
typedef struct {
    guint first, n;
    guint64 groups; /* sums over the same kinds: */
    double share;
    PsLoad load; /* multiplied by its share of groups */
} Cluster;

/* What the costs of merging follow from. */
typedef struct {
    const GArray *kinds; /* the longest first */
    gboolean at_once;
    guint measure;    /* by which they are sorted */
    PsLoad scale;     /* what a difference in each measure is a share of: ps_load_scale */
    GArray *clusters; /* Cluster */
    GArray *costs;    /* double: to merge a cluster with the next one */
} Merging;

static const PsKind *kind_at(const GArray *kinds, guint i)
{
    return &g_array_index(kinds, PsKind, i);
}

/* Equal ones in the measure come by their instructions. */
static int longest_first(gconstpointer a, gconstpointer b, gpointer measure)
{
    const guint by = GPOINTER_TO_UINT(measure);
    const PsLoad *x = &((const PsKind *)a)->load, *y = &((const PsKind *)b)->load;
    const int order = (x->of[by] < y->of[by]) - (x->of[by] > y->of[by]);
    return order ? order
                 : (x->of[PS_LOAD_WORK] < y->of[PS_LOAD_WORK]) -
                       (x->of[PS_LOAD_WORK] > y->of[PS_LOAD_WORK]);
}

/* ---- merging -------------------------------------------------------------------------------- */

static const Cluster *cluster_at(const Merging *merging, guint i)
{
    return &g_array_index(merging->clusters, Cluster, i);
}

/* What it changes to take those of two clusters for their mean, as a share of the load. Where all
 * groups run at once, the launch ends with the longest, however few these are: then it is also by
 * how much others end sooner. */
static double cost_of(const Merging *merging, guint at)
{
    const Cluster *a = cluster_at(merging, at), *b = cluster_at(merging, at + 1);
    const PsLoad longest = kind_at(merging->kinds, 0)->load,
                 other = kind_at(merging->kinds, b->first)->load, scale = ps_load_scale(&longest);
    const guint m = merging->measure;
    double cost = 0;
    for (guint i = 0; i < PS_N_LOADS; i++) {
        const double apart = (a->load.of[i] * b->share - b->load.of[i] * a->share) /
                             (a->share + b->share) / merging->scale.of[i];
        cost = MAX(cost, i == m ? apart : ABS(apart));
    }
    const double shorter = (longest.of[m] - other.of[m]) / scale.of[m];
    return merging->at_once && a->first == 0 ? MAX(cost, shorter * PS_KINDS_MERGED / SOON) : cost;
}

/* Sets the cost of merging that cluster with the next one, if both are there. */
static void set_cost(Merging *merging, guint i)
{
    if (i + 1 < merging->clusters->len)
        g_array_index(merging->costs, double, i) = cost_of(merging, i);
}

static void merge_at(Merging *merging, guint at)
{
    Cluster *a = &g_array_index(merging->clusters, Cluster, at);
    const Cluster *b = a + 1;
    a->n += b->n;
    a->groups += b->groups;
    a->share += b->share;
    for (guint i = 0; i < PS_N_LOADS; i++)
        a->load.of[i] += b->load.of[i];
    g_array_remove_index(merging->clusters, at + 1);
    g_array_remove_index(merging->costs, at);
    set_cost(merging, at);
    if (at > 0)
        set_cost(merging, at - 1);
}

/* The number of the first of the two clusters that it costs least to merge. */
static guint cheapest(const Merging *merging)
{
    const double *costs = (const double *)(const void *)merging->costs->data;
    guint least = 0;
    for (guint i = 1; i < merging->costs->len; i++)
        if (costs[i] < costs[least])
            least = i;
    return least;
}

/* The kinds as clusters. With some thousands of kinds, costs are computed once and again only for
 * the neighbours of what was merged. */
static void make_clusters(Merging *merging)
{
    GArray *clusters = merging->clusters, *costs = merging->costs;
    for (guint i = 0; i < merging->kinds->len; i++) {
        const PsKind *kind = kind_at(merging->kinds, i);
        Cluster one = {i, 1, kind->groups, kind->share, kind->load};
        for (guint l = 0; l < PS_N_LOADS; l++)
            one.load.of[l] *= kind->share;
        g_array_append_val(clusters, one);
    }
    g_array_set_size(costs, MAX(clusters->len, 1) - 1);
    for (guint i = 0; i < costs->len; i++)
        set_cost(merging, i);
    while (clusters->len > 1) {
        const guint least = cheapest(merging);
        if (clusters->len <= MOST_KINDS && g_array_index(costs, double, least) > PS_KINDS_MERGED)
            break;
        merge_at(merging, least);
    }
}

/* The growth of the total load, in each measure, if that kind stands for its cluster, too. */
static PsLoad more_with(const Cluster *cluster, const PsKind *kind, const PsLoad *more)
{
    const PsLoad load = ps_load_of(kind->group);
    PsLoad sum = *more;
    for (guint i = 0; i < PS_N_LOADS; i++)
        sum.of[i] += cluster->share * load.of[i] - cluster->load.of[i];
    return sum;
}

static double off_by(const Merging *merging, const PsLoad *more)
{
    double off = 0;
    for (guint i = 0; i < PS_N_LOADS; i++)
        off = MAX(off, ABS(more->of[i]) / merging->scale.of[i]);
    return off;
}

/* The kind that stands for a cluster: the one with which the total load comes nearest to the true
 * one; of several, the most frequent. *more is the load that earlier clusters added. Where all
 * groups run at once, the longest kind stands for its cluster. */
static PsKind stand_in(const Merging *merging, const Cluster *cluster, PsLoad *more)
{
    const gboolean longest = merging->at_once && cluster->first == 0;
    const PsKind *best = kind_at(merging->kinds, cluster->first);
    PsLoad with = more_with(cluster, best, more);
    for (guint i = 1; i < cluster->n && !longest; i++) {
        const PsKind *kind = kind_at(merging->kinds, cluster->first + i);
        const PsLoad other = more_with(cluster, kind, more);
        const double off = off_by(merging, &other), least = off_by(merging, &with);
        if (off < least || (off <= least && kind->share > best->share)) {
            best = kind;
            with = other;
        }
    }
    *more = with;
    return (PsKind){.group = best->group,
                    .groups = cluster->groups,
                    .share = cluster->share,
                    .load = ps_load_of(best->group)};
}

/* ---- shares --------------------------------------------------------------------------------- */

/* Sets the kinds' shares as multiples of 1 / parts. Each kind has at least one part, and the most
 * frequent one gets the remaining ones. Returns the error as a share of the load; 1: there are too
 * few parts. */
static double set_parts(GArray *chosen, gint64 parts, const PsLoad *scale)
{
    guint most = 0;
    gint64 left = parts;
    PsLoad wrong = {{0}};
    for (guint i = 0; i < chosen->len; i++) {
        PsKind *kind = &g_array_index(chosen, PsKind, i);
        kind->parts = MAX((gint64)(kind->share * (double)parts + 0.5), 1);
        left -= kind->parts;
        most = kind->share > kind_at(chosen, most)->share ? i : most;
    }
    g_array_index(chosen, PsKind, most).parts += left;
    for (guint i = 0; i < chosen->len; i++) {
        const PsKind *kind = kind_at(chosen, i);
        const double off = (double)kind->parts / (double)parts - kind->share;
        for (guint l = 0; l < PS_N_LOADS; l++)
            wrong.of[l] += ABS(off) * kind->load.of[l] / scale->of[l];
    }
    const double all =
        MAX(wrong.of[PS_LOAD_WORK], MAX(wrong.of[PS_LOAD_SECTORS], wrong.of[PS_LOAD_PASSES]));
    return kind_at(chosen, most)->parts > 0 ? all : 1;
}

/* Sets as many parts as there are groups, if a kind is too rare for fewer. */
static void set_exact(GArray *chosen)
{
    for (guint i = 0; i < chosen->len; i++) {
        PsKind *kind = &g_array_index(chosen, PsKind, i);
        kind->parts = (gint64)kind->groups;
    }
}

/* ---- all of it ------------------------------------------------------------------------------ */

GArray *ps_kinds_chosen(const GArray *kinds, gboolean at_once)
{
    const PsLoad mean = ps_kinds_load(kinds);
    g_autoptr(GArray) sorted = g_array_copy((GArray *)kinds);
    g_autoptr(GArray) clusters = g_array_new(FALSE, FALSE, sizeof(Cluster));
    g_autoptr(GArray) costs = g_array_new(FALSE, FALSE, sizeof(double));
    Merging merging = {sorted,   at_once, ps_kinds_measure(kinds), ps_load_scale(&mean),
                       clusters, costs};
    g_array_sort_with_data(sorted, longest_first, GUINT_TO_POINTER(merging.measure));
    make_clusters(&merging);
    GArray *chosen = g_array_new(FALSE, FALSE, sizeof(PsKind));
    PsLoad more = {{0}};
    if (clusters->len == 1) {
        const Cluster *cluster = &g_array_index(clusters, Cluster, 0);
        const PsRollGroup *group = ps_kinds_typical(kinds, at_once)->group;
        const PsKind all = {group, cluster->groups, 1, 1, ps_load_of(group)};
        g_array_append_val(chosen, all);
        return chosen;
    }
    for (guint i = 0; i < clusters->len; i++) {
        const Cluster *cluster = &g_array_index(clusters, Cluster, i);
        const PsKind kind = stand_in(&merging, cluster, &more);
        g_array_append_val(chosen, kind);
    }
    const PsLoad of_chosen = ps_kinds_load(chosen), scale = ps_load_scale(&of_chosen);
    gint64 parts = chosen->len;
    while (set_parts(chosen, parts, &scale) > ROUNDING && parts < MOST_PARTS)
        parts++;
    if (parts == MOST_PARTS)
        set_exact(chosen);
    return chosen;
}
