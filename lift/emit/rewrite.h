/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations of a graph written otherwise: a node, with those that are parts of its operation,
 * becomes another sequence of instructions, or goes.
 */
#ifndef PIPESIM_LIFT_EMIT_REWRITE_H
#define PIPESIM_LIFT_EMIT_REWRITE_H

#include "idg/idg.h"

G_BEGIN_DECLS

/* What a node that is no part of another becomes: the text of a sequence (sequence.h), or "" where
 * it goes, and what waits for it waits for what it waits for; NULL: it stays. */
typedef const char *(*PsRewriteTo)(const PsIdgItem *node, gpointer data);

/* Rewrites a code of the graph, and returns how many instructions its text has less then (below 0:
 * more). A part that other nodes wait for, too, stays, unless it is made of the result.
 * Instructions that read wait for what the operation's parts waited for; that with the result, the
 * node itself, for all of it. */
int ps_rewrite(PsIdg *idg, guint code, PsRewriteTo to, gpointer data);

G_END_DECLS
#endif
