/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Singles and doubles, rounded to nearest, with .ftz and .sat. NaN are as in ptx/alu/: the same one
 * for all singles, for doubles the first among the sources.
 */
#include "ptx/native/emit.h"

#include "ptx/alu/float.h"

#include <string.h>

typedef enum { ADD, SUB, MUL, DIV, FMA, NEG, ABS, MIN_OF, MAX_OF, RCP, SQRT, RSQRT } Kind;

static const struct {
    const char *opcode;
    Kind kind;
    guint n;
} kinds[] = {{"add", ADD, 2},   {"sub", SUB, 2},   {"mul", MUL, 2},     {"div", DIV, 2},
             {"fma", FMA, 3},   {"mad", FMA, 3},   {"neg", NEG, 1},     {"abs", ABS, 1},
             {"rcp", RCP, 1},   {"sqrt", SQRT, 1}, {"rsqrt", RSQRT, 1}, {"min", MIN_OF, 2},
             {"max", MAX_OF, 2}};

PsLlvmValue ps_native_flushed(const PsNativeEmit *emit, PsLlvmValue bits)
{
    PsLlvmValue exponent = PS_NATIVE_TWO(emit, And, bits, ps_native_splat(emit, 32, 0x7f800000));
    PsLlvmValue sign = PS_NATIVE_TWO(emit, And, bits, ps_native_splat(emit, 32, 0x80000000));
    PsLlvmValue small = ps_native_compare(emit, PS_LLVM_EQ, exponent, ps_native_splat(emit, 32, 0));
    return ps_native_choose(emit, small, sign, bits);
}

static PsLlvmValue number(const PsNativeEmit *emit, PsLlvmValue bits, guint size)
{
    return PS_NATIVE_ONE(emit, BitCast, bits, ps_native_numbers(emit, size));
}

static PsLlvmValue integers(const PsNativeEmit *emit, PsLlvmValue value, guint size)
{
    return PS_NATIVE_ONE(emit, BitCast, value, ps_native_integers(emit, size));
}

static PsLlvmValue is_nan(const PsNativeEmit *emit, PsLlvmValue value)
{
    return emit->llvm->BuildFCmp(emit->builder, PS_LLVM_UNO, value, value, "");
}

/* The number 1 in all lanes. */
static PsLlvmValue one(const PsNativeEmit *emit, guint bits)
{
    return number(emit,
                  ps_native_splat(emit, bits,
                                  bits == 32 ? 0x3f800000 : G_GUINT64_CONSTANT(0x3ff0000000000000)),
                  bits);
}

static PsLlvmValue by_name(const PsNativeEmit *emit, const char *name, PsLlvmValue *with, guint n)
{
    PsLlvmType types[] = {emit->llvm->TypeOf(with[0])};
    return ps_native_intrinsic(emit, name, types, 1, with, n);
}

/* The reciprocal of a root: for a single it is rounded once, from doubles. */
static PsLlvmValue root(const PsNativeEmit *emit, PsLlvmValue a, guint bits)
{
    PsLlvmType own = ps_native_numbers(emit, bits), twice = ps_native_numbers(emit, 64);
    if (bits == 32)
        a = PS_NATIVE_ONE(emit, FPExt, a, twice);
    a = PS_NATIVE_TWO(emit, FDiv, one(emit, 64), by_name(emit, "llvm.sqrt", &a, 1));
    return bits == 32 ? PS_NATIVE_ONE(emit, FPTrunc, a, own) : a;
}

static PsLlvmValue operation(const PsNativeEmit *emit, Kind kind, PsLlvmValue *v, guint bits)
{
    switch (kind) {
    case ADD:
        return PS_NATIVE_TWO(emit, FAdd, v[0], v[1]);
    case SUB:
        return PS_NATIVE_TWO(emit, FSub, v[0], v[1]);
    case MUL:
        return PS_NATIVE_TWO(emit, FMul, v[0], v[1]);
    case DIV:
        return PS_NATIVE_TWO(emit, FDiv, v[0], v[1]);
    case FMA:
        return by_name(emit, "llvm.fma", v, 3);
    case RCP:
        return PS_NATIVE_TWO(emit, FDiv, one(emit, bits), v[0]);
    case SQRT:
        return by_name(emit, "llvm.sqrt", v, 1);
    default:
        return root(emit, v[0], bits);
    }
}

/* Bits of a result, with NaN replaced by the one that the operation gives. */
static PsLlvmValue tidy(const PsNativeEmit *emit, PsLlvmValue result, const PsLlvmValue *sources,
                        guint n, guint bits)
{
    PsLlvmValue nan =
        ps_native_splat(emit, bits, bits == 32 ? PS_PTX_NAN_SINGLE : PS_PTX_NAN_DOUBLE);
    PsLlvmValue quiet = ps_native_splat(emit, 64, G_GUINT64_CONSTANT(0x0008000000000000));
    for (guint i = n; bits == 64 && i-- > 0;)
        nan = ps_native_choose(emit, is_nan(emit, number(emit, sources[i], 64)),
                               PS_NATIVE_TWO(emit, Or, sources[i], quiet), nan);
    return ps_native_choose(emit, is_nan(emit, result), nan, integers(emit, result, bits));
}

