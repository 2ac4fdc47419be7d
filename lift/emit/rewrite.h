/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rewrites operations of a graph: a node, with the nodes that are parts of its operation, becomes
 * another sequence of instructions, or is removed.
 */
#ifndef PIPESIM_LIFT_EMIT_REWRITE_H
#define PIPESIM_LIFT_EMIT_REWRITE_H

#include "idg/idg.h"

G_BEGIN_DECLS

/* The replacement of a node that is no part of another: the text of a sequence (sequence.h), or ""
 * to remove it, so that its dependents wait for its dependences; NULL: it stays. */
typedef const char *(*PsRewriteTo)(const PsIdgItem *node, gpointer data);

/* Rewrites a code of the graph, and returns how many instructions its text has less then (below 0:
 * more). A part that other nodes wait for, too, stays, unless it is made of the result.
 * Instructions that read wait for what the operation's parts waited for; that with the result, the
 * node itself, for all of it. */
int ps_rewrite(PsIdg *idg, guint code, PsRewriteTo to, gpointer data);

G_END_DECLS
#endif
