/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rules R7 and R8: the cost of memory instructions follows from a description's levels of memory,
 * and from the bytes that each instruction moves at each of them by the graph. Internal to the
 * library.
 */
#ifndef PIPESIM_SIM_ENGINE_MEMORY_H
#define PIPESIM_SIM_ENGINE_MEMORY_H

#include "sim/sim.h"

/* Makes the machine's servers. Its launch, clock and refinements are set. FALSE and *error
 * (PS_ERROR_LIMIT) where a rate does not fit an exact fraction. */
gboolean ps_memory_init(PsMachine *machine, const GPtrArray *what_if, GError **error);

/* Gives the pipeline that issues a node which the rules serve; `pipeline` is that of its class. */
guint ps_memory_pipeline(const PsMachine *machine, const PsProgramNode *node, guint pipeline);

/* Fills in the cost of a node, which that class serves, but for ticks; it belongs to the machine,
 * like the servers of spots that are added to it. FALSE and *error for a load that moves more bytes
 * at a level than at the one before (PS_ERROR_VALUE, with file and line), and for numbers that do
 * not fit (PS_ERROR_LIMIT). */
gboolean ps_memory_cost(PsMachine *machine, const PsProgramNode *node, const PsClass *gpu_class,
                        PsNodeCost *cost, GError **error);

#endif
