/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of 32 lanes, and operations on them that many files need. */
#include "ptx/native/emit.h"

#include <string.h>

PsLlvmType ps_native_vector(const PsNativeEmit *emit, PsLlvmType of)
{
    return emit->llvm->VectorType(of, PS_PTX_LANES);
}

static PsLlvmType integer(const PsNativeEmit *emit, guint bits)
{
    return bits == 1    ? emit->bit
           : bits == 8  ? emit->byte
           : bits == 32 ? emit->word
           : bits == 64 ? emit->wide
                        : emit->llvm->IntTypeInContext(emit->context, bits);
}

PsLlvmType ps_native_integers(const PsNativeEmit *emit, guint bits)
{
    return ps_native_vector(emit, integer(emit, bits));
}

PsLlvmType ps_native_numbers(const PsNativeEmit *emit, guint bits)
{
    return ps_native_vector(emit, bits == 16   ? emit->llvm->HalfTypeInContext(emit->context)
                                  : bits == 32 ? emit->llvm->FloatTypeInContext(emit->context)
                                               : emit->llvm->DoubleTypeInContext(emit->context));
}

PsLlvmValue ps_native_splat(const PsNativeEmit *emit, guint bits, guint64 value)
{
    PsLlvmValue lanes[PS_PTX_LANES];
    for (guint i = 0; i < PS_PTX_LANES; i++)
        lanes[i] = emit->llvm->ConstInt(integer(emit, bits), value, 0);
    return emit->llvm->ConstVector(lanes, PS_PTX_LANES);
}

PsLlvmValue ps_native_spread(const PsNativeEmit *emit, PsLlvmValue value)
{
    PsLlvmValue none = emit->llvm->GetUndef(ps_native_vector(emit, emit->llvm->TypeOf(value)));
    PsLlvmValue one =
        emit->llvm->BuildInsertElement(emit->builder, none, value, ps_native_word(emit, 0), "");
    return emit->llvm->BuildShuffleVector(emit->builder, one, none, ps_native_splat(emit, 32, 0),
                                          "");
}

PsLlvmValue ps_native_word(const PsNativeEmit *emit, guint32 value)
{
    return emit->llvm->ConstInt(emit->word, value, 0);
}

PsLlvmValue ps_native_wide(const PsNativeEmit *emit, guint64 value)
{
    return emit->llvm->ConstInt(emit->wide, value, 0);
}

PsLlvmValue ps_native_fit(const PsNativeEmit *emit, PsLlvmValue value, guint from, guint to,
                          gboolean sign)
{
    PsLlvmType type = ps_native_integers(emit, to);
    if (from == to)
        return value;
    if (from > to)
        return PS_NATIVE_ONE(emit, Trunc, value, type);
    return sign ? PS_NATIVE_ONE(emit, SExt, value, type) : PS_NATIVE_ONE(emit, ZExt, value, type);
}

PsLlvmValue ps_native_choose(const PsNativeEmit *emit, PsLlvmValue which, PsLlvmValue a,
                             PsLlvmValue b)
{
    return emit->llvm->BuildSelect(emit->builder, which, a, b, "");
}

PsLlvmValue ps_native_compare(const PsNativeEmit *emit, int how, PsLlvmValue a, PsLlvmValue b)
{
    return emit->llvm->BuildICmp(emit->builder, how, a, b, "");
}

PsLlvmValue ps_native_intrinsic(const PsNativeEmit *emit, const char *name, PsLlvmType *types,
                                guint n_types, PsLlvmValue *with, guint n)
{
    const guint id = emit->llvm->LookupIntrinsicID(name, strlen(name));
    PsLlvmValue function = emit->llvm->GetIntrinsicDeclaration(emit->module, id, types, n_types);
    PsLlvmType type = emit->llvm->IntrinsicGetType(emit->context, id, types, n_types);
    return emit->llvm->BuildCall2(emit->builder, type, function, with, n, "");
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Before version 15 LLVM's pointers have types. */
static PsLlvmValue pointer_to(const PsNativeEmit *emit, PsLlvmType type, PsLlvmValue pointer)
{
    return PS_NATIVE_ONE(emit, BitCast, pointer, emit->llvm->PointerType(type, 0));
}

PsLlvmValue ps_native_at(const PsNativeEmit *emit, PsLlvmValue from, PsLlvmValue bytes)
{
    return emit->llvm->BuildGEP2(emit->builder, emit->byte, from, &bytes, 1, "");
}

PsLlvmValue ps_native_load(const PsNativeEmit *emit, PsLlvmType type, PsLlvmValue from,
                           guint64 offset)
{
    PsLlvmValue at = ps_native_at(emit, from, ps_native_wide(emit, offset));
    return emit->llvm->BuildLoad2(emit->builder, type, pointer_to(emit, type, at), "");
}

PsLlvmValue ps_native_store(const PsNativeEmit *emit, PsLlvmValue value, PsLlvmValue to,
                            guint64 offset)
{
    PsLlvmValue at = ps_native_at(emit, to, ps_native_wide(emit, offset));
    return emit->llvm->BuildStore(emit->builder, value,
                                  pointer_to(emit, emit->llvm->TypeOf(value), at));
}

PsLlvmValue ps_native_load_masked(const PsNativeEmit *emit, PsLlvmType vector, PsLlvmValue from,
                                  PsLlvmValue lanes)
{
    PsLlvmValue at = pointer_to(emit, vector, from);
    PsLlvmType types[] = {vector, emit->llvm->TypeOf(at)};
    PsLlvmValue with[] = {at, ps_native_word(emit, 1), lanes, emit->llvm->ConstNull(vector)};
    return ps_native_intrinsic(emit, "llvm.masked.load", types, 2, with, 4);
}

void ps_native_store_masked(const PsNativeEmit *emit, PsLlvmValue value, PsLlvmValue to,
                            PsLlvmValue lanes, guint align)
{
    PsLlvmType vector = emit->llvm->TypeOf(value);
    PsLlvmValue at = pointer_to(emit, vector, to);
    PsLlvmType types[] = {vector, emit->llvm->TypeOf(at)};
    PsLlvmValue with[] = {value, at, ps_native_word(emit, align), lanes};
    ps_native_intrinsic(emit, "llvm.masked.store", types, 2, with, 4);
}

/* ---- blocks --------------------------------------------------------------------------------- */

PsLlvmBlock ps_native_block(const PsNativeEmit *emit, const char *name)
{
    return emit->llvm->AppendBasicBlockInContext(emit->context, emit->function, name);
}

void ps_native_begin(const PsNativeEmit *emit, PsLlvmBlock block)
{
    emit->llvm->PositionBuilderAtEnd(emit->builder, block);
}

/* ---- names ----------------------------------------------------------------------------------- */

gboolean ps_native_is(const PsNativeEmit *emit, const char *form)
{
    const char *text = emit->mnemonic->text;
    const gsize length = strlen(form);
    return strncmp(text, form, length) == 0 && text[length] == '.' &&
           !strchr(text + length + 1, '.');
}
