/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The form between the tree of a code and its program: nodes and loops in flat arrays, in textual
 * order, with trip counts known. Shared by the files that make a program; internal to idg/.
 */
#ifndef PIPESIM_IDG_FLAT_H
#define PIPESIM_IDG_FLAT_H

#include "idg/program.h"

/* Instances, trips and distances stay far below 2^63, so that sums of two cannot overflow. */
#define PS_MAX_INSTANCES (G_MAXINT64 / 4)

#define PS_NO_LOOP (-1)

typedef struct {
    const PsIdgItem *item;
    int parent; /* index of the loop around it, or PS_NO_LOOP */
    int depth;  /* loops around it */
    gint64 trips;
    gint64 length;    /* instances of all nodes in one iteration */
    int last_barrier; /* the last barrier node in its body, or -1 */
} PsFlatLoop;

typedef struct {
    const PsIdgItem *item;
    int loop;        /* innermost loop around it, or PS_NO_LOOP */
    gboolean live;   /* has instances: no loop around it has zero trips */
    gboolean wanted; /* some node names it in its `after` */
    gboolean barrier;
    gint64 position; /* place of its first instance */
    GArray *fences;  /* int: barriers that may be the most recent one before an instance of it */
} PsFlatNode;

typedef struct {
    const PsIdg *idg;
    const PsScope *scope;
    GArray *loops;       /* PsFlatLoop, an outer one before those inside it */
    GArray *nodes;       /* PsFlatNode, in textual order */
    GHashTable *by_name; /* name -> index + 1 in nodes */
} PsFlat;

#define ps_flat_loop(flat, i) (&g_array_index((flat)->loops, PsFlatLoop, (i)))
#define ps_flat_node(flat, i) (&g_array_index((flat)->nodes, PsFlatNode, (i)))

/* Flattens a code: evaluates trip counts, computes positions and lengths. *length becomes the
 * number of instances. NULL and *error on a bad trip count. */
PsFlat *ps_flat_new(const PsIdg *idg, const PsIdgCode *code, const PsScope *scope, gint64 *length,
                    GError **error);
void ps_flat_free(PsFlat *flat);

/* The deepest loop that encloses nodes a and b, or PS_NO_LOOP. */
int ps_flat_common_loop(const PsFlat *flat, int a, int b);

/* Instances of a node in one iteration of a loop that encloses it (of the whole code for
 * PS_NO_LOOP). */
gint64 ps_flat_instances(const PsFlat *flat, int node, int loop);

/* Fills in every node's fences. */
void ps_flat_find_fences(PsFlat *flat, const PsIdgCode *code);

/* TRUE when node v's wait for barrier b is implied by its written plain dependence on x: the most
 * recent b before that x is the most recent b before v. */
gboolean ps_flat_fence_implied(const PsFlat *flat, int b, int v, int x);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsFlat, ps_flat_free)

#endif
