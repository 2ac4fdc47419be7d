/* SPDX-License-Identifier: BSD-3-Clause */
/* The usual conversions; others their steps do. */
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

/* A single's bits, of which all NaN are the same. */
static PsLlvmValue single_bits(const PsNativeEmit *emit, PsLlvmValue value)
{
    PsLlvmValue nan = emit->llvm->BuildFCmp(emit->builder, PS_LLVM_UNO, value, value, "");
    return ps_native_choose(emit, nan, ps_native_splat(emit, 32, PS_PTX_NAN_SINGLE),
                            PS_NATIVE_ONE(emit, BitCast, value, ps_native_integers(emit, 32)));
}

/* ---- integers ------------------------------------------------------------------------------- */

/* Those that cut or extend. The step's kind has the bits of a result in its register. */
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

static gboolean of_integers(PsNativeEmit *emit)
{
    const PsPtxType from = emit->mnemonic->types[1];
    const guint bits = emit->mnemonic->types[0] == PS_PTX_F64 ? 64 : 32;
    PsLlvmType type = ps_native_numbers(emit, bits);
    PsLlvmValue value = ps_native_source(emit, 0, 32);
    value = from == PS_PTX_S32 ? PS_NATIVE_ONE(emit, SIToFP, value, type)
                               : PS_NATIVE_ONE(emit, UIToFP, value, type);
    ps_native_put(emit, emit->step->to[0],
                  PS_NATIVE_ONE(emit, BitCast, value, ps_native_integers(emit, bits)), bits);
    return TRUE;
}

static gboolean longer(PsNativeEmit *emit)
{
    PsLlvmValue value = number(emit, ps_native_source(emit, 0, 32), 32);
    value = PS_NATIVE_ONE(emit, FPExt, value, ps_native_numbers(emit, 64));
    ps_native_put(emit, emit->step->to[0],
                  PS_NATIVE_ONE(emit, BitCast, value, ps_native_integers(emit, 64)), 64);
    return TRUE;
}

static gboolean shorter(PsNativeEmit *emit)
{
    PsLlvmValue value = number(emit, ps_native_source(emit, 0, 64), 64);
    value = PS_NATIVE_ONE(emit, FPTrunc, value, ps_native_numbers(emit, 32));
    ps_native_put(emit, emit->step->to[0], single_bits(emit, value), 32);
    return TRUE;
}

/* ---- to integers ---------------------------------------------------------------------------- */

/* Singles cut to 32 bits: what is too large becomes the largest, NaN 0. */
static gboolean cut(PsNativeEmit *emit)
{
    const gboolean sign = emit->mnemonic->types[0] == PS_PTX_S32;
    PsLlvmType type = ps_native_integers(emit, 32);
    PsLlvmValue value = number(emit, ps_native_source(emit, 0, 32), 32);
    PsLlvmValue most = number(emit, ps_native_splat(emit, 32, sign ? 0x4f000000 : 0x4f800000), 32);
    PsLlvmValue least = number(emit, ps_native_splat(emit, 32, sign ? 0xcf000000 : 0), 32);
    PsLlvmValue large = emit->llvm->BuildFCmp(emit->builder, PS_LLVM_OGE, value, most, "");
    PsLlvmValue small = emit->llvm->BuildFCmp(emit->builder, PS_LLVM_OLE, value, least, "");
    PsLlvmValue nan = emit->llvm->BuildFCmp(emit->builder, PS_LLVM_UNO, value, value, "");
    PsLlvmValue result =
        sign ? PS_NATIVE_ONE(emit, FPToSI, value, type) : PS_NATIVE_ONE(emit, FPToUI, value, type);
    result = ps_native_choose(emit, large,
                              ps_native_splat(emit, 32, sign ? G_MAXINT32 : G_MAXUINT32), result);
    result =
        ps_native_choose(emit, small, ps_native_splat(emit, 32, sign ? 0x80000000 : 0), result);
    result = ps_native_choose(emit, nan, ps_native_splat(emit, 32, 0), result);
    ps_native_put(emit, emit->step->to[0], result, 32);
    return TRUE;
}

static const struct {
    const char *text;
    gboolean (*emit)(PsNativeEmit *emit);
} usual[] = {{"cvt.rn.f32.s32", of_integers}, {"cvt.rn.f32.u32", of_integers},
             {"cvt.rn.f64.s32", of_integers}, {"cvt.rn.f64.u32", of_integers},
             {"cvt.f64.s32", of_integers},    {"cvt.f64.u32", of_integers},
             {"cvt.f64.f32", longer},         {"cvt.rn.f32.f64", shorter},
             {"cvt.rzi.s32.f32", cut},        {"cvt.rzi.u32.f32", cut}};

gboolean ps_native_conversion(PsNativeEmit *emit)
{
    const PsPtxMnemonic *mnemonic = emit->mnemonic;
    if (strcmp(mnemonic->opcode, "cvt") != 0 || mnemonic->n_types != 2 || emit->step->n_to != 1 ||
        emit->step->n_from != 1 || ps_ptx_has(mnemonic, "pack"))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(usual); i++)
        if (strcmp(usual[i].text, mnemonic->text) == 0)
            return (mnemonic->types[0] != PS_PTX_S32 && mnemonic->types[0] != PS_PTX_U32) ||
                           emit->step->kind == 32
                       ? usual[i].emit(emit)
                       : FALSE;
    return between_integers(emit);
}
