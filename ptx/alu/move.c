/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mov: a copy, or the packing of a vector into a wider register and back.
 */
#include "ptx/alu/bits.h"

/* Copies sources to destinations. All sources are read before the first is written: {a, b} = {b,
 * a}. */
static void execute_copy(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    guint64 value[PS_PTX_MAX_TO][PS_PTX_LANES];
    for (guint i = 0; i < step->n_from; i++)
        memcpy(value[i], ps_ptx_source(warp, step, i), sizeof value[i]);
    for (guint i = 0; i < step->n_from; i++)
        ps_ptx_give(warp, step->to[i], value[i], mask);
}

PS_PTX_EACH_1(copy_one, guint64, guint64, a)

/* kind: bits of a part. */
static void execute_pack(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    guint64 low = ((guint64)1 << step->kind) - 1;
    guint64 result[PS_PTX_LANES] = {0};
    for (guint i = 0; i < step->n_from; i++) {
        const guint64 *from = ps_ptx_source(warp, step, i);
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            result[lane] |= (from[lane] & low) << (i * step->kind);
    }
    ps_ptx_give(warp, step->to[0], result, mask);
}

static void execute_unpack(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    guint64 low = ((guint64)1 << step->kind) - 1;
    guint64 whole[PS_PTX_LANES];
    guint64 part[PS_PTX_LANES];
    memcpy(whole, ps_ptx_source(warp, step, 0), sizeof whole);
    for (guint i = 0; i < step->n_to; i++) {
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            part[lane] = whole[lane] >> (i * step->kind) & low;
        ps_ptx_give(warp, step->to[i], part, mask);
    }
}

static PsPtxType part_type(guint bits)
{
    return bits == 32 ? PS_PTX_B32 : bits == 16 ? PS_PTX_B16 : PS_PTX_B8;
}

/* mov.b64 {a, b}, c and mov.b64 c, {a, b}, with `parts` parts; FALSE if the sizes do not fit. */
static gboolean fits(PsPtxStep *step, PsPtxType type, guint parts)
{
    guint bits = ps_ptx_type_size(type) * 8;
    if (parts == 0 || bits > 64 || bits % parts != 0 || bits / parts < 8 || bits / parts > 32)
        return FALSE;
    step->kind = bits / parts;
    return TRUE;
}

static guint members(const PsPtxOperand *operand)
{
    return operand->kind == PS_PTX_OPERAND_VECTOR ? operand->n_members : 1;
}

gboolean ps_ptx_move(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    const PsPtxInstruction *instruction = decode->instruction;
    if (strcmp(decode->mnemonic->opcode, "mov") != 0)
        return FALSE;
    if (decode->mnemonic->n_types == 0 || instruction->n_operands != 2)
        return ps_ptx_cannot(decode, step, unsupported);
    guint to = members(&instruction->operands[0]);
    guint from = members(&instruction->operands[1]);
    PsPtxType type = decode->mnemonic->types[0];
    step->type = type;
    if (from != to && ((from != 1 && to != 1) || !fits(step, type, MAX(from, to))))
        return ps_ptx_cannot(decode, step, unsupported);
    if (from > to)
        type = part_type(step->kind);
    if (!ps_ptx_decode_to(decode, step, 0) || !ps_ptx_decode_from(decode, step, 1, type) ||
        step->n_to != to || step->n_from != from)
        return ps_ptx_cannot(decode, step, unsupported);
    if (from == 1 && to == 1)
        ps_ptx_operate(decode, step, copy_one);
    else
        step->execute = from == to ? execute_copy : from > to ? execute_pack : execute_unpack;
    return TRUE;
}
