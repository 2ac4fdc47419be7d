/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instructions on singles and doubles. An operation is computed on all lanes without a thought for
 * modifiers; .ftz, .sat and the rounding are put around it where an instruction has them.
 */
#ifndef PIPESIM_PTX_ALU_FLOAT_H
#define PIPESIM_PTX_ALU_FLOAT_H

#include "ptx/step/number.h"

G_BEGIN_DECLS

/* An operation on bits that stand for numbers; each expression sees a, b and c as bits. */
#define PS_PTX_COMPUTE(NAME, EXPRESSION)                                                           \
    PS_PTX_OPERATION(NAME, guint64, guint64, EXPRESSION, EXPRESSION)

/* Bits of step->flags. */
enum {
    PS_PTX_FTZ = 1,
    PS_PTX_SAT = 2,
    PS_PTX_ROUNDED = 4, /* a rounding other than to nearest, which step->kind has */
    PS_PTX_PAIR = 8,    /* .f32x2 */
    PS_PTX_RELU = 16,
    PS_PTX_DIRECTED = 32 /* other than to nearest; the operation itself rounds so */
};

/* Decodes an instruction of n sources of step->type into an execution of that operation, with the
 * modifiers that the mnemonic has. FALSE if its operands are wrong. */
gboolean ps_ptx_float_decode(PsPtxDecode *decode, PsPtxStep *step, const PsPtxOperation *operation,
                             guint n);

/* The parts of the family; each decodes its own instructions. */
gboolean ps_ptx_arithmetic(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_order(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_test(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);

G_END_DECLS
#endif
