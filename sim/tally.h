/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The engine's sums, for a listener that wants sums of instances instead of each instance
 * (PsListener.tallied). Internal to sim/.
 */
#ifndef PIPESIM_SIM_TALLY_H
#define PIPESIM_SIM_TALLY_H

#include "sim/sim.h"

/* Sums over instances may exceed 64 bits when the time itself does not. */
__extension__ typedef __int128 PsWide;

/* The tally of one node: how many instances, and ticks that they waited for their pipeline and for
 * servers. */
typedef struct {
    gint64 issued;
    gint64 most_queued;
    PsWide queued, delayed;
    PsWide blocked; /* before they issued to a queue in front of their pipeline (R11) */
} PsTallyNode;

/* The last instance on a pipeline keeps it busy until then. */
typedef struct {
    gint64 until; /* ticks; with PS_TALLY_NONE: nothing was issued */
    guint node;
} PsTallyHold;

#define PS_TALLY_NONE G_MAXUINT

/* Sums since the last call, of one of the CUs that do the same. Nodes are those of all programs,
 * one after the other; holds are of each pipeline, and of each scheduler's own. */
struct PsTally {
    guint cu, n_cus; /* as of PsGroups */
    guint n_nodes, n_holds;
    PsTallyNode *nodes;
    PsTallyHold *holds;
};

#endif
