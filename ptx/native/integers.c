/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integers, bits, comparisons and selections, as ptx/alu/ computes them. Numbers of 16 bits are
 * computed with 32, and cut.
 */
#include "ptx/native/emit.h"

#include <string.h>

static gboolean is_signed(PsPtxType type)
{
    return type >= PS_PTX_S8 && type <= PS_PTX_S64;
}

/* Bits of the vector in which values of a type are computed; 0: they are computed in another
 * way. */
static guint bits_of(PsPtxType type)
{
    switch (type) {
    case PS_PTX_PRED:
        return 1;
    case PS_PTX_B16:
    case PS_PTX_U16:
    case PS_PTX_S16:
    case PS_PTX_F16:
    case PS_PTX_BF16:
    case PS_PTX_B32:
    case PS_PTX_U32:
    case PS_PTX_S32:
    case PS_PTX_F32:
    case PS_PTX_F16X2:
    case PS_PTX_BF16X2:
        return 32;
    case PS_PTX_B64:
    case PS_PTX_U64:
    case PS_PTX_S64:
    case PS_PTX_F64:
        return 64;
    default:
        return 0;
    }
}

static gboolean is_narrow(PsPtxType type)
{
    return ps_ptx_type_size(type) == 2;
}

/* A source of an instruction that treats sign bits as such. */
static PsLlvmValue signed_source(PsNativeEmit *emit, guint which, PsPtxType type)
{
    PsLlvmValue value = ps_native_source(emit, which, bits_of(type));
    if (type != PS_PTX_S16)
        return value;
    PsLlvmValue by = ps_native_splat(emit, 32, 16);
    return PS_NATIVE_TWO(emit, AShr, PS_NATIVE_TWO(emit, Shl, value, by), by);
}

/* Gives the destination a value of the type; bits above it are cut. */
static gboolean give(PsNativeEmit *emit, PsLlvmValue value, PsPtxType type)
{
    if (is_narrow(type))
        value = PS_NATIVE_TWO(emit, And, value, ps_native_splat(emit, 32, G_MAXUINT16));
    ps_native_put(emit, emit->step->to[0], value, bits_of(type));
    return TRUE;
}

/* ---- sums and the like ---------------------------------------------------------------------- */

typedef enum {
    ADD,
    SUB,
    MUL_LO,
    MAD_LO,
    NEG,
    AND,
    OR,
    XOR,
    NOT,
    SHL,
    SHR,
    MIN_OF,
    MAX_OF,
    ABS
} Kind;

static const struct {
    const char *form;
    Kind kind;
} forms[] = {{"add", ADD}, {"sub", SUB},    {"mul.lo", MUL_LO}, {"mad.lo", MAD_LO}, {"neg", NEG},
             {"and", AND}, {"or", OR},      {"xor", XOR},       {"not", NOT},       {"shl", SHL},
             {"shr", SHR}, {"min", MIN_OF}, {"max", MAX_OF},    {"abs", ABS}};

static PsLlvmValue shifted(PsNativeEmit *emit, Kind kind, PsLlvmValue a, PsPtxType type)
{
    const guint bits = bits_of(type);
    PsLlvmValue by = ps_native_source(emit, 1, 32), most = ps_native_splat(emit, 32, bits - 1);
    PsLlvmValue far = ps_native_compare(emit, PS_LLVM_UGT, by, most);
    PsLlvmValue zero = ps_native_splat(emit, bits, 0);
    if (is_signed(type) && kind == SHR) {
        by = ps_native_fit(emit, ps_native_choose(emit, far, most, by), 32, bits, FALSE);
        return PS_NATIVE_TWO(emit, AShr, a, by);
    }
    by = ps_native_fit(emit, by, 32, bits, FALSE);
    PsLlvmValue value =
        kind == SHL ? PS_NATIVE_TWO(emit, Shl, a, by) : PS_NATIVE_TWO(emit, LShr, a, by);
    return ps_native_choose(emit, far, zero, value);
}

