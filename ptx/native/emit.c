/* SPDX-License-Identifier: BSD-3-Clause */
/* The function: its entry, its segments, and the order in which they follow each other. */
#include "ptx/native/emit.h"

#include <string.h>

/* ---- one point ------------------------------------------------------------------------------ */

static void add_to(const PsNativeEmit *emit, PsLlvmValue variable, PsLlvmValue value)
{
    PsLlvmValue old = emit->llvm->BuildLoad2(emit->builder, emit->wide, variable, "");
    emit->llvm->BuildStore(emit->builder, PS_NATIVE_TWO(emit, Add, old, value), variable);
}

/* The lanes that execute the step. */
static void begin_step(PsNativeEmit *emit, guint point)
{
    const PsPtxNativeSource *source = emit->plan->source;
    emit->step = &source->steps[point];
    emit->mnemonic = source->code->points[point].instruction->mnemonic;
    emit->guard = NULL;
    emit->on = emit->mask;
    if (emit->step->guard < 0)
        return;
    PsLlvmValue set = ps_native_get(emit, (guint)emit->step->guard, 1);
    if (emit->step->guard_negated)
        set = PS_NATIVE_TWO(emit, Xor, set, ps_native_splat(emit, 1, 1));
    emit->guard = PS_NATIVE_TWO(emit, And, set, emit->lanes);
    emit->on = PS_NATIVE_ONE(emit, BitCast, emit->guard, emit->word);
}

static void count_access(const PsNativeEmit *emit)
{
    PsLlvmValue any = ps_native_compare(emit, PS_LLVM_NE, emit->on, ps_native_word(emit, 0));
    add_to(emit, emit->accesses, PS_NATIVE_ONE(emit, ZExt, any, emit->wide));
}

/* Lets the step do it; then its results are in memory. watches: it may read undefined bits. */
static void by_step(PsNativeEmit *emit, gboolean watches)
{
    const PsPtxStep *step = emit->step;
    ps_native_call_step(emit, watches);
    for (guint i = 0; i < step->n_to; i++)
        ps_native_put(emit, step->to[i], ps_native_fetch(emit, step->to[i], 64), 64);
    for (guint i = 0; i < step->n_both; i++)
        ps_native_put(emit, step->both[i], ps_native_fetch(emit, step->both[i], 64), 64);
}

/* Reads sources before ways part: a row first read on one of them would not be known on the
 * others. */
static void read_sources(PsNativeEmit *emit)
{
    const PsPtxStep *step = emit->step;
    for (guint i = 0; i < step->n_from; i++)
        ps_native_source(emit, i, 64);
    for (guint i = 0; i < step->n_both; i++)
        ps_native_get(emit, step->both[i], 64);
}

static void emit_step(PsNativeEmit *emit, PsNativeKind kind)
{
    read_sources(emit);
    if (kind == PS_NATIVE_READS || kind == PS_NATIVE_WRITES) {
        ps_native_access(emit, kind == PS_NATIVE_READS);
        if (emit->step->space != PS_PTX_PARAM)
            count_access(emit);
    } else if (kind == PS_NATIVE_ATOMIC) {
        by_step(emit, TRUE);
        count_access(emit);
    } else if (kind == PS_NATIVE_STEPS && !ps_native_integer(emit) && !ps_native_quotient(emit) &&
               !ps_native_number(emit) && !ps_native_conversion(emit) && !ps_native_bits(emit) &&
               !ps_native_lanes(emit)) {
        by_step(emit, !emit->step->alone);
    }
}

/* ---- from segment to segment ---------------------------------------------------------------- */

static PsLlvmBlock segment_at(const PsNativeEmit *emit, guint point)
{
    return emit->plan->lengths[point] > 0 ? emit->segments[point] : NULL;
}

/* Goes on at the point. */
static void go_to(PsNativeEmit *emit, guint point)
{
    PsLlvmBlock next = segment_at(emit, point);
    if (next)
        emit->llvm->BuildBr(emit->builder, next);
    else
        ps_native_leave(emit, point);
}

