/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs of kernels as they would be: copies with something else in them, to see what comes of it.
 */
#ifndef PIPESIM_IDG_EDIT_H
#define PIPESIM_IDG_EDIT_H

#include "idg/idg.h"

G_BEGIN_DECLS

/* A copy that belongs to the caller, with all that is never written, too. */
PsIdg *ps_idg_copy(const PsIdg *idg);
PsIdgItem *ps_idg_copy_item(const PsIdgItem *item);
void ps_idg_free_item(void *item);

/* The node of that name in a code (its number from 0, which is that of its program in a PsKernel);
 * borrowed; NULL where it has none. Takes time with the length of the code. */
PsIdgItem *ps_idg_find(const PsIdg *idg, guint code, const char *name);

/* Whether a node is one of those that are meant. */
typedef gboolean (*PsIdgMeans)(const PsIdgItem *node, void *data);

/* Removes the nodes of a code that are meant, and loops that have nothing left. What waited for one
 * of them waits for what that waited for. Returns how many went. */
guint ps_idg_remove(PsIdg *idg, guint code, PsIdgMeans means, void *data);

G_END_DECLS
#endif
