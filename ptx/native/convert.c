/* SPDX-License-Identifier: BSD-3-Clause */
/* The usual conversions; steps do the others. */
#include "ptx/native/emit.h"

#include "ptx/step/number.h"

#include <string.h>

static gboolean is_integer(PsPtxType type)
{
    return type >= PS_PTX_U8 && type <= PS_PTX_S64;
}

static gboolean is_signed(PsPtxType type)
{
    return type >= PS_PTX_S8 && type <= PS_PTX_S64;
}

static PsLlvmValue number(const PsNativeEmit *emit, PsLlvmValue bits, guint size)
{
    return PS_NATIVE_ONE(emit, BitCast, bits, ps_native_numbers(emit, size));
}

static gboolean flushes(const PsNativeEmit *emit)
{
    return ps_ptx_has(emit->mnemonic, "ftz");
}

/* The source as a number of 32 or 64 bits. */
static PsLlvmValue number_from(PsNativeEmit *emit, guint size)
{
    PsLlvmValue bits = ps_native_source(emit, 0, size);
    return number(emit, size == 32 && flushes(emit) ? ps_native_flushed(emit, bits) : bits, size);
}

/* Bits of a single; all NaN are the same. */
static PsLlvmValue single_bits(const PsNativeEmit *emit, PsLlvmValue value)
{
    PsLlvmValue nan = emit->llvm->BuildFCmp(emit->builder, PS_LLVM_UNO, value, value, "");
    return ps_native_choose(emit, nan, ps_native_splat(emit, 32, PS_PTX_NAN_SINGLE),
                            PS_NATIVE_ONE(emit, BitCast, value, ps_native_integers(emit, 32)));
}

/* ---- integers ------------------------------------------------------------------------------- */

/* Conversions that cut or extend. The step's kind is the number of bits of a result in its
 * register. */
static gboolean between_integers(PsNativeEmit *emit)
{
    const PsPtxMnemonic *mnemonic = emit->mnemonic;
    const PsPtxType to = mnemonic->types[0], from = mnemonic->types[1];
    const guint kept = emit->step->kind, bits = ps_ptx_type_size(from) * 8;
    const guint wide = kept > 32 ? 64 : 32, read = MAX(bits, 32);
    if (!is_integer(to) || !is_integer(from) || emit->step->flags != 0 ||
        kept != ps_ptx_type_size(to) * 8)
        return FALSE;
    PsLlvmValue value = ps_native_source(emit, 0, read);
    value = ps_native_fit(emit, value, read, bits, FALSE);
    value = ps_native_fit(emit, value, bits, 64, is_signed(from));
    value = ps_native_fit(emit, value, 64, kept, FALSE);
    ps_native_put(emit, emit->step->to[0], ps_native_fit(emit, value, kept, wide, FALSE), wide);
    return TRUE;
}

/* ---- to numbers ----------------------------------------------------------------------------- */

/* Conversions of integers of any size, rounded to nearest. */
static gboolean of_integers(PsNativeEmit *emit)
{
    const PsPtxType from = emit->mnemonic->types[1], to = emit->mnemonic->types[0];
    const guint bits = to == PS_PTX_F64 ? 64 : 32, size = ps_ptx_type_size(from) * 8;
    const guint wide = MAX(size, 32);
    if (!is_integer(from) || (to != PS_PTX_F32 && to != PS_PTX_F64) || emit->step->flags != 0)
        return FALSE;
    PsLlvmType type = ps_native_numbers(emit, bits);
    PsLlvmValue value = ps_native_source(emit, 0, wide);
    value = ps_native_fit(emit, value, wide, size, FALSE);
    value = ps_native_fit(emit, value, size, wide, is_signed(from));
    value = is_signed(from) ? PS_NATIVE_ONE(emit, SIToFP, value, type)
                            : PS_NATIVE_ONE(emit, UIToFP, value, type);
    ps_native_put(emit, emit->step->to[0],
                  PS_NATIVE_ONE(emit, BitCast, value, ps_native_integers(emit, bits)), bits);
    return TRUE;
}

/* The function of LLVM with the same rounding to an integer; NULL: there is none. */
static const char *rounds_by(const PsNativeEmit *emit)
{
    static const char *const parts[] = {"rni", "rzi", "rmi", "rpi"};
    static const char *const names[] = {"llvm.nearbyint", "llvm.trunc", "llvm.floor", "llvm.ceil"};
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        if (ps_ptx_has(emit->mnemonic, parts[i]))
            return names[i];
    return NULL;
}

static PsLlvmValue integral(const PsNativeEmit *emit, PsLlvmValue value)
{
    PsLlvmType types[] = {emit->llvm->TypeOf(value)};
    return ps_native_intrinsic(emit, rounds_by(emit), types, 1, &value, 1);
}

/* Singles rounded to integers, as singles. */
static gboolean rounded(PsNativeEmit *emit)
{
    PsLlvmValue value = number_from(emit, 32);
    ps_native_put(emit, emit->step->to[0], single_bits(emit, integral(emit, value)), 32);
    return TRUE;
}

