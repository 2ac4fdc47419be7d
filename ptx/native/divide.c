/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Quotients and remainders of integers of 32 bits. Processors divide such integers one by one, but
 * doubles as vectors. A quotient of doubles, rounded toward zero, is the integers' quotient: where
 * it is no integer, its distance to the next one is larger than a double's error.
 */
#include "ptx/native/emit.h"

#include <string.h>

/* The sum of this double and a number below 2^32 has the number's bits as its lowest ones, also
 * where it is negative. */
#define INTEGERS G_GUINT64_CONSTANT(0x4338000000000000)

static PsLlvmValue as_double(const PsNativeEmit *emit, PsLlvmValue value, gboolean sign)
{
    PsLlvmType type = ps_native_numbers(emit, 64);
    return sign ? PS_NATIVE_ONE(emit, SIToFP, value, type)
                : PS_NATIVE_ONE(emit, UIToFP, value, type);
}

static PsLlvmValue quotient(const PsNativeEmit *emit, PsLlvmValue a, PsLlvmValue b, gboolean sign)
{
    PsLlvmType type = ps_native_numbers(emit, 64);
    PsLlvmValue value =
        PS_NATIVE_TWO(emit, FDiv, as_double(emit, a, sign), as_double(emit, b, sign));
    value = ps_native_intrinsic(emit, "llvm.trunc", &type, 1, &value, 1);
    PsLlvmValue integers = PS_NATIVE_ONE(emit, BitCast, ps_native_splat(emit, 64, INTEGERS), type);
    value = PS_NATIVE_TWO(emit, FAdd, value, integers);
    value = PS_NATIVE_ONE(emit, BitCast, value, ps_native_integers(emit, 64));
    return ps_native_fit(emit, value, 64, 32, FALSE);
}

/* TRUE where a lane divides by 0. Such lanes have results of their own and a warning, which the
 * step gives. */
static PsLlvmValue divides_by_zero(const PsNativeEmit *emit, PsLlvmValue b)
{
    PsLlvmValue is_zero = ps_native_compare(emit, PS_LLVM_EQ, b, ps_native_splat(emit, 32, 0));
    is_zero = PS_NATIVE_TWO(emit, And, is_zero, emit->guard ? emit->guard : emit->lanes);
    is_zero = PS_NATIVE_ONE(emit, BitCast, is_zero, emit->word);
    return ps_native_compare(emit, PS_LLVM_NE, is_zero, ps_native_word(emit, 0));
}

gboolean ps_native_quotient(PsNativeEmit *emit)
{
    const gboolean divides = ps_native_is(emit, "div");
    const gboolean sign = emit->mnemonic->types[0] == PS_PTX_S32;
    if ((!divides && !ps_native_is(emit, "rem")) || emit->step->n_to != 1 ||
        (!sign && emit->mnemonic->types[0] != PS_PTX_U32))
        return FALSE;
    PsLlvmBlock ways[] = {ps_native_block(emit, "usual"), ps_native_block(emit, "zero")};
    PsLlvmBlock done = ps_native_block(emit, "divided");
    PsLlvmValue a = ps_native_source(emit, 0, 32), b = ps_native_source(emit, 1, 32), results[2];
    emit->llvm->BuildCondBr(emit->builder, divides_by_zero(emit, b), ways[1], ways[0]);
    ps_native_begin(emit, ways[0]);
    results[0] = quotient(emit, a, b, sign);
    if (!divides)
        results[0] = PS_NATIVE_TWO(emit, Sub, a, PS_NATIVE_TWO(emit, Mul, results[0], b));
    emit->llvm->BuildBr(emit->builder, done);
    ps_native_begin(emit, ways[1]);
    ps_native_call_step(emit, FALSE);
    results[1] = ps_native_fetch(emit, emit->step->to[0], 32);
    ways[1] = emit->llvm->GetInsertBlock(emit->builder);
    emit->llvm->BuildBr(emit->builder, done);
    ps_native_begin(emit, done);
    PsLlvmValue value = emit->llvm->BuildPhi(emit->builder, ps_native_integers(emit, 32), "");
    emit->llvm->AddIncoming(value, results, ways, 2);
    ps_native_put(emit, emit->step->to[0], value, 32);
    return TRUE;
}