static PsLlvmValue least(const PsNativeEmit *emit, gboolean most, PsPtxType type, PsLlvmValue a,
                         PsLlvmValue b)
{
    const int how = is_signed(type) ? PS_LLVM_SLT : PS_LLVM_ULT;
    PsLlvmValue less = ps_native_compare(emit, how, a, b);
    return most ? ps_native_choose(emit, less, b, a) : ps_native_choose(emit, less, a, b);
}

static PsLlvmValue computed(PsNativeEmit *emit, Kind kind, PsPtxType type)
{
    const guint bits = bits_of(type);
    const gboolean minds = kind == SHR || kind == MIN_OF || kind == MAX_OF || kind == ABS;
    PsLlvmValue a = minds ? signed_source(emit, 0, type) : ps_native_source(emit, 0, bits);
    PsLlvmValue b = NULL;
    if (kind == SHL || kind == SHR)
        return shifted(emit, kind, a, type);
    if (emit->step->n_from > 1)
        b = minds ? signed_source(emit, 1, type) : ps_native_source(emit, 1, bits);
    switch (kind) {
    case ADD:
        return PS_NATIVE_TWO(emit, Add, a, b);
    case SUB:
        return PS_NATIVE_TWO(emit, Sub, a, b);
    case MUL_LO:
        return PS_NATIVE_TWO(emit, Mul, a, b);
    case MAD_LO:
        return PS_NATIVE_TWO(emit, Add, PS_NATIVE_TWO(emit, Mul, a, b),
                             ps_native_source(emit, 2, bits));
    case NEG:
        return PS_NATIVE_TWO(emit, Sub, ps_native_splat(emit, bits, 0), a);
    case ABS:
        b = PS_NATIVE_TWO(emit, Sub, ps_native_splat(emit, bits, 0), a);
        return least(emit, TRUE, type, a, b);
    case AND:
        return PS_NATIVE_TWO(emit, And, a, b);
    case OR:
        return PS_NATIVE_TWO(emit, Or, a, b);
    case XOR:
        return PS_NATIVE_TWO(emit, Xor, a, b);
    case NOT:
        return PS_NATIVE_TWO(emit, Xor, a, ps_native_splat(emit, bits, G_MAXUINT64));
    default:
        return least(emit, kind == MAX_OF, type, a, b);
    }
}

/* TRUE for types of numbers, which another file computes (add.f32). */
static gboolean is_number(PsPtxType type)
{
    return type >= PS_PTX_F16 && type <= PS_PTX_F64;
}

static gboolean simple(PsNativeEmit *emit)
{
    const PsPtxType type = emit->mnemonic->types[0];
    if (emit->mnemonic->n_types != 1 || bits_of(type) == 0 || is_number(type) ||
        emit->step->n_to != 1)
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(forms); i++)
        if (ps_native_is(emit, forms[i].form))
            return give(emit, computed(emit, forms[i].kind, type), type);
    return FALSE;
}

/* ---- wide products -------------------------------------------------------------------------- */

static PsLlvmValue product(PsNativeEmit *emit, gboolean sign)
{
    PsLlvmValue a = ps_native_fit(emit, ps_native_source(emit, 0, 32), 32, 64, sign);
    PsLlvmValue b = ps_native_fit(emit, ps_native_source(emit, 1, 32), 32, 64, sign);
    return PS_NATIVE_TWO(emit, Mul, a, b);
}

static gboolean wide(PsNativeEmit *emit)
{
    const PsPtxType type = emit->mnemonic->types[0];
    const gboolean mad = ps_native_is(emit, "mad.wide"), high = ps_native_is(emit, "mul.hi");
    if ((type != PS_PTX_U32 && type != PS_PTX_S32) || emit->step->n_to != 1 ||
        !(mad || high || ps_native_is(emit, "mul.wide")))
        return FALSE;
    PsLlvmValue value = product(emit, is_signed(type));
    if (high) {
        value = PS_NATIVE_TWO(emit, LShr, value, ps_native_splat(emit, 64, 32));
        ps_native_put(emit, emit->step->to[0], ps_native_fit(emit, value, 64, 32, FALSE), 32);
        return TRUE;
    }
    if (mad)
        value = PS_NATIVE_TWO(emit, Add, value, ps_native_source(emit, 2, 64));
    ps_native_put(emit, emit->step->to[0], value, 64);
    return TRUE;
}

