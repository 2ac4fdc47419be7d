/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes rows of registers, between the function and the warp's slots. */
#include "ptx/native/emit.h"

#include <string.h>

#define ROW_BYTES (PS_PTX_LANES * sizeof(guint64))
#define ROW_ALIGN 64

/* The constant that the slot holds, or NULL. */
static const PsPtxFixed *constant(const PsNativeEmit *emit, guint slot)
{
    const PsPtxNativeSource *source = emit->plan->source;
    return slot < source->n_fixed && !source->fixed[slot].special ? &source->fixed[slot] : NULL;
}

guint ps_native_row_bits(const PsNativeEmit *emit, guint slot)
{
    const PsPtxNativeSource *source = emit->plan->source;
    const gboolean kept = slot < source->n_fixed + source->n_kept && !constant(emit, slot);
    return kept && !emit->stays ? source->bits[slot] : 0;
}

static PsLlvmValue place(const PsNativeEmit *emit, guint slot)
{
    return ps_native_at(emit, emit->slots, ps_native_wide(emit, (guint64)slot * ROW_BYTES));
}

PsLlvmValue ps_native_fetch(const PsNativeEmit *emit, guint slot, guint bits)
{
    PsLlvmValue row = ps_native_load(emit, ps_native_integers(emit, 64), place(emit, slot), 0);
    emit->llvm->SetAlignment(row, ROW_ALIGN);
    return ps_native_fit(emit, row, 64, bits, FALSE);
}

/* Writes a row to memory; lanes at other points keep their values. */
static void put_in_memory(const PsNativeEmit *emit, guint slot, PsLlvmValue value, guint bits)
{
    ps_native_store_masked(emit, ps_native_fit(emit, value, bits, 64, FALSE), place(emit, slot),
                           emit->lanes, ROW_ALIGN);
}

static guint bits_of(const PsNativeEmit *emit, PsLlvmValue value)
{
    PsLlvmType type = emit->llvm->TypeOf(value);
    return type == ps_native_integers(emit, 1) ? 1 : type == ps_native_integers(emit, 32) ? 32 : 64;
}

PsLlvmValue ps_native_get(PsNativeEmit *emit, guint slot, guint bits)
{
    const PsPtxFixed *fixed = constant(emit, slot);
    const guint own = ps_native_row_bits(emit, slot);
    if (fixed)
        return ps_native_splat(emit, bits, fixed->value);
    if (own) {
        PsLlvmValue value = emit->llvm->BuildLoad2(emit->builder, ps_native_integers(emit, own),
                                                   emit->rows[slot], "");
        return ps_native_fit(emit, value, own, bits, FALSE);
    }
    if (!emit->known[slot])
        emit->known[slot] = ps_native_fetch(emit, slot, 64);
    return ps_native_fit(emit, emit->known[slot], bits_of(emit, emit->known[slot]), bits, FALSE);
}

PsLlvmValue ps_native_source(PsNativeEmit *emit, guint which, guint bits)
{
    return ps_native_get(emit, emit->step->from[which], bits);
}

gboolean ps_native_constant(const PsNativeEmit *emit, guint which, guint64 *value)
{
    const PsPtxFixed *fixed = constant(emit, emit->step->from[which]);
    if (fixed)
        *value = fixed->value;
    return fixed != NULL;
}

void ps_native_put(PsNativeEmit *emit, guint slot, PsLlvmValue value, guint bits)
{
    const guint own = ps_native_row_bits(emit, slot);
    if (emit->guard)
        value = ps_native_choose(emit, emit->guard, value, ps_native_get(emit, slot, bits));
    if (own) {
        emit->llvm->BuildStore(emit->builder, ps_native_fit(emit, value, bits, own, FALSE),
                               emit->rows[slot]);
        return;
    }
    emit->known[slot] = value;
    emit->dirty[slot] = 1;
}

void ps_native_flush(PsNativeEmit *emit, guint slot)
{
    const guint own = ps_native_row_bits(emit, slot);
    if (own && emit->plan->written[slot])
        put_in_memory(emit, slot, ps_native_get(emit, slot, own), own);
    else if (!own && emit->dirty[slot])
        put_in_memory(emit, slot, emit->known[slot], bits_of(emit, emit->known[slot]));
}

/* ---- leaving -------------------------------------------------------------------------------- */

static PsLlvmValue variable(const PsNativeEmit *emit, PsLlvmType type, PsLlvmValue of)
{
    return emit->llvm->BuildLoad2(emit->builder, type, of, "");
}

static void add_to(const PsNativeEmit *emit, PsLlvmValue of, PsLlvmValue value)
{
    emit->llvm->BuildStore(emit->builder,
                           PS_NATIVE_TWO(emit, Add, variable(emit, emit->wide, of), value), of);
}

static void leave_at(const PsNativeEmit *emit, PsLlvmValue point)
{
    ps_native_store(emit, variable(emit, emit->wide, emit->budget), emit->call,
                    G_STRUCT_OFFSET(PsPtxNativeCall, budget));
    ps_native_store(emit, variable(emit, emit->wide, emit->threads), emit->call,
                    G_STRUCT_OFFSET(PsPtxNativeCall, threads));
    ps_native_store(emit, variable(emit, emit->wide, emit->accesses), emit->call,
                    G_STRUCT_OFFSET(PsPtxNativeCall, accesses));
    ps_native_store(emit, point, emit->call, G_STRUCT_OFFSET(PsPtxNativeCall, pc));
    emit->llvm->BuildRetVoid(emit->builder);
}

