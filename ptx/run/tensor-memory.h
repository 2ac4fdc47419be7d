/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensor memory of a group: 512 columns of 128 lanes, words of 32 bits. An address has the lane in
 * its upper 16 bits and the column in the lower ones. Warps take columns and give them back.
 */
#ifndef PIPESIM_PTX_RUN_TENSOR_MEMORY_H
#define PIPESIM_PTX_RUN_TENSOR_MEMORY_H

#include "ptx/run/warp.h"

G_BEGIN_DECLS

#define PS_PTX_TENSOR_LANES 128
#define PS_PTX_TENSOR_COLUMNS 512

typedef struct {
    guint columns; /* columns that were taken here; 0: none begin here */
    guint point;   /* the point that took them */
} PsPtxTaken;

struct PsPtxTensorMemory {
    guint32 word[PS_PTX_TENSOR_LANES][PS_PTX_TENSOR_COLUMNS];
    PsPtxTaken taken[PS_PTX_TENSOR_COLUMNS]; /* by their first column */
    gboolean is_taken[PS_PTX_TENSOR_COLUMNS];
    guint most;            /* most columns that a group had at once */
    gboolean relinquished; /* the group takes no more */
    gpointer room;         /* of products (tcgen05.c), or NULL */
};

/* The machine's tensor memory, which the first call makes. */
PsPtxTensorMemory *ps_ptx_tensor_memory(PsPtxMachine *machine);

/* A part of it, for a lane of the step. */
typedef struct {
    guint lane; /* of the warp, for messages */
    guint64 address;
    guint lanes, columns;
    const char *does;    /* "reads" */
    PsPtxMachine *group; /* whose it is; NULL: the warp's */
} PsPtxTensorPart;

/* Finds such a part. FALSE, with the warp's error set, where it leaves tensor memory or is not all
 * taken. *first: its lane and column. */
typedef struct {
    guint lane, column;
} PsPtxTensorPlace;
gboolean ps_ptx_tensor_reach(PsPtxWarp *warp, const PsPtxStep *step, const PsPtxTensorPart *part,
                             PsPtxTensorPlace *first);

/* The group of a pair (0, 1) to which the machine's belongs. */
PsPtxMachine *ps_ptx_tensor_group(const PsPtxMachine *machine, guint part);
/* FALSE, with the warp's error set, if the clusters have no pairs of groups. */
gboolean ps_ptx_tensor_has_pair(PsPtxWarp *warp, const PsPtxStep *step, guint lane);

/* tcgen05.mma; FALSE: it is not known. */
gboolean ps_ptx_tensor_multiply(PsPtxDecode *decode, PsPtxStep *step);

/* tcgen05.alloc, dealloc, relinquish_alloc_permit, ld and st; FALSE: it is none of these, or not
 * known. */
gboolean ps_ptx_tensor_take(PsPtxDecode *decode, PsPtxStep *step);

G_END_DECLS
#endif