/* ---- comparisons ---------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int without_sign, with_sign, number;
} relations[] = {
    {"eq", PS_LLVM_EQ, PS_LLVM_EQ, PS_LLVM_OEQ},
    {"ne", PS_LLVM_NE, PS_LLVM_NE, PS_LLVM_ONE},
    {"lt", PS_LLVM_ULT, PS_LLVM_SLT, PS_LLVM_OLT},
    {"le", PS_LLVM_ULE, PS_LLVM_SLE, PS_LLVM_OLE},
    {"gt", PS_LLVM_UGT, PS_LLVM_SGT, PS_LLVM_OGT},
    {"ge", PS_LLVM_UGE, PS_LLVM_SGE, PS_LLVM_OGE},
    {"lo", PS_LLVM_ULT, 0, 0},
    {"ls", PS_LLVM_ULE, 0, 0},
    {"hi", PS_LLVM_UGT, 0, 0},
    {"hs", PS_LLVM_UGE, 0, 0},
    {"equ", 0, 0, PS_LLVM_FUEQ},
    {"neu", 0, 0, PS_LLVM_FUNE},
    {"ltu", 0, 0, PS_LLVM_FULT},
    {"leu", 0, 0, PS_LLVM_FULE},
    {"gtu", 0, 0, PS_LLVM_FUGT},
    {"geu", 0, 0, PS_LLVM_FUGE},
    {"num", 0, 0, PS_LLVM_ORD},
    {"nan", 0, 0, PS_LLVM_UNO},
};

static PsLlvmValue compared(PsNativeEmit *emit, guint which, PsPtxType type)
{
    const guint bits = bits_of(type);
    PsLlvmValue sources[2];
    if (type != PS_PTX_F32 && type != PS_PTX_F64) {
        const int how =
            is_signed(type) ? relations[which].with_sign : relations[which].without_sign;
        return ps_native_compare(emit, how, signed_source(emit, 0, type),
                                 signed_source(emit, 1, type));
    }
    for (guint i = 0; i < 2; i++) {
        sources[i] = ps_native_source(emit, i, bits);
        if (ps_ptx_has(emit->mnemonic, "ftz"))
            sources[i] = ps_native_flushed(emit, sources[i]);
        sources[i] = PS_NATIVE_ONE(emit, BitCast, sources[i], ps_native_numbers(emit, bits));
    }
    return emit->llvm->BuildFCmp(emit->builder, relations[which].number, sources[0], sources[1],
                                 "");
}

static PsLlvmValue combined(PsNativeEmit *emit, PsLlvmValue value)
{
    if (emit->step->n_from < 3)
        return value;
    PsLlvmValue with = ps_native_source(emit, 2, 1);
    return ps_ptx_has(emit->mnemonic, "and")  ? PS_NATIVE_TWO(emit, And, value, with)
           : ps_ptx_has(emit->mnemonic, "or") ? PS_NATIVE_TWO(emit, Or, value, with)
                                              : PS_NATIVE_TWO(emit, Xor, value, with);
}

static gboolean compare(PsNativeEmit *emit)
{
    const PsPtxType type = emit->mnemonic->types[0];
    const PsPtxStep *step = emit->step;
    guint i = 0;
    if (strcmp(emit->mnemonic->opcode, "setp") != 0 || emit->mnemonic->n_types != 1)
        return FALSE;
    const gboolean whole = type != PS_PTX_PRED && bits_of(type) != 0 &&
                           (!is_number(type) || type == PS_PTX_F32 || type == PS_PTX_F64);
    while (i < G_N_ELEMENTS(relations) && strcmp(relations[i].name, emit->mnemonic->parts[0]) != 0)
        i++;
    if (i == G_N_ELEMENTS(relations) || !whole)
        return FALSE;
    PsLlvmValue is = compared(emit, i, type);
    PsLlvmValue not = PS_NATIVE_TWO(emit, Xor, is, ps_native_splat(emit, 1, 1));
    is = combined(emit, is);
    not = combined(emit, not );
    if (step->n_to == 2)
        ps_native_put(emit, step->to[1], not, 1);
    ps_native_put(emit, step->to[0], is, 1);
    return TRUE;
}

static gboolean choose(PsNativeEmit *emit)
{
    const PsPtxType type = emit->mnemonic->types[0];
    const guint bits = bits_of(type);
    if (!ps_native_is(emit, "selp") || bits == 0 || emit->step->n_to != 1)
        return FALSE;
    PsLlvmValue which = ps_native_source(emit, 2, 1);
    ps_native_put(emit, emit->step->to[0],
                  ps_native_choose(emit, which, ps_native_source(emit, 0, bits),
                                   ps_native_source(emit, 1, bits)),
                  bits);
    return TRUE;
}

/* ---- moves ---------------------------------------------------------------------------------- */

