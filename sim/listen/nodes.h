/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The nodes of all programs of a machine in one table, with the figures that listeners need for
 * each instance. Internal to sim/.
 */
#ifndef PIPESIM_SIM_LISTEN_NODES_H
#define PIPESIM_SIM_LISTEN_NODES_H

#include "sim/sim.h"

typedef struct {
    const PsProgramNode *node;
    const PsMachineClass *class;
    guint program;
    guint class_index; /* of the machine's */
    guint pipeline;    /* of the GPU's */
    gint64 issue;      /* lambda, ticks */
    gint64 completion; /* Lambda, ticks; of what is posted (T5, R7): lambda */
    gint64 hold;       /* R9, ticks */
} PsMachineNode;

typedef struct {
    guint n_nodes;
    guint *first_node; /* [program]: of its nodes among all; then n_nodes */
    PsMachineNode *all;
    /* An issue is reported before any issue that is later by so many ticks; 0: issues are
     * reported in order of time, those of one warp in the order in which they issue. */
    gint64 lag;
} PsNodes;

/* The machine is borrowed and must outlive the nodes. */
void ps_nodes_init(PsNodes *nodes, const PsMachine *machine);
void ps_nodes_clear(PsNodes *nodes);

#endif
