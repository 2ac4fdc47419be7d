/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The descriptor of a product with tensor memory: types, shape, and where the scales of blocks
 * begin.
 */
#ifndef PIPESIM_PTX_RUN_TENSOR_INSTRUCTION_H
#define PIPESIM_PTX_RUN_TENSOR_INSTRUCTION_H

#include "ptx/alu/matrix.h"

G_BEGIN_DECLS

/* FLOATS is of machine code, whose descriptor alone says whether factors are of 16 or 32 bits. */
typedef enum {
    PS_PTX_KIND_F16,
    PS_PTX_KIND_TF32,
    PS_PTX_KIND_F8F6F4,
    PS_PTX_KIND_I8,
    PS_PTX_KIND_FLOATS,
    PS_PTX_KIND_MXF8F6F4,
    PS_PTX_KIND_MXF4 /* also mxf4nvf4 */
} PsPtxKind;

typedef struct {
    PsPtxProduct product; /* product of a pair of groups: the shape is that of both */
    gboolean negative;
    gboolean across[2]; /* A, B: elements of neighbouring rows, or columns, lie together */
    guint scale[2];     /* A, B: the byte of a word that the first scale is */
    gboolean powers;    /* scales are of 8 bits of an exponent, else of e4m3 without a sign */
} PsPtxTensorInstruction;

/* Whether blocks of k have scales, in tensor memory. */
gboolean ps_ptx_kind_is_scaled(PsPtxKind kind);
/* Bits of an element in shared memory, if 16 of fewer than 8 bits take 16 bytes there; else 0. */
guint ps_ptx_kind_bits(PsPtxKind kind, PsPtxElement element);

PsPtxTensorInstruction ps_ptx_tensor_instruction(PsPtxKind kind, guint32 word);
/* What is wrong with the descriptor, or cannot be executed; NULL: nothing. */
const char *ps_ptx_tensor_wrong(PsPtxKind kind, guint32 word, const PsPtxTensorInstruction *is,
                                gboolean pair);

G_END_DECLS
#endif