/* Takes apart a value of 64 bits, or of 32. */
static void unpack(PsNativeEmit *emit)
{
    const guint bits = emit->step->kind;
    PsLlvmValue whole = ps_native_source(emit, 0, 64), parts[PS_PTX_MAX_TO];
    PsLlvmValue keep = ps_native_splat(emit, 64, ((guint64)1 << bits) - 1);
    for (guint i = 0; i < emit->step->n_to; i++) {
        PsLlvmValue by = ps_native_splat(emit, 64, (guint64)i * bits);
        parts[i] = PS_NATIVE_TWO(emit, And, PS_NATIVE_TWO(emit, LShr, whole, by), keep);
    }
    for (guint i = 0; i < emit->step->n_to; i++)
        ps_native_put(emit, emit->step->to[i], ps_native_fit(emit, parts[i], 64, 32, FALSE), 32);
}

static void pack(PsNativeEmit *emit)
{
    const guint bits = emit->step->kind;
    PsLlvmValue whole = ps_native_splat(emit, 64, 0);
    PsLlvmValue keep = ps_native_splat(emit, 64, ((guint64)1 << bits) - 1);
    for (guint i = 0; i < emit->step->n_from; i++) {
        PsLlvmValue part = PS_NATIVE_TWO(emit, And, ps_native_source(emit, i, 64), keep);
        PsLlvmValue by = ps_native_splat(emit, 64, (guint64)i * bits);
        whole = PS_NATIVE_TWO(emit, Or, whole, PS_NATIVE_TWO(emit, Shl, part, by));
    }
    ps_native_put(emit, emit->step->to[0], whole, 64);
}

static gboolean move(PsNativeEmit *emit)
{
    const PsPtxStep *step = emit->step;
    const guint bits = bits_of(emit->mnemonic->types[0]);
    if (!ps_native_is(emit, "mov") || step->n_to == 0 || step->n_from == 0)
        return FALSE;
    if (step->n_to == 1 && step->n_from == 1)
        ps_native_put(emit, step->to[0], ps_native_source(emit, 0, MAX(bits, 32)), MAX(bits, 32));
    else if (step->n_to == 1)
        pack(emit);
    else if (step->n_from == 1)
        unpack(emit);
    else
        return FALSE;
    return TRUE;
}

/* A copy: global addresses are generic ones. */
static gboolean same_address(PsNativeEmit *emit)
{
    if (strcmp(emit->mnemonic->opcode, "cvta") != 0 || emit->step->space != PS_PTX_GLOBAL ||
        emit->mnemonic->types[0] != PS_PTX_U64 || emit->step->n_to != 1)
        return FALSE;
    ps_native_put(emit, emit->step->to[0], ps_native_source(emit, 0, 64), 64);
    return TRUE;
}

gboolean ps_native_integer(PsNativeEmit *emit)
{
    return simple(emit) || wide(emit) || compare(emit) || choose(emit) || move(emit) ||
           same_address(emit);
}
