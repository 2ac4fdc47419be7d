/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface between emit.c, which writes nodes and loops, and the files that add parts to a
 * node. */
#ifndef PIPESIM_LIFT_EMIT_EMIT_PRIVATE_H
#define PIPESIM_LIFT_EMIT_EMIT_PRIVATE_H

#include "lift/emit/emit.h"
#include "lift/values/operation.h"

G_BEGIN_DECLS

/* The inputs for the nodes of one role. */
typedef struct PsEmit {
    const PsRoles *roles;
    const PsWarpRole *role;
    const PsSpots *spots;
    PsSymbols *symbols;
    const PsSourceText *text;
    const PsOperationTable *operations;
    int line;         /* line of the last comment */
    double *lanes;    /* per point: share of the warps' threads that come to it; NULL: all do */
    double *executed; /* per point without access: share that execute it; NULL: as many */
    guint8 *keeps;    /* per spot: it is in straight code in which a store keeps a load behind it */
} PsEmit;

/* The share of the threads of a role's warps that come to each point (NULL: all), and the share
 * that execute it (NULL: as many). Free with g_free. */
double *ps_role_comes(const PsWarpRole *role);
double *ps_role_executes(const PsWarpRole *role);

/* TRUE for accesses to memory that the graph shows. */
gboolean ps_spot_is_access(const PsSpots *spots, guint i);

/* Adds the dependences of spot i, in the order of the spots. */
void ps_emit_dependences(const PsSpots *spots, guint i, PsIdgItem *node);
/* Adds what machine code reads beside its dependences. */
void ps_emit_reads(const PsEmit *emit, guint i, PsIdgItem *node);
/* Adds what spot i awaits of other warps. */
void ps_emit_awaits(const PsEmit *emit, guint i, PsIdgItem *node);

/* Adds bytes, and how many of them go to which level. */
void ps_emit_traffic(const PsEmit *emit, const PsSpot *spot, PsIdgItem *node);
/* Adds the number of bytes in sectors that are written in part, unless the node's other attributes
 * (shares and lanes) imply it. */
void ps_emit_partial(const PsEmit *emit, const PsSpot *spot, PsIdgItem *node);
/* The share of a warp's lanes that have threads: the mean over the warps of a group. */
double ps_emit_fullness(const PsSymbols *symbols);
/* A share as an expression with six digits; what: its name in errors. */
PsExpr *ps_share_expr(double share, const char *what);

G_END_DECLS
#endif
