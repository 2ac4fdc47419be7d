/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes copies of a graph with a change in them, to simulate what the change would do.
 */
#ifndef PIPESIM_IDG_EDIT_H
#define PIPESIM_IDG_EDIT_H

#include "idg/idg.h"

G_BEGIN_DECLS

/* A copy that belongs to the caller, with all that is never written, too. */
PsIdg *ps_idg_copy(const PsIdg *idg);
PsIdgItem *ps_idg_copy_item(const PsIdgItem *item);
void ps_idg_free_item(void *item);

/* Adds a copy of a code, of this graph or another of the same kinds, that no warps run yet; and the
 * expression of a number. */
PsIdgCode *ps_idg_add_copy(PsIdg *idg, const PsIdgCode *code);
PsExpr *ps_idg_number(gint64 number);

/* Puts the codes into the order of their kinds, where copies stand behind them all. */
void ps_idg_sort_codes(PsIdg *idg);

/* The node of that name in a code (its number from 0, which is that of its program in a PsKernel);
 * borrowed; NULL where it has none. Takes time with the length of the code. */
PsIdgItem *ps_idg_find(const PsIdg *idg, guint code, const char *name);

/* Whether a node is one of those that are meant. */
typedef gboolean (*PsIdgMeans)(const PsIdgItem *node, void *data);

/* Removes the nodes of a code that are meant, and loops that have nothing left. What waited for one
 * of them waits for what that waited for. Returns how many went. */
guint ps_idg_remove(PsIdg *idg, guint code, PsIdgMeans means, void *data);

/* ---- one node for several, and out of loops (edit-move.c) ------------------------------------ */

/* The loops around a node or loop of a code, innermost first; the array is the caller's, the loops
 * are the graph's. */
GPtrArray *ps_idg_loops_around(const PsIdg *idg, guint code, const PsIdgItem *item);

/* One of two nodes of the same body goes: what waited for it waits for the other, at its place. If
 * that stands behind it, it waits for what it waited for, too. */
void ps_idg_join(PsIdg *idg, guint code, PsIdgItem *keep, PsIdgItem *gone);

/* Moves a node out of so many loops, the innermost first, before the last of them or behind it. It
 * runs once where that loop ran, and whoever waits for it waits for that. */
void ps_idg_hoist(PsIdg *idg, guint code, PsIdgItem *node, guint levels, gboolean behind);

/* Puts a node, which the graph takes, right behind another one, or behind the loop that is so many
 * around that one. */
void ps_idg_put_behind(PsIdg *idg, guint code, const PsIdgItem *item, guint levels,
                       PsIdgItem *node);

/* Moves the nodes of a body that are meant to its begin, in their order, as compilers do with
 * loads: with what of the same iteration they wait for, and not before a loop, a barrier or what
 * writes to memory. */
void ps_idg_raise(GPtrArray *body, PsIdgMeans means, void *data);

/* Cuts the iterations of a loop, a multiple of `times`, into strips of so many: it becomes the body
 * of another loop, which is returned. */
PsIdgItem *ps_idg_strip(PsIdg *idg, guint code, PsIdgItem *loop, gint64 times);

/* Removes the nodes of a code that nodes which nobody waited for in the graph before waited for
 * there, by way of others or not, and do no longer. */
void ps_idg_drop_unused(PsIdg *idg, guint code, const PsIdg *before);

G_END_DECLS
#endif
