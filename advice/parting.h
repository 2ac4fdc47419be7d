/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds where in a graph not all threads of a warp come by: ways from branches at which they part,
 * and loops that some leave before others.
 */
#ifndef PIPESIM_ADVICE_PARTING_H
#define PIPESIM_ADVICE_PARTING_H

#include "idg/program.h"

/* A way: items first to before end of a body. Of the threads that come to the body, the share
 * from..to (of 0..1) takes this way; ways beside each other have shares beside each other. In a
 * loop it is the mean over all iterations of the warp. */
typedef struct {
    guint first, end;
    double from, to;
} PsWay;

/* A branch's ways, one after the other, or a loop. */
typedef struct {
    guint code;            /* of the graph */
    const GPtrArray *body; /* PsIdgItem: that the ways are in, borrowed */
    const PsIdgItem *at;   /* the branch, or a node of the loop, with a line if one has it */
    gboolean loop;
    GArray *ways; /* PsWay, in order */
} PsDivergence;

/* All of the kernel's graph (PsDivergence), those inside of others, too. The caller's. */
GPtrArray *ps_divergences_find(const PsKernel *kernel);

/* Calls visit for each node of some items of a body, loops' included. */
typedef void (*PsVisitNode)(const PsIdgItem *node, void *data);
void ps_idg_visit(const GPtrArray *body, guint first, guint end, PsVisitNode visit, void *data);

#endif