/* Branches if all lanes do, or none; else the caller lets them part, and executes the branch. */
static void branch(PsNativeEmit *emit, guint point)
{
    const guint target = emit->plan->source->code->points[point].target;
    if (emit->stays) {
        ps_native_flush_living(emit, target);
        ps_native_flush_living(emit, emit->guard ? point + 1 : target);
    }
    if (!emit->guard) {
        ps_native_count(emit);
        go_to(emit, target);
        return;
    }
    PsLlvmBlock mixed = ps_native_block(emit, "mixed"), same = ps_native_block(emit, "same");
    PsLlvmBlock yes = ps_native_block(emit, "yes"), no = ps_native_block(emit, "no");
    PsLlvmValue all = ps_native_compare(emit, PS_LLVM_EQ, emit->on, emit->mask);
    PsLlvmValue none = ps_native_compare(emit, PS_LLVM_EQ, emit->on, ps_native_word(emit, 0));
    emit->llvm->BuildCondBr(emit->builder, PS_NATIVE_TWO(emit, Or, all, none), same, mixed);
    ps_native_begin(emit, mixed);
    add_to(emit, emit->budget, ps_native_wide(emit, 1));
    ps_native_leave(emit, point);
    ps_native_begin(emit, same);
    emit->llvm->BuildCondBr(emit->builder, all, yes, no);
    ps_native_begin(emit, yes);
    ps_native_count(emit);
    go_to(emit, target);
    ps_native_begin(emit, no);
    go_to(emit, point + 1);
}

/* Leaves where lanes meet others, or the budget has no room. */
static void check_entry(PsNativeEmit *emit, guint point, guint length)
{
    PsLlvmBlock leaves = ps_native_block(emit, "leaves"), goes = ps_native_block(emit, "goes");
    PsLlvmValue budget = emit->llvm->BuildLoad2(emit->builder, emit->wide, emit->budget, "");
    PsLlvmValue wrong = ps_native_compare(emit, PS_LLVM_ULT, budget, ps_native_wide(emit, length));
    if (emit->plan->source->code->points[point].leader)
        wrong = PS_NATIVE_TWO(
            emit, Or, wrong,
            ps_native_compare(emit, PS_LLVM_EQ, emit->meet, ps_native_word(emit, point)));
    emit->llvm->BuildCondBr(emit->builder, wrong, leaves, goes);
    ps_native_begin(emit, leaves);
    ps_native_leave(emit, point);
    ps_native_begin(emit, goes);
    add_to(emit, emit->budget, ps_native_wide(emit, 0 - (guint64)length));
}

static void emit_points(PsNativeEmit *emit, guint first)
{
    const PsNativePlan *plan = emit->plan;
    const guint length = plan->lengths[first];
    emit->end = first + length;
    memset(emit->known, 0, plan->source->n_slots * sizeof *emit->known);
    memset(emit->dirty, 0, plan->source->n_slots);
    ps_native_begin(emit, emit->segments[first]);
    check_entry(emit, first, length);
    for (guint i = first; i < first + length; i++) {
        begin_step(emit, i);
        if (plan->kinds[i] == PS_NATIVE_BRANCHES) {
            branch(emit, i);
            return;
        }
        emit_step(emit, (PsNativeKind)plan->kinds[i]);
        ps_native_count(emit);
    }
    if (emit->stays)
        ps_native_flush_living(emit, first + length);
    go_to(emit, first + length);
}

static void emit_segment(PsNativeEmit *emit, guint first)
{
    emit_points(emit, first);
    ps_native_end_watches(emit);
}

/* ---- the function --------------------------------------------------------------------------- */

static PsLlvmValue member(const PsNativeEmit *emit, PsLlvmType type, gsize offset)
{
    return ps_native_load(emit, type, emit->call, offset);
}

static PsLlvmValue variable(const PsNativeEmit *emit, PsLlvmType type)
{
    return emit->llvm->BuildAlloca(emit->builder, type, "");
}

static void make_rows(PsNativeEmit *emit)
{
    const guint n = emit->plan->source->n_slots;
    emit->rows = g_new0(PsLlvmValue, n + 1);
    emit->known = g_new0(PsLlvmValue, n + 1);
    emit->dirty = g_new0(guint8, n + 1);
    emit->watched = g_new0(guint64, emit->plan->words);
    for (guint slot = 0; slot < n; slot++) {
        const guint bits = ps_native_row_bits(emit, slot);
        if (bits)
            emit->rows[slot] = variable(emit, ps_native_integers(emit, bits));
    }
}

