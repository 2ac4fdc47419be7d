/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of registers, followed through the blocks of a kernel until nothing changes: forward data
 * flow. A value is a number whose meaning only the user knows; 0 stands for a point that no way has
 * reached.
 */
#ifndef PIPESIM_PTX_CODE_WALK_H
#define PIPESIM_PTX_CODE_WALK_H

#include "ptx/code/code.h"

G_BEGIN_DECLS

/* The work of a walk. pass: changes `now` to the values of registers behind the point. join: the
 * value that two values become where ways meet; repeated joins must come to rest. */
typedef struct {
    void (*pass)(gpointer user, guint point);
    guint (*join)(gpointer user, guint there, guint here);
    gpointer user;
} PsPtxWalker;

typedef struct {
    const PsPtxCode *code; /* borrowed */
    PsPtxWalker walker;
    guint *now;       /* values of the code's registers at the present point */
    guint n_blocks;   /* the other members are walk.c's own */
    guint *block_of;  /* of each leader, its number */
    guint *beginning; /* values of registers at the beginning of each block */
    gboolean *waits;  /* blocks that are to be looked at again */
} PsPtxWalk;

/* FALSE if the code has too many blocks and registers (2^23 pairs); then there is nothing to clear.
 * The first block waits, with all values 0. */
gboolean ps_ptx_walk_init(PsPtxWalk *walk, const PsPtxCode *code, PsPtxWalker walker);
void ps_ptx_walk_clear(PsPtxWalk *walk);

/* Passes waiting blocks until none waits. TRUE if there was one. */
gboolean ps_ptx_walk_settle(PsPtxWalk *walk);

/* Passes each block once, also those that no way reaches. learns: what they end with is known at
 * the blocks behind them, which may make these wait. */
void ps_ptx_walk_all(PsPtxWalk *walk, gboolean learns);

G_END_DECLS
#endif
