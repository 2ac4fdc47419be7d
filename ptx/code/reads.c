/* SPDX-License-Identifier: BSD-3-Clause */
/* See reads.h. */
#include "ptx/code/reads.h"

static gboolean has_members(const PsPtxOperand *operand)
{
    return operand->kind == PS_PTX_OPERAND_VECTOR || operand->kind == PS_PTX_OPERAND_LIST;
}

static void note_read(const PsPtxPoint *point, const PsPtxOperand *operand, guint8 *reads)
{
    if (has_members(operand))
        for (guint i = 0; i < operand->n_members; i++)
            note_read(point, &operand->members[i], reads);
    else if ((operand->kind == PS_PTX_OPERAND_REGISTER ||
              operand->kind == PS_PTX_OPERAND_ADDRESS) &&
             operand->reg >= 0)
        reads[ps_ptx_code_register(point, operand->reg)] = 1;
}

guint8 *ps_ptx_code_reads(const PsPtxCode *code)
{
    guint8 *reads = g_malloc0((gsize)code->n_registers + 1);
    for (guint p = 0; p < code->n_points; p++) {
        const PsPtxPoint *point = &code->points[p];
        const PsPtxInstruction *instruction = point->instruction;
        for (guint i = ps_ptx_n_destinations(instruction); i < instruction->n_operands; i++)
            note_read(point, &instruction->operands[i], reads);
        if (instruction->guard >= 0)
            reads[ps_ptx_code_register(point, instruction->guard)] = 1;
    }
    return reads;
}

static gboolean is_dropped(const PsPtxPoint *point, const PsPtxOperand *to, const guint8 *reads)
{
    gboolean dropped = has_members(to);
    for (guint i = 0; dropped && i < to->n_members; i++)
        dropped = is_dropped(point, &to->members[i], reads);
    return dropped || to->kind == PS_PTX_OPERAND_SINK ||
           (to->kind == PS_PTX_OPERAND_REGISTER && to->reg >= 0 &&
            !reads[ps_ptx_code_register(point, to->reg)]);
}

gboolean ps_ptx_code_drops(const PsPtxPoint *point, const guint8 *reads)
{
    const PsPtxInstruction *instruction = point->instruction;
    gboolean dropped = TRUE;
    for (guint i = 0; dropped && i < ps_ptx_n_destinations(instruction); i++)
        dropped = is_dropped(point, &instruction->operands[i], reads);
    return dropped;
}
