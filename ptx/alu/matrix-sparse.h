/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse products (mma.sp): of each four neighbouring elements of a row of A two are stored (for
 * tf32 one of two; for 4 bits two pairs of four pairs), and a word of some lanes says which. PTX
 * ISA, "Sparse matrix storage".
 */
#ifndef PIPESIM_PTX_ALU_MATRIX_SPARSE_H
#define PIPESIM_PTX_ALU_MATRIX_SPARSE_H

#include "ptx/alu/matrix.h"

G_BEGIN_DECLS

typedef struct {
    guint kept;     /* stored elements of a row of A: half of k; 0: the product is dense */
    guint selector; /* which lanes of four have the words: the first ones, those after them, ... */
} PsPtxSparse;

/* Reads whether a product is sparse, and the lanes that have its words. FALSE: it is sparse, and
 * cannot be executed. */
gboolean ps_ptx_sparse_read(const PsPtxDecode *decode, const PsPtxProduct *product,
                            PsPtxSparse *sparse);

/* The place in k of a stored element of a row of A. row: 0 to 15, of a warp's rows; words: of its
 * lanes. */
guint ps_ptx_sparse_place(const PsPtxProduct *product, const PsPtxSparse *sparse,
                          const guint64 words[PS_PTX_LANES], guint row, guint element);

/* FALSE: no lanes of that number have the words. */
gboolean ps_ptx_sparse_selects(const PsPtxProduct *product, const PsPtxOperand *selector);

/* C becomes D; rows of matrices->a have `kept` elements. Elements of B that meet none of A's are
 * not looked at: an infinity there changes nothing. */
void ps_ptx_sparse_compute(const PsPtxProduct *product, const PsPtxSparse *sparse,
                           const guint64 words[PS_PTX_LANES], PsPtxMatrices *matrices);

G_END_DECLS
#endif
