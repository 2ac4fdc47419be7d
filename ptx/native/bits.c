/* SPDX-License-Identifier: BSD-3-Clause */
/* Bits: any function of three, shifts of two words as one, fields, counts, and selected bytes.
 * Where a form needs a constant and has none, the step does it. */
#include "ptx/native/emit.h"

#include <string.h>

static gboolean is_text(const PsNativeEmit *emit, const char *text)
{
    return strcmp(emit->mnemonic->text, text) == 0;
}

static PsLlvmValue splat(const PsNativeEmit *emit, guint64 value)
{
    return ps_native_splat(emit, 32, value);
}

static gboolean put(PsNativeEmit *emit, PsLlvmValue value, guint bits)
{
    ps_native_put(emit, emit->step->to[0], value, bits);
    return TRUE;
}

/* ---- functions of three bits ---------------------------------------------------------------- */

static PsLlvmValue not_of(const PsNativeEmit *emit, PsLlvmValue value)
{
    return PS_NATIVE_TWO(emit, Xor, value, splat(emit, G_MAXUINT32));
}

/* The function of b and c by a table of four results; c is the lowest bit of an index. */
static PsLlvmValue of_two(const PsNativeEmit *emit, guint table, PsLlvmValue b, PsLlvmValue c)
{
    PsLlvmValue sum = splat(emit, 0);
    for (guint i = 0; i < 4; i++) {
        PsLlvmValue x = (i & 2) != 0 ? b : not_of(emit, b), y = (i & 1) != 0 ? c : not_of(emit, c);
        if ((table >> i & 1) != 0)
            sum = PS_NATIVE_TWO(emit, Or, sum, PS_NATIVE_TWO(emit, And, x, y));
    }
    return sum;
}

static gboolean logic(PsNativeEmit *emit)
{
    guint64 table;
    if (!is_text(emit, "lop3.b32") || emit->step->n_to != 1 || emit->step->n_from != 4 ||
        !ps_native_constant(emit, 3, &table))
        return FALSE;
    PsLlvmValue a = ps_native_source(emit, 0, 32), b = ps_native_source(emit, 1, 32);
    PsLlvmValue c = ps_native_source(emit, 2, 32);
    PsLlvmValue with = PS_NATIVE_TWO(emit, And, a, of_two(emit, table >> 4 & 15, b, c));
    PsLlvmValue without = PS_NATIVE_TWO(emit, And, not_of(emit, a), of_two(emit, table & 15, b, c));
    return put(emit, PS_NATIVE_TWO(emit, Or, with, without), 32);
}

/* ---- shifts of two words -------------------------------------------------------------------- */

static gboolean funnel(PsNativeEmit *emit)
{
    const gboolean left = is_text(emit, "shf.l.wrap.b32") || is_text(emit, "shf.l.clamp.b32");
    const gboolean wraps = ps_ptx_has(emit->mnemonic, "wrap");
    if (!left && !is_text(emit, "shf.r.wrap.b32") && !is_text(emit, "shf.r.clamp.b32"))
        return FALSE;
    PsLlvmValue low = ps_native_fit(emit, ps_native_source(emit, 0, 32), 32, 64, FALSE);
    PsLlvmValue high = ps_native_fit(emit, ps_native_source(emit, 1, 32), 32, 64, FALSE);
    PsLlvmValue by = ps_native_source(emit, 2, 32), most = splat(emit, 32);
    PsLlvmValue far = ps_native_compare(emit, PS_LLVM_UGT, by, most);
    by = wraps ? PS_NATIVE_TWO(emit, And, by, splat(emit, 31))
               : ps_native_choose(emit, far, most, by);
    by = ps_native_fit(emit, by, 32, 64, FALSE);
    PsLlvmValue word = ps_native_splat(emit, 64, 32);
    PsLlvmValue both = PS_NATIVE_TWO(emit, Or, PS_NATIVE_TWO(emit, Shl, high, word), low);
    both = left ? PS_NATIVE_TWO(emit, LShr, PS_NATIVE_TWO(emit, Shl, both, by), word)
                : PS_NATIVE_TWO(emit, LShr, both, by);
    return put(emit, ps_native_fit(emit, both, 64, 32, FALSE), 32);
}

/* ---- fields --------------------------------------------------------------------------------- */

/* TRUE if a field lies within 32 bits. */
static gboolean is_field(PsNativeEmit *emit, guint which, guint64 *from, guint64 *n)
{
    if (!ps_native_constant(emit, which, from) || !ps_native_constant(emit, which + 1, n))
        return FALSE;
    *from &= 0xff;
    *n &= 0xff;
    return *n > 0 && *from + *n <= 32;
}

static gboolean extract(PsNativeEmit *emit)
{
    guint64 from, n;
    const gboolean sign = is_text(emit, "bfe.s32");
    if ((!sign && !is_text(emit, "bfe.u32")) || !is_field(emit, 1, &from, &n))
        return FALSE;
    PsLlvmValue value =
        PS_NATIVE_TWO(emit, Shl, ps_native_source(emit, 0, 32), splat(emit, 32 - from - n));
    PsLlvmValue by = splat(emit, 32 - n);
    return put(emit,
               sign ? PS_NATIVE_TWO(emit, AShr, value, by) : PS_NATIVE_TWO(emit, LShr, value, by),
               32);
}

static gboolean insert(PsNativeEmit *emit)
{
    guint64 from, n;
    if (!is_text(emit, "bfi.b32") || !is_field(emit, 2, &from, &n))
        return FALSE;
    const guint64 field = (((guint64)1 << n) - 1) << from;
    PsLlvmValue value = PS_NATIVE_TWO(emit, Shl, ps_native_source(emit, 0, 32), splat(emit, from));
    PsLlvmValue kept =
        PS_NATIVE_TWO(emit, And, ps_native_source(emit, 1, 32), splat(emit, ~field & G_MAXUINT32));
    value = PS_NATIVE_TWO(emit, And, value, splat(emit, field));
    return put(emit, PS_NATIVE_TWO(emit, Or, kept, value), 32);
}

