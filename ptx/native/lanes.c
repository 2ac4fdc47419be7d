/* SPDX-License-Identifier: BSD-3-Clause */
/* Values that lanes read from each other: shuffles by constants, and votes. */
#include "ptx/native/emit.h"

#include "ptx/alu/lanes.h"

#include <string.h>

/* ---- shuffles ------------------------------------------------------------------------------- */

/* Finds the lane, a constant, that each lane reads; and whether that is another lane. */
static void find_lanes(const PsNativeEmit *emit, guint32 b, guint32 c, PsLlvmValue *from,
                       PsLlvmValue *inside)
{
    PsLlvmValue lanes[PS_PTX_LANES], others[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        gboolean is_inside;
        const guint taken = ps_ptx_shuffle_from(emit->step->kind, lane, b, c, &is_inside);
        lanes[lane] = ps_native_word(emit, taken);
        others[lane] = emit->llvm->ConstInt(emit->bit, is_inside ? 1 : 0, 0);
    }
    *from = emit->llvm->ConstVector(lanes, PS_PTX_LANES);
    *inside = emit->llvm->ConstVector(others, PS_PTX_LANES);
}

/* TRUE if a mask names all lanes. For other masks the step does it, which warns of the lanes that
 * are left out. */
static gboolean names_all(PsNativeEmit *emit, guint operand)
{
    guint64 mask;
    return emit->step->n_from <= operand ||
           (ps_native_constant(emit, operand, &mask) && (guint32)mask == G_MAXUINT32);
}

/* Shuffles. Lanes that are elsewhere have their values in memory alone: then the step does it. */
static gboolean shuffle(PsNativeEmit *emit)
{
    const PsPtxStep *step = emit->step;
    guint64 b, c;
    PsLlvmValue from, inside, values[2];
    if (strcmp(emit->mnemonic->opcode, "shfl") != 0 || !ps_native_constant(emit, 1, &b) ||
        !ps_native_constant(emit, 2, &c) || !names_all(emit, 3))
        return FALSE;
    PsLlvmBlock ways[] = {ps_native_block(emit, "whole"), ps_native_block(emit, "partly")};
    PsLlvmBlock done = ps_native_block(emit, "done");
    PsLlvmValue whole =
        ps_native_compare(emit, PS_LLVM_EQ, emit->mask, ps_native_word(emit, G_MAXUINT32));
    PsLlvmValue value = ps_native_source(emit, 0, 32);
    find_lanes(emit, (guint32)b, (guint32)c, &from, &inside);
    emit->llvm->BuildCondBr(emit->builder, whole, ways[0], ways[1]);
    ps_native_begin(emit, ways[0]);
    values[0] = emit->llvm->BuildShuffleVector(emit->builder, value, value, from, "");
    emit->llvm->BuildBr(emit->builder, done);
    ps_native_begin(emit, ways[1]);
    ps_native_call_step(emit, TRUE);
    values[1] = ps_native_fetch(emit, step->to[0], 32);
    ways[1] = emit->llvm->GetInsertBlock(emit->builder);
    emit->llvm->BuildBr(emit->builder, done);
    ps_native_begin(emit, done);
    value = emit->llvm->BuildPhi(emit->builder, ps_native_integers(emit, 32), "");
    emit->llvm->AddIncoming(value, values, ways, 2);
    ps_native_put(emit, step->to[0], value, 32);
    if (step->n_to == 2)
        ps_native_put(emit, step->to[1], inside, 1);
    return TRUE;
}

/* ---- votes ---------------------------------------------------------------------------------- */

static PsLlvmValue outcome(const PsNativeEmit *emit, PsLlvmValue set, PsLlvmValue named)
{
    PsLlvmValue zero = ps_native_splat(emit, 32, 0);
    PsLlvmValue all = ps_native_compare(emit, PS_LLVM_EQ, set, named);
    PsLlvmValue none = ps_native_compare(emit, PS_LLVM_EQ, set, zero);
    if (ps_ptx_has(emit->mnemonic, "all"))
        return all;
    if (ps_ptx_has(emit->mnemonic, "uni"))
        return PS_NATIVE_TWO(emit, Or, all, none);
    return ps_native_compare(emit, PS_LLVM_NE, set, zero);
}

/* Only lanes that execute the step count. With a mask, the step warns of lanes that it leaves
 * out. */
static gboolean vote(PsNativeEmit *emit)
{
    const PsPtxStep *step = emit->step;
    if (strcmp(emit->mnemonic->opcode, "vote") != 0 || step->n_to != 1 || step->n_from != 1)
        return FALSE;
    PsLlvmValue predicate = ps_native_source(emit, 0, 1);
    PsLlvmValue set = PS_NATIVE_ONE(emit, BitCast, predicate, emit->word);
    PsLlvmValue named = ps_native_spread(emit, emit->on);
    set = PS_NATIVE_TWO(emit, And, ps_native_spread(emit, set), named);
    if (ps_ptx_has(emit->mnemonic, "ballot"))
        ps_native_put(emit, step->to[0], set, 32);
    else
        ps_native_put(emit, step->to[0], outcome(emit, set, named), 1);
    return TRUE;
}

static gboolean active(PsNativeEmit *emit)
{
    if (strcmp(emit->mnemonic->opcode, "activemask") != 0 || emit->step->n_to != 1)
        return FALSE;
    ps_native_put(emit, emit->step->to[0], ps_native_spread(emit, emit->on), 32);
    return TRUE;
}

gboolean ps_native_lanes(PsNativeEmit *emit)
{
    return shuffle(emit) || vote(emit) || active(emit);
}
