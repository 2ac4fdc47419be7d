/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the low bits of registers that the assembler knows: an address is that of a variable, whose
 * place the assembler chooses, plus constants and products of constants, so that its low bits may
 * be the same in all threads.
 */
#ifndef PIPESIM_LIFT_VALUES_ALIGN_H
#define PIPESIM_LIFT_VALUES_ALIGN_H

#include "lift/values/facts.h"

G_BEGIN_DECLS

/* The lowest n bits are those of bits. */
typedef struct {
    guint n; /* 0 to 64 */
    guint64 bits;
} PsLowBits;

/* The low bits of every register in the facts. Free with g_free. */
PsLowBits *ps_low_bits(const PsFacts *facts);

/* The low bits of the address that an access has: the operand of the point. */
PsLowBits ps_low_bits_of_address(const PsFacts *facts, const PsLowBits *registers, guint point,
                                 const PsPtxOperand *operand);

G_END_DECLS
#endif