static gboolean longer(PsNativeEmit *emit)
{
    PsLlvmValue value = number_from(emit, 32);
    value = PS_NATIVE_ONE(emit, FPExt, value, ps_native_numbers(emit, 64));
    ps_native_put(emit, emit->step->to[0],
                  PS_NATIVE_ONE(emit, BitCast, value, ps_native_integers(emit, 64)), 64);
    return TRUE;
}

static gboolean shorter(PsNativeEmit *emit)
{
    PsLlvmValue value = number_from(emit, 64);
    value = single_bits(emit, PS_NATIVE_ONE(emit, FPTrunc, value, ps_native_numbers(emit, 32)));
    ps_native_put(emit, emit->step->to[0], flushes(emit) ? ps_native_flushed(emit, value) : value,
                  32);
    return TRUE;
}

/* ---- to integers ---------------------------------------------------------------------------- */

/* A power of two, or its negative, as a number of that many bits. */
static PsLlvmValue power(const PsNativeEmit *emit, guint exponent, gboolean negative, guint bits)
{
    const guint64 sign = negative ? (guint64)1 << (bits - 1) : 0;
    const guint64 code =
        bits == 32 ? (guint64)(127 + exponent) << 23 : (guint64)(1023 + exponent) << 52;
    return number(emit, ps_native_splat(emit, bits, code | sign), bits);
}

static PsLlvmValue holds(const PsNativeEmit *emit, int how, PsLlvmValue a, PsLlvmValue b)
{
    return emit->llvm->BuildFCmp(emit->builder, how, a, b, "");
}

/* Numbers rounded to an integer of 32 or 64 bits: too large numbers become the largest one; NaN
 * becomes 0, or in 64 bits the integer with only its highest bit set. */
static gboolean to_integer(PsNativeEmit *emit)
{
    const PsPtxType to = emit->mnemonic->types[0], from = emit->mnemonic->types[1];
    const guint bits = ps_ptx_type_size(to) * 8, size = from == PS_PTX_F64 ? 64 : 32;
    const gboolean sign = is_signed(to);
    if (!is_integer(to) || bits < 32 || emit->step->kind != bits || !rounds_by(emit) ||
        (from != PS_PTX_F32 && from != PS_PTX_F64))
        return FALSE;
    const guint64 most = G_MAXUINT64 >> (64 - bits + (sign ? 1 : 0)),
                  top = (guint64)1 << (bits - 1);
    PsLlvmValue value = integral(emit, number_from(emit, size));
    PsLlvmValue beyond = power(emit, bits - (sign ? 1 : 0), FALSE, size);
    PsLlvmValue least = sign ? power(emit, bits - 1, TRUE, size)
                             : number(emit, ps_native_splat(emit, size, 0), size);
    PsLlvmType type = ps_native_integers(emit, bits);
    PsLlvmValue result =
        sign ? PS_NATIVE_ONE(emit, FPToSI, value, type) : PS_NATIVE_ONE(emit, FPToUI, value, type);
    result = ps_native_choose(emit, holds(emit, PS_LLVM_OGE, value, beyond),
                              ps_native_splat(emit, bits, most), result);
    result = ps_native_choose(emit, holds(emit, PS_LLVM_OLE, value, least),
                              ps_native_splat(emit, bits, sign ? top : 0), result);
    result =
        ps_native_choose(emit, holds(emit, PS_LLVM_UNO, value, value),
                         ps_native_splat(emit, bits, bits == 64 || size == 64 ? top : 0), result);
    ps_native_put(emit, emit->step->to[0], result, bits);
    return TRUE;
}

static const struct {
    const char *text;
    gboolean (*emit)(PsNativeEmit *emit);
} usual[] = {{"cvt.f64.f32", longer},          {"cvt.rn.f32.f64", shorter},
             {"cvt.rni.f32.f32", rounded},     {"cvt.rzi.f32.f32", rounded},
             {"cvt.rmi.f32.f32", rounded},     {"cvt.rpi.f32.f32", rounded},
             {"cvt.ftz.f64.f32", longer},      {"cvt.rn.ftz.f32.f64", shorter},
             {"cvt.rni.ftz.f32.f32", rounded}, {"cvt.rzi.ftz.f32.f32", rounded},
             {"cvt.rmi.ftz.f32.f32", rounded}, {"cvt.rpi.ftz.f32.f32", rounded}};

gboolean ps_native_conversion(PsNativeEmit *emit)
{
    const PsPtxMnemonic *mnemonic = emit->mnemonic;
    if (strcmp(mnemonic->opcode, "cvt") != 0 || mnemonic->n_types != 2 || emit->step->n_to != 1 ||
        emit->step->n_from != 1 || ps_ptx_has(mnemonic, "pack"))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(usual); i++)
        if (strcmp(usual[i].text, mnemonic->text) == 0)
            return usual[i].emit(emit);
    return of_integers(emit) || to_integer(emit) || between_integers(emit);
}
