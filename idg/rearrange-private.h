/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A loop's body as what waits for what, and in which order copies of its nodes may stand. Internal
 * to rearrange*.c.
 */
#ifndef PIPESIM_IDG_REARRANGE_PRIVATE_H
#define PIPESIM_IDG_REARRANGE_PRIVATE_H

#include "idg/rearrange.h"

/* A wait of a node in its loop: for the instance of that many iterations before its own. */
typedef struct {
    guint on;
    gint64 back;
} PsNeed;

typedef struct {
    const PsIdgItem *item;
    GArray *needs;  /* PsNeed */
    gboolean load;  /* it comes from memory, so that its result is late */
    gboolean fence; /* nothing moves across it: a barrier, or a branch that is not the loop's */
    gboolean once;  /* it serves the loop alone: once for each trip */
    gboolean early; /* it is a load that may be of the next iteration, or computes such a load's
                       address */
    gboolean
        summed; /* it adds to what `adds_to` was an iteration before: the first of nodes that add
                   up, each alone to the one before, and that nothing else of the loop needs */
    guint adds_to;
} PsBodyNode;

typedef struct {
    gboolean straight;   /* it is a piece of a body and no whole loop */
    GArray *nodes;       /* PsBodyNode */
    GHashTable *by_name; /* name -> index + 1 */
} PsBody;

/* A copy of a node: the one of iteration `offset` of those that a trip of the new loop does. */
typedef struct {
    guint node;
    gint64 offset;
    PsIdgItem *item; /* made of it, or NULL; borrowed */
} PsCopy;

static inline PsBodyNode *ps_body_node(const PsBody *body, guint i)
{
    return &g_array_index(body->nodes, PsBodyNode, i);
}

/* The body of a loop, which borrows its items. NULL where the loop cannot be rearranged. */
PsBody *ps_body_new(const GPtrArray *items, const PsScope *scope);
/* The same for nodes one after the other that are no loop's whole body. */
PsBody *ps_body_new_straight(const GPtrArray *items, const PsScope *scope);
void ps_body_free(PsBody *body);

/* Sets `early` of the loads that may come an iteration earlier and wait for the load before them.
 * FALSE where there is none. */
gboolean ps_body_find_early(PsBody *body);

/* Whether a node writes memory that a load may read: global memory, or that of the group. */
gboolean ps_body_writes(const PsBodyNode *node, gboolean local);

/* All nodes of so many iterations in their new order (PsCopy); *passes_store as in PsIdgRearranged.
 * The array is the caller's. */
GArray *ps_body_order(const PsBody *body, guint times, gboolean chains, gboolean *passes_store);

/* Registers of 32 bits that values of a body's nodes take, where most are live at once. lasting:
 * names of those that are needed behind it; NULL: none. */
gint64 ps_body_words(const GPtrArray *items, const PsScope *scope, GHashTable *lasting);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsBody, ps_body_free)

#endif