/* ---- counts --------------------------------------------------------------------------------- */

static gboolean count(PsNativeEmit *emit)
{
    static const char *const opcodes[] = {"popc", "clz", "brev"};
    static const char *const names[] = {"llvm.ctpop", "llvm.ctlz", "llvm.bitreverse"};
    const PsPtxType type = emit->mnemonic->types[0];
    const guint bits = type == PS_PTX_B64 ? 64 : 32;
    guint which = 0;
    while (which < G_N_ELEMENTS(opcodes) && !ps_native_is(emit, opcodes[which]))
        which++;
    if (which == G_N_ELEMENTS(opcodes) || (type != PS_PTX_B32 && type != PS_PTX_B64))
        return FALSE;
    PsLlvmType types[] = {ps_native_integers(emit, bits)};
    PsLlvmValue with[] = {ps_native_source(emit, 0, bits), emit->llvm->ConstInt(emit->bit, 0, 0)};
    PsLlvmValue value = ps_native_intrinsic(emit, names[which], types, 1, with, which == 1 ? 2 : 1);
    if (which == 2)
        return put(emit, value, bits);
    return put(emit, ps_native_fit(emit, value, bits, 32, FALSE), 32);
}

/* ---- bytes ---------------------------------------------------------------------------------- */

/* Selects bytes, by selectors that copy no signs. */
static gboolean pick(PsNativeEmit *emit)
{
    guint64 selectors;
    PsLlvmValue at[4 * PS_PTX_LANES];
    if (!is_text(emit, "prmt.b32") || !ps_native_constant(emit, 2, &selectors) ||
        (selectors & 0x8888) != 0)
        return FALSE;
    PsLlvmType bytes = emit->llvm->VectorType(emit->byte, 4 * PS_PTX_LANES);
    for (guint i = 0; i < 4 * PS_PTX_LANES; i++) {
        const guint byte = selectors >> (i % 4 * 4) & 7;
        at[i] = ps_native_word(emit, (byte & 4) * PS_PTX_LANES + i / 4 * 4 + (byte & 3));
    }
    PsLlvmValue a = PS_NATIVE_ONE(emit, BitCast, ps_native_source(emit, 0, 32), bytes);
    PsLlvmValue b = PS_NATIVE_ONE(emit, BitCast, ps_native_source(emit, 1, 32), bytes);
    PsLlvmValue picked = emit->llvm->BuildShuffleVector(
        emit->builder, a, b, emit->llvm->ConstVector(at, G_N_ELEMENTS(at)), "");
    return put(emit, PS_NATIVE_ONE(emit, BitCast, picked, ps_native_integers(emit, 32)), 32);
}

/* ---- quotients ------------------------------------------------------------------------------ */

/* A quotient of words as doubles is cut correctly: it is at least 1/b less than the next integer,
 * which is more than the error of rounding. */
static PsLlvmValue quotient(PsNativeEmit *emit, PsLlvmValue a, PsLlvmValue b, gboolean sign)
{
    PsLlvmType numbers = ps_native_numbers(emit, 64), words = ps_native_integers(emit, 32);
    PsLlvmValue x =
        sign ? PS_NATIVE_ONE(emit, SIToFP, a, numbers) : PS_NATIVE_ONE(emit, UIToFP, a, numbers);
    PsLlvmValue y =
        sign ? PS_NATIVE_ONE(emit, SIToFP, b, numbers) : PS_NATIVE_ONE(emit, UIToFP, b, numbers);
    PsLlvmValue value = PS_NATIVE_TWO(emit, FDiv, x, y);
    return sign ? PS_NATIVE_ONE(emit, FPToSI, value, words)
                : PS_NATIVE_ONE(emit, FPToUI, value, words);
}

/* The least number divided by -1 is itself. The step warns of divisors that are 0. */
static gboolean divide(PsNativeEmit *emit)
{
    guint64 divisor;
    const gboolean sign = emit->mnemonic->types[0] == PS_PTX_S32;
    const gboolean remainder = ps_native_is(emit, "rem");
    if ((!remainder && !ps_native_is(emit, "div")) ||
        (!sign && emit->mnemonic->types[0] != PS_PTX_U32) ||
        !ps_native_constant(emit, 1, &divisor) || (guint32)divisor == 0)
        return FALSE;
    PsLlvmValue a = ps_native_source(emit, 0, 32), b = ps_native_source(emit, 1, 32);
    PsLlvmValue by = b, value;
    PsLlvmValue minus = ps_native_compare(emit, PS_LLVM_EQ, b, splat(emit, G_MAXUINT32));
    if (sign)
        by = ps_native_choose(emit, minus, splat(emit, 1), by);
    value = quotient(emit, a, by, sign);
    if (sign)
        value = ps_native_choose(emit, minus, PS_NATIVE_TWO(emit, Sub, splat(emit, 0), a), value);
    if (!remainder)
        return put(emit, value, 32);
    value = PS_NATIVE_TWO(emit, Sub, a, PS_NATIVE_TWO(emit, Mul, value, b));
    return put(emit, value, 32);
}

/* ---- the whole ------------------------------------------------------------------------------ */

gboolean ps_native_bits(PsNativeEmit *emit)
{
    if (emit->mnemonic->n_types != 1 || emit->step->n_to != 1)
        return FALSE;
    return logic(emit) || funnel(emit) || extract(emit) || insert(emit) || count(emit) ||
           pick(emit) || divide(emit);
}