static void read_call(PsNativeEmit *emit)
{
    PsLlvmType types[] = {emit->word};
    emit->call = emit->llvm->GetParam(emit->function, 0);
    emit->slots = member(emit, emit->pointer, G_STRUCT_OFFSET(PsPtxNativeCall, slots));
    emit->last = member(emit, emit->pointer, G_STRUCT_OFFSET(PsPtxNativeCall, last));
    emit->looks = member(emit, emit->pointer, G_STRUCT_OFFSET(PsPtxNativeCall, looks));
    emit->warp = member(emit, emit->pointer, G_STRUCT_OFFSET(PsPtxNativeCall, warp));
    emit->mask = member(emit, emit->word, G_STRUCT_OFFSET(PsPtxNativeCall, mask));
    emit->meet = member(emit, emit->word, G_STRUCT_OFFSET(PsPtxNativeCall, meet));
    emit->lanes = PS_NATIVE_ONE(emit, BitCast, emit->mask, ps_native_integers(emit, 1));
    emit->active = PS_NATIVE_ONE(
        emit, ZExt, ps_native_intrinsic(emit, "llvm.ctpop", types, 1, &emit->mask, 1), emit->wide);
    emit->budget = variable(emit, emit->wide);
    emit->threads = variable(emit, emit->wide);
    emit->accesses = variable(emit, emit->wide);
    emit->next = variable(emit, emit->word);
    emit->llvm->BuildStore(emit->builder,
                           member(emit, emit->wide, G_STRUCT_OFFSET(PsPtxNativeCall, budget)),
                           emit->budget);
    emit->llvm->BuildStore(emit->builder, ps_native_wide(emit, 0), emit->threads);
    emit->llvm->BuildStore(emit->builder, ps_native_wide(emit, 0), emit->accesses);
}

/* Reads the rows that are needed from that point on. */
static void enter(const PsNativeEmit *emit, guint point)
{
    for (guint slot = 0; slot < emit->plan->source->n_slots; slot++) {
        const guint bits = ps_native_row_bits(emit, slot);
        if (bits && ps_native_lives(emit->plan, point, slot))
            emit->llvm->BuildStore(emit->builder, ps_native_fetch(emit, slot, bits),
                                   emit->rows[slot]);
    }
    emit->llvm->BuildBr(emit->builder, emit->segments[point]);
}

static void emit_entries(PsNativeEmit *emit)
{
    const guint n = emit->plan->source->code->n_points;
    PsLlvmBlock nowhere = ps_native_block(emit, "nowhere");
    PsLlvmValue from = member(emit, emit->word, G_STRUCT_OFFSET(PsPtxNativeCall, pc));
    PsLlvmValue which = emit->llvm->BuildSwitch(emit->builder, from, nowhere, n);
    ps_native_begin(emit, nowhere);
    emit->llvm->BuildUnreachable(emit->builder);
    emit->segments = g_new0(PsLlvmBlock, (gsize)n + 1);
    for (guint i = 0; i < n; i++)
        if (emit->plan->lengths[i] > 0)
            emit->segments[i] = ps_native_block(emit, "segment");
    for (guint i = 0; i < n; i++) {
        if (!emit->segments[i])
            continue;
        PsLlvmBlock entry = ps_native_block(emit, "entry");
        emit->llvm->AddCase(which, ps_native_word(emit, i), entry);
        ps_native_begin(emit, entry);
        enter(emit, i);
    }
}

void ps_native_emit(PsNativeEmit *emit)
{
    ps_native_begin(emit, ps_native_block(emit, "begin"));
    read_call(emit);
    make_rows(emit);
    emit_entries(emit);
    for (guint i = 0; i < emit->plan->source->code->n_points; i++)
        if (emit->segments[i])
            emit_segment(emit, i);
    g_free(emit->segments);
    g_free(emit->rows);
    g_free(emit->known);
    g_free(emit->dirty);
    g_free(emit->watched);
}
