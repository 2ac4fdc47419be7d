/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Orders the nodes of several iterations. Each stands as early as its needs allow; nodes that wait
 * for no load come first, then those that wait for one, and so on: so all loads that can be in
 * flight at once are, before the first is used. Iterations alternate, so that each node's latency
 * is hidden by the same node of the others. Fences, writes, and accesses that may overlap keep
 * their order; in straight code, so do nodes that wait for the iteration before.
 */
#include "idg/rearrange-private.h"

#include "base/class-name.h"

/* A node of an iteration, while it is placed. */
typedef struct {
    guint segment; /* number of fences before it, itself counted twice */
    guint depth;   /* the longest chain of loads of this trip that it waits for */
    guint waits;   /* number of nodes that must come before it and are not placed */
    gboolean placed;
    GArray *next; /* guint: nodes that must come later */
} Slot;

typedef struct {
    const PsBody *body;
    guint times, n; /* n: nodes of one iteration */
    gboolean chains;
    Slot *slots; /* iteration c's node i is c * n + i */
} Order;

static const PsBodyNode *node_of(const Order *order, guint slot)
{
    return ps_body_node(order->body, slot % order->n);
}

/* TRUE if the node stands behind all others, once. */
static gboolean is_last(const Order *order, guint node)
{
    const PsBodyNode *of = ps_body_node(order->body, node);
    return of->once && (order->times > 1 || ps_class_covers("branch", of->item->class_name) ||
                        ps_class_covers("loop", of->item->class_name));
}

static void put_before(const Order *order, guint first, guint second)
{
    g_array_append_val(order->slots[first].next, second);
    order->slots[second].waits++;
}

static void link_needs(const Order *order, guint slot)
{
    const PsBodyNode *node = node_of(order, slot);
    const guint iteration = slot / order->n;
    Slot *to = &order->slots[slot];
    for (guint i = 0; i < node->needs->len; i++) {
        const PsNeed *need = &g_array_index(node->needs, PsNeed, i);
        const gboolean own_chain = order->chains && node->summed && need->on == node->adds_to;
        if (order->body->straight && need->back > 0 && need->on != slot)
            put_before(order, MIN(slot, need->on), MAX(slot, need->on));
        if (own_chain || need->back > iteration || is_last(order, need->on))
            continue;
        const guint on = (iteration - (guint)need->back) * order->n + need->on;
        to->depth = MAX(to->depth, order->slots[on].depth + (node_of(order, on)->load ? 1 : 0));
        put_before(order, on, slot);
    }
}

static gboolean is_access(const PsBodyNode *node)
{
    return node->load || ps_class_writes(node->item->class_name);
}

/* Accesses of each thread to one place in every iteration: a thread may load in the next iteration
 * what it wrote, such as a sum. */
static gboolean both_stay(const PsBodyNode *first, const PsBodyNode *second)
{
    return first->item->invariant > 0 && second->item->invariant > 0;
}

/* TRUE for two accesses to one memory that may overlap, one of them a write. Advice assumes, and
 * says, that loads of global memory read nothing that the kernel writes elsewhere. */
static gboolean keep_order(const PsBodyNode *first, const PsBodyNode *second)
{
    const gboolean local = ps_class_is_local(second->item->class_name);
    if (!is_access(first) || !is_access(second) ||
        ps_class_is_local(first->item->class_name) != local)
        return FALSE;
    return ps_body_writes(second, local) ||
           (ps_body_writes(first, local) && (local || both_stay(first, second)));
}

static void link_memory(const Order *order, guint slot)
{
    for (guint before = 0; is_access(node_of(order, slot)) && before < slot; before++)
        if (keep_order(node_of(order, before), node_of(order, slot)))
            put_before(order, before, slot);
}

static void link_slots(const Order *order)
{
    guint segment = 0;
    for (guint slot = 0; slot < order->times * order->n; slot++) {
        const PsBodyNode *node = node_of(order, slot);
        segment += node->fence;
        order->slots[slot].segment = segment;
        segment += node->fence;
        if (is_last(order, slot % order->n))
            continue;
        link_needs(order, slot);
        link_memory(order, slot);
    }
}

static gboolean is_first(const Order *order, guint a, guint b)
{
    const Slot *x = &order->slots[a], *y = &order->slots[b];
    const guint i = a % order->n, j = b % order->n;
    if (x->segment != y->segment)
        return x->segment < y->segment;
    if (x->depth != y->depth)
        return x->depth < y->depth;
    return i != j ? i < j : a < b;
}

/* The first slot that no other slot holds back; G_MAXUINT: all are placed. */
static guint next_slot(const Order *order)
{
    guint best = G_MAXUINT;
    for (guint slot = 0; slot < order->times * order->n; slot++)
        if (!order->slots[slot].placed && order->slots[slot].waits == 0 &&
            !is_last(order, slot % order->n) && (best == G_MAXUINT || is_first(order, slot, best)))
            best = slot;
    return best;
}

static void place(const Order *order, GArray *copies)
{
    for (guint slot = next_slot(order); slot != G_MAXUINT; slot = next_slot(order)) {
        const PsCopy copy = {slot % order->n, slot / order->n, NULL};
        const GArray *next = order->slots[slot].next;
        g_array_append_val(copies, copy);
        order->slots[slot].placed = TRUE;
        for (guint i = 0; i < next->len; i++)
            order->slots[g_array_index(next, guint, i)].waits--;
    }
    for (guint i = 0; i < order->n; i++) {
        const PsCopy copy = {i, order->times - 1, NULL};
        if (is_last(order, i))
            g_array_append_val(copies, copy);
    }
}

/* TRUE if a load of global memory now stands before a write that it came after. */
static gboolean passes_store(const Order *order, const GArray *copies)
{
    for (guint i = 0; i < copies->len; i++)
        for (guint j = i + 1; j < copies->len; j++) {
            const PsCopy *x = &g_array_index(copies, PsCopy, i);
            const PsCopy *y = &g_array_index(copies, PsCopy, j);
            const PsBodyNode *load = ps_body_node(order->body, x->node);
            if (load->load && !ps_class_is_local(load->item->class_name) &&
                ps_body_writes(ps_body_node(order->body, y->node), FALSE) &&
                (y->offset < x->offset || (y->offset == x->offset && y->node < x->node)))
                return TRUE;
        }
    return FALSE;
}

GArray *ps_body_order(const PsBody *body, guint times, gboolean chains, gboolean *passes)
{
    const guint n = body->nodes->len;
    g_autofree Slot *slots = g_new0(Slot, times * n);
    const Order order = {body, times, n, chains, slots};
    GArray *copies = g_array_new(FALSE, FALSE, sizeof(PsCopy));
    for (guint slot = 0; slot < times * n; slot++)
        slots[slot].next = g_array_new(FALSE, FALSE, sizeof(guint));
    link_slots(&order);
    place(&order, copies);
    *passes = passes_store(&order, copies);
    for (guint slot = 0; slot < times * n; slot++)
        g_array_unref(slots[slot].next);
    return copies;
}
