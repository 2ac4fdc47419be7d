/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the kinds of a graph: kinds with nearly equal work become one. See kinds.h. */
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

/* Kinds with consecutive work. */
typedef struct {
    guint first, n;
    guint64 groups;     /* sums over the same kinds: */
    double share, work; /* work is multiplied by its share of groups */
} Cluster;

static const PsKind *kind_at(const GArray *kinds, guint i)
{
    return &g_array_index(kinds, PsKind, i);
}

static int longest_first(gconstpointer a, gconstpointer b)
{
    const double x = ps_kind_work(a), y = ps_kind_work(b);
    return (x < y) - (x > y);
}

/* ---- merging -------------------------------------------------------------------------------- */

/* What the costs of merging follow from. */
typedef struct {
    const GArray *kinds;
    double mean; /* ps_kinds_mean: it is asked for each two clusters */
    gboolean at_once;
    GArray *clusters;
    GArray *costs; /* double: to merge a cluster with the next one */
} Merging;

static const Cluster *cluster_at(const Merging *merging, guint i)
{
    return &g_array_index(merging->clusters, Cluster, i);
}

/* What it changes to take those of two clusters for their mean, as a share of the work. Where all
 * groups run at once, the launch ends with the longest, however few these are: then it is also by
 * how much others end sooner. */
static double cost_of(const Merging *merging, guint i)
{
    const Cluster *a = cluster_at(merging, i), *b = cluster_at(merging, i + 1);
    const double mean = MAX(merging->mean, 1);
    const double work = (a->work * b->share - b->work * a->share) / (a->share + b->share) / mean;
    const double longest = MAX(ps_kind_work(kind_at(merging->kinds, 0)), 1);
    const double shorter = longest - ps_kind_work(kind_at(merging->kinds, b->first));
    return merging->at_once && a->first == 0 ? MAX(work, shorter / longest * PS_KINDS_MERGED / SOON)
                                             : work;
}

/* Sets the cost of merging that cluster with the next one, if both are there. */
static void set_cost(Merging *merging, guint i)
{
    if (i + 1 < merging->clusters->len)
        g_array_index(merging->costs, double, i) = cost_of(merging, i);
}

static void merge_at(Merging *merging, guint i)
{
    Cluster *a = &g_array_index(merging->clusters, Cluster, i);
    const Cluster *b = a + 1;
    a->n += b->n;
    a->groups += b->groups;
    a->share += b->share;
    a->work += b->work;
    g_array_remove_index(merging->clusters, i + 1);
    g_array_remove_index(merging->costs, i);
    set_cost(merging, i);
    if (i > 0)
        set_cost(merging, i - 1);
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

/* The kinds, the longest first, as clusters. With some thousands of kinds, costs are computed once
 * and again only for the neighbours of what was merged. */
static GArray *clusters_of(const GArray *kinds, gboolean at_once)
{
    GArray *clusters = g_array_new(FALSE, FALSE, sizeof(Cluster));
    g_autoptr(GArray) costs = g_array_new(FALSE, FALSE, sizeof(double));
    Merging merging = {kinds, ps_kinds_mean(kinds), at_once, clusters, costs};
    for (guint i = 0; i < kinds->len; i++) {
        const PsKind *kind = kind_at(kinds, i);
        const Cluster one = {i, 1, kind->groups, kind->share, kind->share * ps_kind_work(kind)};
        g_array_append_val(clusters, one);
    }
    g_array_set_size(costs, MAX(clusters->len, 1) - 1);
    for (guint i = 0; i < costs->len; i++)
        set_cost(&merging, i);
    while (clusters->len > 1) {
        const guint least = cheapest(&merging);
        if (clusters->len <= MOST_KINDS && g_array_index(costs, double, least) > PS_KINDS_MERGED)
            break;
        merge_at(&merging, least);
    }
    return clusters;
}

/* The growth of the total work if that kind stands for its cluster. */
static double more_with(const Cluster *cluster, const PsKind *kind)
{
    return cluster->share * ps_kind_work(kind) - cluster->work;
}

/* The kind that stands for a cluster: the one with which the total work comes nearest to the true
 * one; of several, the most frequent. *more is the work that earlier clusters added. Where all
 * groups run at once, the longest kind stands for its cluster. */
static PsKind stand_in(const GArray *kinds, const Cluster *cluster, gboolean at_once, double *more)
{
    const gboolean longest = at_once && cluster->first == 0;
    const PsKind *best = kind_at(kinds, cluster->first);
    for (guint i = 1; i < cluster->n && !longest; i++) {
        const PsKind *kind = kind_at(kinds, cluster->first + i);
        const double off = ABS(*more + more_with(cluster, kind));
        const double least = ABS(*more + more_with(cluster, best));
        if (off < least || (off <= least && kind->share > best->share))
            best = kind;
    }
    *more += more_with(cluster, best);
    return (PsKind){.group = best->group, .groups = cluster->groups, .share = cluster->share};
}

/* ---- shares --------------------------------------------------------------------------------- */

/* Sets the kinds' shares as multiples of 1 / parts. Each kind has at least one part, and the most
 * frequent one gets the remaining ones. Returns the error as a share of the work; 1: there are too
 * few parts. */
static double set_parts(GArray *chosen, gint64 parts, double mean)
{
    guint most = 0;
    gint64 left = parts;
    double wrong = 0;
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
        wrong += ABS(off) * ps_kind_work(kind) / mean;
    }
    return kind_at(chosen, most)->parts > 0 ? wrong : 1;
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
    g_autoptr(GArray) sorted = g_array_copy((GArray *)kinds);
    g_array_sort(sorted, longest_first);
    g_autoptr(GArray) clusters = clusters_of(sorted, at_once);
    GArray *chosen = g_array_new(FALSE, FALSE, sizeof(PsKind));
    double more = 0;
    if (clusters->len == 1) {
        const Cluster *cluster = &g_array_index(clusters, Cluster, 0);
        const PsKind all = {ps_kinds_typical(kinds, at_once)->group, cluster->groups, 1, 1};
        g_array_append_val(chosen, all);
        return chosen;
    }
    for (guint i = 0; i < clusters->len; i++) {
        const Cluster *cluster = &g_array_index(clusters, Cluster, i);
        const PsKind kind = stand_in(sorted, cluster, at_once, &more);
        g_array_append_val(chosen, kind);
    }
    const double mean = MAX(ps_kinds_mean(chosen), 1);
    gint64 parts = chosen->len;
    while (set_parts(chosen, parts, mean) > ROUNDING && parts < MOST_PARTS)
        parts++;
    if (parts == MOST_PARTS)
        set_exact(chosen);
    return chosen;
}
