/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The common part of cvt: decoding operands, and fitting a value into the result's type.
 */
#include "ptx/alu/convert.h"
#include "ptx/alu/integer.h"

gboolean ps_ptx_convert_decode(PsPtxDecode *decode, PsPtxStep *step, guint n)
{
    step->type = decode->mnemonic->types[0];
    step->type2 = decode->mnemonic->types[1];
    return ps_ptx_decode_usual(decode, step, step->type2) && step->n_to == 1 && step->n_from == n;
}

void ps_ptx_convert_width(const PsPtxDecode *decode, PsPtxStep *step)
{
    const PsPtxOperand *operand = &decode->instruction->operands[0];
    const GArray *registers = decode->point->in->function->registers;
    guint bits = ps_ptx_type_size(step->type) * 8;
    if (operand->kind == PS_PTX_OPERAND_REGISTER && operand->reg >= 0 &&
        (guint)operand->reg < registers->len) {
        PsPtxType type = g_array_index(registers, PsPtxRegister, operand->reg).type;
        bits = MAX(bits, MIN(ps_ptx_type_size(type), 8) * 8);
    }
    step->kind = bits;
}

guint64 ps_ptx_convert_fit(const PsPtxStep *step, guint64 value)
{
    guint bits = ps_ptx_type_size(step->type) * 8;
    if (ps_ptx_is_signed(step->type))
        return (guint64)ps_ptx_signed(value, bits) & (G_MAXUINT64 >> (64 - step->kind));
    return value & (G_MAXUINT64 >> (64 - bits));
}

double ps_ptx_convert_value(PsPtxType type, guint64 bits)
{
    switch (type) {
    case PS_PTX_F16:
        return ps_ptx_half_value(bits);
    case PS_PTX_BF16:
        return ps_ptx_bfloat_value(bits);
    case PS_PTX_F32:
        return ps_ptx_single(bits);
    default:
        return ps_ptx_double(bits);
    }
}
