/* SPDX-License-Identifier: BSD-3-Clause */
/* The common parts of copies of many bytes and copies by tensor maps. */
#ifndef PIPESIM_PTX_RUN_COPY_H
#define PIPESIM_PTX_RUN_COPY_H

#include "ptx/run/warp.h"
#include "ptx/tensor-map.h"

G_BEGIN_DECLS

/* The source or the destination of a lane's copy. */
typedef struct {
    PsPtxSpace space;
    guint64 at;
    guint bytes;
    gboolean reads;
} PsPtxMany;

/* The memory at that place; NULL with the warp's error set. All of the bytes must lie in one
 * buffer, whose blocks are filled as far as they reach. */
guint8 *ps_ptx_reach_many(PsPtxRunner *runner, const PsPtxStep *step, guint lane,
                          const PsPtxMany *many);

/* A reduction: how an element in memory changes by another. */
typedef enum {
    PS_TENSOR_ADD,
    PS_TENSOR_MIN,
    PS_TENSOR_MAX,
    PS_TENSOR_INC,
    PS_TENSOR_DEC,
    PS_TENSOR_AND,
    PS_TENSOR_OR,
    PS_TENSOR_XOR
} PsTensorChange;

/* Finds the reduction that an instruction names; FALSE: it names none. */
gboolean ps_ptx_change_called(const PsPtxMnemonic *mnemonic, PsTensorChange *change);

/* Reduces one element; FALSE: elements of the type have no such reduction. */
gboolean ps_ptx_tensor_change(PsTensorElement element, PsTensorChange change, guint8 *to,
                              const guint8 *by);

/* cp.async.bulk.tensor, its reductions and prefetches. */
gboolean ps_ptx_decode_tensor(PsPtxDecode *decode, PsPtxStep *step);

G_END_DECLS
#endif
