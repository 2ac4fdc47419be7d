/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice on tiles that several groups copy: clusters of two groups, of which each copies half of
 * the tile to both. See kind.h. Sharing shows in device memory's traffic: if at most half of the
 * bytes that copies move at L2 come from there, groups copy the same bytes.
 */
#include "advice/kind.h"

#include "advice/ring-change.h"
#include "idg/edit.h"

/* Groups of a cluster. */
#define CLUSTER 2

/* ---- what is said of it -------------------------------------------------------------------- */

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *gives = ps_would_give(answer, advice);
    return g_strdup_printf("groups copy the same tiles: clusters of %d groups, of which each "
                           "copies half of a tile to both (multicast), %s; how the two wait for "
                           "each other is not in it",
                           CLUSTER, gives);
}

static void tell_figures(const PsAdvice *advice, PsTold *facts)
{
    (void)advice;
    ps_tell_entry_whole(facts, "cluster", CLUSTER);
}

static gboolean is_covered(const PsAdvice *advice, const PsAdvice *told)
{
    (void)advice;
    return told->cause == PS_CAUSE_MULTICAST;
}

static const PsAdviceChange multicast = {.name = "multicast",
                                         .sentence = sentence,
                                         .tell_figures = tell_figures,
                                         .is_covered = is_covered};

/* ---- which tiles they are ------------------------------------------------------------------ */

/* TRUE if groups copy the same bytes, and each of the copy's counts can be halved. */
static gboolean is_shared(const PsProgramNode *copy)
{
    return ps_ring_is_shared(copy) && copy->bytes % CLUSTER == 0;
}

/* Halves the bytes of all copies of one line; as many as before reach device memory. */
static PsIdg *halve_line(const PsAnswer *answer, const PsIdgItem *line)
{
    const GPtrArray *rings = answer->explain->roles->rings;
    PsIdg *idg = ps_idg_copy(answer->kernel->idg);
    for (guint r = 0; r < rings->len; r++) {
        const PsRing *ring = rings->pdata[r];
        for (guint i = 0; i < ring->copies->len; i++) {
            const PsProgramNode *copy = ps_ring_copy(answer, ring, i);
            if (!ps_ring_is_one_line(copy->item, line) || !is_shared(copy))
                continue;
            PsIdgItem *item = ps_idg_find(idg, ring->producer, copy->item->name);
            ps_ring_set(&item->bytes, copy->bytes / CLUSTER);
            ps_ring_times(&item->share[PS_LEVEL_DEVICE], CLUSTER, 1);
        }
    }
    return idg;
}

static void add_line(PsAdvicePlan *plan, const PsRing *ring, guint i)
{
    PsVariant *variant = ps_variant_new(plan->question);
    variant->question.idg = variant->idg =
        halve_line(plan->answer, ps_ring_copy(plan->answer, ring, i)->item);
    variant->share = ps_ring_hunger(plan->answer);
    PsAdvice *advice =
        ps_advice_add(plan, PS_CAUSE_MULTICAST, &multicast, G_MAXUINT, variant)->advice;
    advice->program = ring->producer;
    advice->node = g_array_index(ring->copies, PsRingCopy, i).node;
}

/* The bytes that the copies of a line bring, and their share of the critical path. */
typedef struct {
    gint64 bytes, ticks;
} Weight;

static Weight weigh(const PsAnswer *answer, const PsRing *ring, const PsIdgItem *line)
{
    const GPtrArray *path = answer->explain->path;
    Weight weight = {0};
    for (guint i = 0; i < ring->copies->len; i++) {
        const PsRingCopy *copy = &g_array_index(ring->copies, PsRingCopy, i);
        const PsProgramNode *node = ps_ring_copy(answer, ring, i);
        if (!ps_ring_is_one_line(node->item, line) || !is_shared(node))
            continue;
        weight.bytes += node->bytes * node->count;
        for (guint r = 0; path && r < path->len; r++) {
            const PsPathRow *row = path->pdata[r];
            if (row->program == ring->producer && row->node == copy->node)
                weight.ticks += row->ticks;
        }
    }
    return weight;
}

/* Adds the line whose copies bring most; of equal ones, the one with more of the critical path. */
static void add_heaviest(PsAdvicePlan *plan, const PsRing *ring)
{
    const PsAnswer *answer = plan->answer;
    Weight most = {0};
    guint heaviest = 0;
    for (guint i = 0; i < ring->copies->len; i++) {
        const Weight weight = weigh(answer, ring, ps_ring_copy(answer, ring, i)->item);
        if (weight.bytes > most.bytes ||
            (weight.bytes == most.bytes && weight.ticks > most.ticks)) {
            most = weight;
            heaviest = i;
        }
    }
    if (most.bytes > 0)
        add_line(plan, ring, heaviest);
}

/* TRUE if there is code, which tells that it is not launched in clusters yet. */
static gboolean may_cluster(const PsAdvicePlan *plan)
{
    return plan->question->code && !ps_ring_is_clustered(plan) &&
           plan->answer->machine->launch.groups % CLUSTER == 0;
}

static void find(PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    if (ps_ring_hunger(answer) < ps_advice_least_gain(answer) || !may_cluster(plan))
        return;
    for (guint s = 0; s < answer->explain->roles->stages->len; s++)
        add_heaviest(plan, g_array_index(answer->explain->roles->stages, PsRoleStages, s).ring);
}

const PsAdviceKind ps_advice_kind_multicast = {.find = find, .copies_graph = TRUE};
