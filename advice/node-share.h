/* SPDX-License-Identifier: BSD-3-Clause */
/* The nodes of an answer's kernel by their items in the graph. */
#ifndef PIPESIM_ADVICE_NODE_SHARE_H
#define PIPESIM_ADVICE_NODE_SHARE_H

#include "answer/answer.h"

typedef struct {
    guint program, node; /* of the kernel */
    double share; /* the part of the critical path that is charged to it; 0 if there is none */
} PsNodeShare;

/* Shares of the critical path by source line; the caller's (g_hash_table_unref). */
GHashTable *ps_line_shares_new(void);
void ps_line_shares_add(GHashTable *lines, const PsIdg *idg, const PsIdgItem *node, double share);
/* The node with the largest share in the line with the largest share; NULL if there is no line. */
const PsIdgItem *ps_line_shares_most(GHashTable *lines);

/* PsIdgItem -> PsNodeShare, of nodes that have instances; the caller's (g_hash_table_unref). */
GHashTable *ps_node_shares(const PsAnswer *answer);

#endif
