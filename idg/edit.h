/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes copies of a graph with a change in them, to simulate what the change would do.
 */
#ifndef PIPESIM_IDG_EDIT_H
#define PIPESIM_IDG_EDIT_H

#include "idg/idg.h"

G_BEGIN_DECLS

/* A copy of the graph that belongs to the caller, with the members that are never written, too. */
PsIdg *ps_idg_copy(const PsIdg *idg);
PsIdgItem *ps_idg_copy_item(const PsIdgItem *item);
void ps_idg_free_item(void *item);

/* Adds a copy of a code (of this graph or another of the same kinds) that no warps run yet.
 * ps_idg_number makes the expression of a number. */
PsIdgCode *ps_idg_add_copy(PsIdg *idg, const PsIdgCode *code);
PsExpr *ps_idg_number(gint64 number);

/* Puts the codes into the order of their kinds, when copies stand behind all of them. */
void ps_idg_sort_codes(PsIdg *idg);

/* The node of that name in a code; borrowed; NULL if the code has none. A code's number counts from
 * 0 and is that of its program in a PsKernel. The time grows with the length of the code. */
PsIdgItem *ps_idg_find(const PsIdg *idg, guint code, const char *name);

/* Chooses nodes: TRUE for a node that is meant. */
typedef gboolean (*PsIdgMeans)(const PsIdgItem *node, void *data);

/* Removes the chosen nodes of a code, and loops that have nothing left. What waited for one of them
 * waits for what that waited for. Returns how many went. */
guint ps_idg_remove(PsIdg *idg, guint code, PsIdgMeans means, void *data);

/* ---- one node for several, and out of loops (edit-move.c) ------------------------------------ */

/* The loops around a node or loop of a code, innermost first; the array is the caller's, the loops
 * are the graph's. */
GPtrArray *ps_idg_loops_around(const PsIdg *idg, guint code, const PsIdgItem *item);

/* Removes one of two nodes of the same body. What waited for it waits for the other, at its place.
 * If the other stands behind it, the other also waits for what it waited for. */
void ps_idg_join(PsIdg *idg, guint code, PsIdgItem *keep, PsIdgItem *gone);

/* Moves a node out of so many loops, the innermost first, to before or behind the last of them. It
 * then runs once where that loop ran, and nodes that wait for it wait for that instance. */
void ps_idg_hoist(PsIdg *idg, guint code, PsIdgItem *node, guint levels, gboolean behind);

/* Puts a node, which the graph takes, right behind another one, or behind the loop that is so many
 * levels around that one. */
void ps_idg_put_behind(PsIdg *idg, guint code, const PsIdgItem *item, guint levels,
                       PsIdgItem *node);

/* Moves the chosen nodes of a body to its beginning, in their order, as compilers do with loads.
 * What they wait for in the same iteration moves with them. None moves before a loop, a barrier or
 * a node that writes to memory. */
void ps_idg_raise(GPtrArray *body, PsIdgMeans means, void *data);

/* Cuts the iterations of a loop, a multiple of `times`, into strips of so many: the loop becomes
 * the body of another one, which is returned. */
PsIdgItem *ps_idg_strip(PsIdg *idg, guint code, PsIdgItem *loop, gint64 times);

/* Removes nodes of a code that serve nothing any more: in the graph before, a node that nobody
 * waited for waited for them, directly or not, and now none does. */
void ps_idg_drop_unused(PsIdg *idg, guint code, const PsIdg *before);

G_END_DECLS
#endif