/* Bits as integers in the same order. */
static PsLlvmValue rank(const PsNativeEmit *emit, PsLlvmValue bits, guint size)
{
    PsLlvmValue most = ps_native_splat(emit, size, G_MAXINT64 >> (64 - size));
    PsLlvmValue negative =
        ps_native_compare(emit, PS_LLVM_SLT, bits, ps_native_splat(emit, size, 0));
    return ps_native_choose(emit, negative, PS_NATIVE_TWO(emit, Xor, bits, most), bits);
}

/* The lesser of two numbers, or the greater; a NaN loses. */
static PsLlvmValue chosen(const PsNativeEmit *emit, gboolean greater, const PsLlvmValue *v,
                          guint size)
{
    PsLlvmValue nan[2];
    for (guint i = 0; i < 2; i++)
        nan[i] = is_nan(emit, number(emit, v[i], size));
    PsLlvmValue both =
        size == 32
            ? ps_native_splat(emit, 32, PS_PTX_NAN_SINGLE)
            : PS_NATIVE_TWO(emit, Or, v[0],
                            ps_native_splat(emit, 64, G_GUINT64_CONSTANT(0x0008000000000000)));
    PsLlvmValue more =
        ps_native_compare(emit, PS_LLVM_SGT, rank(emit, v[0], size), rank(emit, v[1], size));
    PsLlvmValue better = greater ? ps_native_choose(emit, more, v[0], v[1])
                                 : ps_native_choose(emit, more, v[1], v[0]);
    better = ps_native_choose(emit, nan[1], v[0], better);
    better = ps_native_choose(emit, nan[0], v[1], better);
    return ps_native_choose(emit, PS_NATIVE_TWO(emit, And, nan[0], nan[1]), both, better);
}

static PsLlvmValue computed(const PsNativeEmit *emit, Kind kind, const PsLlvmValue *sources,
                            guint n, guint bits)
{
    PsLlvmValue numbers[3];
    const guint64 sign = (guint64)1 << (bits - 1);
    if (kind == NEG)
        return PS_NATIVE_TWO(emit, Xor, sources[0], ps_native_splat(emit, bits, sign));
    if (kind == ABS)
        return PS_NATIVE_TWO(emit, And, sources[0], ps_native_splat(emit, bits, sign - 1));
    if (kind == MIN_OF || kind == MAX_OF)
        return chosen(emit, kind == MAX_OF, sources, bits);
    for (guint i = 0; i < n; i++)
        numbers[i] = number(emit, sources[i], bits);
    return tidy(emit, operation(emit, kind, numbers, bits), sources, n, bits);
}

/* Clamps to [0, 1]. */
static PsLlvmValue saturated(const PsNativeEmit *emit, PsLlvmValue result, guint bits)
{
    PsLlvmValue value = number(emit, result, bits), most = one(emit, bits);
    PsLlvmValue zero = ps_native_splat(emit, bits, 0);
    PsLlvmValue positive =
        emit->llvm->BuildFCmp(emit->builder, PS_LLVM_OGT, value, number(emit, zero, bits), "");
    PsLlvmValue large = emit->llvm->BuildFCmp(emit->builder, PS_LLVM_OGT, value, most, "");
    result = ps_native_choose(emit, large, integers(emit, most, bits), result);
    return ps_native_choose(emit, positive, result, zero);
}

/* The kind of the operation; G_N_ELEMENTS(kinds): it is none of these. */
static guint kind_of(const PsNativeEmit *emit)
{
    const PsPtxMnemonic *mnemonic = emit->mnemonic;
    guint i = 0;
    while (i < G_N_ELEMENTS(kinds) && strcmp(kinds[i].opcode, mnemonic->opcode) != 0)
        i++;
    return i;
}

gboolean ps_native_number(PsNativeEmit *emit)
{
    const PsPtxMnemonic *mnemonic = emit->mnemonic;
    const PsPtxStep *step = emit->step;
    const guint bits = mnemonic->types[0] == PS_PTX_F64 ? 64 : 32, which = kind_of(emit);
    const gboolean flush = (step->flags & PS_PTX_FTZ) != 0;
    PsLlvmValue sources[3];
    if (which == G_N_ELEMENTS(kinds) || mnemonic->n_types != 1 || step->n_to != 1 ||
        (mnemonic->types[0] != PS_PTX_F32 && mnemonic->types[0] != PS_PTX_F64) ||
        step->n_from != kinds[which].n || (step->flags & ~(guint)(PS_PTX_FTZ | PS_PTX_SAT)) != 0 ||
        ps_ptx_has(mnemonic, "NaN") || ps_ptx_has(mnemonic, "xorsign") ||
        (bits == 64 && ps_ptx_has(mnemonic, "approx")))
        return FALSE;
    for (guint i = 0; i < step->n_from; i++) {
        sources[i] = ps_native_source(emit, i, bits);
        if (flush)
            sources[i] = ps_native_flushed(emit, sources[i]);
    }
    PsLlvmValue result = computed(emit, kinds[which].kind, sources, step->n_from, bits);
    if (flush)
        result = ps_native_flushed(emit, result);
    if ((step->flags & PS_PTX_SAT) != 0)
        result = saturated(emit, result, bits);
    ps_native_put(emit, step->to[0], result, bits);
    return TRUE;
}