void ps_native_flush_living(PsNativeEmit *emit, guint point)
{
    for (guint slot = 0; slot < emit->plan->source->n_slots; slot++)
        if (emit->dirty[slot] && point < emit->plan->source->code->n_points &&
            ps_native_lives(emit->plan, point, slot)) {
            ps_native_flush(emit, slot);
            emit->dirty[slot] = 0;
        }
}

void ps_native_leave(PsNativeEmit *emit, guint point)
{
    for (guint slot = 0; slot < emit->plan->source->n_slots; slot++)
        if (ps_native_lives(emit->plan, point, slot))
            ps_native_flush(emit, slot);
    leave_at(emit, ps_native_word(emit, point));
}

/* Gives back the budget of the rest of the segment, which is not executed. */
static void count_rest(const PsNativeEmit *emit)
{
    add_to(emit, emit->budget, ps_native_wide(emit, emit->end - (emit->step->point + 1)));
    ps_native_count(emit);
}

/* Leaves after the present step has written its results to memory. One block, which all such steps
 * of the segment share, writes the kept rows; a block for each would be most of the code. */
static void leave_watched(PsNativeEmit *emit)
{
    const PsPtxNativeSource *source = emit->plan->source;
    const PsPtxStep *step = emit->step;
    const guint next = step->point + 1;
    for (guint i = 0; i < step->n_to; i++) {
        const guint slot = step->to[i], bits = ps_native_row_bits(emit, slot);
        if (bits)
            emit->llvm->BuildStore(emit->builder, ps_native_fetch(emit, slot, bits),
                                   emit->rows[slot]);
    }
    for (guint slot = emit->stays ? 0 : source->n_fixed + source->n_kept; slot < source->n_slots;
         slot++)
        if (ps_native_lives(emit->plan, next, slot))
            ps_native_flush(emit, slot);
    for (gsize w = 0; w < emit->plan->words; w++)
        emit->watched[w] |= emit->plan->live[next * emit->plan->words + w];
    if (!emit->watches)
        emit->watches = ps_native_block(emit, "watches");
    emit->llvm->BuildStore(emit->builder, ps_native_word(emit, next), emit->next);
    emit->llvm->BuildBr(emit->builder, emit->watches);
}

void ps_native_end_watches(PsNativeEmit *emit)
{
    const PsPtxNativeSource *source = emit->plan->source;
    if (!emit->watches)
        return;
    ps_native_begin(emit, emit->watches);
    for (guint slot = 0; !emit->stays && slot < source->n_fixed + source->n_kept; slot++)
        if ((emit->watched[slot / 64] >> slot % 64 & 1) != 0)
            ps_native_flush(emit, slot);
    leave_at(emit, variable(emit, emit->word, emit->next));
    memset(emit->watched, 0, emit->plan->words * sizeof *emit->watched);
    emit->watches = NULL;
}

void ps_native_count(const PsNativeEmit *emit)
{
    PsLlvmType types[] = {emit->word};
    PsLlvmValue on = emit->on, n = emit->active;
    if (emit->guard)
        n = PS_NATIVE_ONE(emit, ZExt, ps_native_intrinsic(emit, "llvm.ctpop", types, 1, &on, 1),
                          emit->wide);
    add_to(emit, emit->threads, n);
}

/* Prepares a result's row for a step that writes it to memory: lanes that do not execute the step
 * must have their values there, and the kept row must not overwrite the other lanes' later. */
static void flush_result(PsNativeEmit *emit, guint slot)
{
    if (emit->guard)
        ps_native_flush(emit, slot);
    emit->dirty[slot] = 0;
}

void ps_native_call_step(PsNativeEmit *emit, gboolean watches)
{
    const PsPtxStep *step = emit->step;
    guint64 address;
    memcpy(&address, &emit->plan->source->step, sizeof address);
    PsLlvmBlock failed = ps_native_block(emit, "failed"), done = ps_native_block(emit, "done");
    for (guint i = 0; i < step->n_from; i++)
        ps_native_flush(emit, step->from[i]);
    for (guint i = 0; i < step->n_both; i++)
        ps_native_flush(emit, step->both[i]);
    for (guint i = 0; i < step->n_to; i++)
        flush_result(emit, step->to[i]);
    PsLlvmValue with[] = {emit->warp, ps_native_word(emit, step->point), emit->on};
    PsLlvmValue function = PS_NATIVE_ONE(emit, IntToPtr, ps_native_wide(emit, address),
                                         emit->llvm->PointerType(emit->step_type, 0));
    PsLlvmValue fails =
        emit->llvm->BuildCall2(emit->builder, emit->step_type, function, with, 3, "");
    fails = ps_native_compare(emit, PS_LLVM_NE, fails, ps_native_word(emit, 0));
    emit->llvm->BuildCondBr(emit->builder, fails, failed, done);
    ps_native_begin(emit, failed);
    count_rest(emit);
    if (watches)
        leave_watched(emit);
    else
        leave_at(emit, ps_native_word(emit, step->point + 1));
    ps_native_begin(emit, done);
}
