/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads and stores of lanes' own memory. All lanes' lie behind each other, the same number of bytes
 * each. Where an address lies outside of its lane's, the step says so.
 */
#include "ptx/native/emit.h"

#define MOST_VECTOR 8

typedef struct {
    PsNativeEmit *emit;
    guint size, bytes;                  /* of an element, and of a lane's vector of them */
    PsLlvmValue address, lanes;         /* of each lane; and those that access it */
    PsLlvmBlock from[2];                /* both ways to a result: where each ends ... */
    PsLlvmValue values[MOST_VECTOR][2]; /* ... and with what */
} Local;

static guint register_bits(const Local *local)
{
    return local->size == 8 || local->emit->step->kind >> 8 == 8 ? 64 : 32;
}

/* TRUE in lanes whose bytes lie in their memory, at a multiple of their number. */
static PsLlvmValue lies_within(const Local *local)
{
    const PsNativeEmit *emit = local->emit;
    const guint64 room = emit->plan->source->places.own;
    PsLlvmValue low = PS_NATIVE_TWO(emit, And, local->address,
                                    ps_native_splat(emit, 64, (guint64)local->bytes - 1));
    PsLlvmValue in = ps_native_compare(emit, PS_LLVM_ULE, local->address,
                                       ps_native_splat(emit, 64, room - local->bytes));
    PsLlvmValue even = ps_native_compare(emit, PS_LLVM_EQ, low, ps_native_splat(emit, 64, 0));
    return PS_NATIVE_TWO(emit, And, in, even);
}

static PsLlvmValue all_lie_within(const Local *local)
{
    const PsNativeEmit *emit = local->emit;
    PsLlvmValue bits = PS_NATIVE_ONE(emit, BitCast, lies_within(local), emit->word);
    PsLlvmValue off = PS_NATIVE_TWO(emit, Xor, emit->on, ps_native_word(emit, G_MAXUINT32));
    bits = PS_NATIVE_TWO(emit, Or, bits, off);
    return ps_native_compare(emit, PS_LLVM_EQ, bits, ps_native_word(emit, G_MAXUINT32));
}

/* A pointer for each lane to element number `which`. */
static PsLlvmValue pointers(const Local *local, PsLlvmValue data, guint which)
{
    const PsNativeEmit *emit = local->emit;
    const guint64 room = emit->plan->source->places.own;
    PsLlvmType element = emit->llvm->IntTypeInContext(emit->context, local->size * 8);
    PsLlvmType type = ps_native_vector(emit, emit->llvm->PointerType(element, 0));
    PsLlvmValue by[PS_PTX_LANES];
    for (guint i = 0; i < PS_PTX_LANES; i++)
        by[i] = ps_native_wide(emit, i * room + (guint64)which * local->size);
    PsLlvmValue offset =
        PS_NATIVE_TWO(emit, Add, local->address, emit->llvm->ConstVector(by, PS_PTX_LANES));
    return PS_NATIVE_ONE(emit, BitCast, ps_native_at(emit, data, offset), type);
}

/* An element as a register holds it. */
static PsLlvmValue in_register(const Local *local, PsLlvmValue value)
{
    const PsNativeEmit *emit = local->emit;
    const guint wide = emit->step->kind >> 8, bits = register_bits(local);
    value = ps_native_fit(emit, value, local->size * 8, bits, wide != 0);
    return wide == 2 ? PS_NATIVE_TWO(emit, And, value, ps_native_splat(emit, 32, G_MAXUINT16))
                     : value;
}

static void move_elements(Local *local, gboolean reads)
{
    PsNativeEmit *emit = local->emit;
    PsLlvmType vector = ps_native_integers(emit, local->size * 8);
    PsLlvmValue data =
        ps_native_load(emit, emit->pointer, emit->warp, emit->plan->source->places.local);
    for (guint i = 0; i < emit->step->vector; i++) {
        PsLlvmValue at = pointers(local, data, i);
        PsLlvmType types[] = {vector, emit->llvm->TypeOf(at)};
        if (reads) {
            PsLlvmValue with[] = {at, ps_native_word(emit, 1), local->lanes,
                                  emit->llvm->ConstNull(vector)};
            local->values[i][0] = in_register(
                local, ps_native_intrinsic(emit, "llvm.masked.gather", types, 2, with, 4));
        } else {
            const guint bits = local->size == 8 ? 64 : 32;
            PsLlvmValue value = ps_native_fit(emit, ps_native_source(emit, 1 + i, bits), bits,
                                              local->size * 8, FALSE);
            PsLlvmValue with[] = {value, at, ps_native_word(emit, 1), local->lanes};
            ps_native_intrinsic(emit, "llvm.masked.scatter", types, 2, with, 4);
        }
    }
}

static void merge(Local *local)
{
    PsNativeEmit *emit = local->emit;
    const PsPtxStep *step = emit->step;
    const guint bits = register_bits(local);
    PsLlvmValue merged[MOST_VECTOR];
    for (guint i = 0; i < step->n_to; i++) {
        merged[i] = emit->llvm->BuildPhi(emit->builder, ps_native_integers(emit, bits), "");
        emit->llvm->AddIncoming(merged[i], local->values[i], local->from, 2);
    }
    for (guint i = 0; i < step->n_to; i++)
        ps_native_put(emit, step->to[i], merged[i], bits);
}

/* Every way needs the sources, so they are read before ways part. */
static void read_sources(Local *local)
{
    PsNativeEmit *emit = local->emit;
    local->lanes = emit->guard ? emit->guard : emit->lanes;
    local->address = PS_NATIVE_TWO(emit, Add, ps_native_source(emit, 0, 64),
                                   ps_native_splat(emit, 64, (guint64)emit->step->offset));
    for (guint i = 1; i < emit->step->n_from; i++)
        ps_native_source(emit, i, local->size == 8 ? 64 : 32);
}

gboolean ps_native_local(PsNativeEmit *emit, gboolean reads)
{
    const guint size = emit->step->kind & 0xff;
    Local local = {.emit = emit, .size = size, .bytes = size * emit->step->vector};
    if (emit->step->space != PS_PTX_LOCAL || local.bytes > emit->plan->source->places.own)
        return FALSE;
    PsLlvmBlock fast = ps_native_block(emit, "own"), slow = ps_native_block(emit, "slow");
    PsLlvmBlock done = ps_native_block(emit, "done");
    read_sources(&local);
    emit->llvm->BuildCondBr(emit->builder, all_lie_within(&local), fast, slow);
    ps_native_begin(emit, fast);
    move_elements(&local, reads);
    local.from[0] = emit->llvm->GetInsertBlock(emit->builder);
    emit->llvm->BuildBr(emit->builder, done);
    ps_native_begin(emit, slow);
    ps_native_call_step(emit, FALSE);
    for (guint i = 0; i < emit->step->n_to; i++)
        local.values[i][1] = ps_native_fetch(emit, emit->step->to[i], register_bits(&local));
    local.from[1] = emit->llvm->GetInsertBlock(emit->builder);
    emit->llvm->BuildBr(emit->builder, done);
    ps_native_begin(emit, done);
    merge(&local);
    return TRUE;
}
