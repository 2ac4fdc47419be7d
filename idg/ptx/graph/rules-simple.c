/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules that look at one instruction alone: moves, parameters, special registers.
 */
#include "idg/ptx/graph/facts.h"

#include <string.h>

static void forward_where(PsFacts *facts, gboolean (*is_none)(const PsPtxInstruction *instruction))
{
    for (guint p = 0; p < facts->code->n_points; p++)
        if (facts->facts[p].role == PS_ROLE_NODE && is_none(ps_facts_instruction(facts, p)))
            facts->facts[p].role = PS_ROLE_FORWARD;
}

static gboolean is(const PsPtxInstruction *instruction, const char *opcode)
{
    return strcmp(instruction->mnemonic->opcode, opcode) == 0;
}

static gboolean is_special(const PsPtxInstruction *instruction)
{
    return instruction->n_operands > 1 && instruction->operands[1].kind == PS_PTX_OPERAND_SPECIAL;
}

static gboolean is_wide_integer(PsPtxType type)
{
    return type == PS_PTX_U32 || type == PS_PTX_S32 || type == PS_PTX_B32 || type == PS_PTX_U64 ||
           type == PS_PTX_S64 || type == PS_PTX_B64;
}

static gboolean is_float(PsPtxType type)
{
    return type >= PS_PTX_F16 && type <= PS_PTX_F64;
}

/* Two halves that become one register have to be put together; the rest is naming. */
static gboolean packs_halves(const PsPtxInstruction *instruction)
{
    return instruction->n_operands > 1 && instruction->operands[1].kind == PS_PTX_OPERAND_VECTOR &&
           ps_ptx_type_size(instruction->mnemonic->types[0]) <= 4;
}

static gboolean is_move(const PsPtxInstruction *instruction)
{
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    if (is(instruction, "mov"))
        return !is_special(instruction) && !packs_halves(instruction);
    if (is(instruction, "cvt"))
        return is_wide_integer(mnemonic->types[0]) && is_wide_integer(mnemonic->types[1]) &&
               !ps_ptx_has(mnemonic, "sat");
    if (is(instruction, "neg") || is(instruction, "abs"))
        return is_float(mnemonic->types[0]);
    if (is(instruction, "not"))
        return mnemonic->types[0] == PS_PTX_PRED;
    return is(instruction, "cvta");
}

/* A branch that all lanes take, after one that only some take, says which way is not a jump: the
 * assembler asks the opposite instead. */
static gboolean is_other_way(const PsFacts *facts, guint point)
{
    const PsPtxPoint *at = &facts->code->points[point];
    return facts->facts[point].role == PS_ROLE_NODE && is(at->instruction, "bra") &&
           at->instruction->guard < 0 &&
           (at->target == point + 1 || (point > 0 && ps_facts_is(facts, point - 1, "bra") &&
                                        ps_facts_instruction(facts, point - 1)->guard >= 0));
}

void ps_rule_moves(PsFacts *facts)
{
    forward_where(facts, is_move);
    for (guint p = 0; p < facts->code->n_points; p++)
        if (is_other_way(facts, p))
            facts->facts[p].role = PS_ROLE_NOTHING;
}

/* Constants at a fixed address are operands, too. */
static gboolean is_parameter(const PsPtxInstruction *instruction)
{
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    if (mnemonic->space == PS_PTX_PARAM)
        return is(instruction, "ld") || is(instruction, "st");
    return mnemonic->space == PS_PTX_CONST && is(instruction, "ld") &&
           instruction->n_operands > 1 && instruction->operands[1].reg < 0;
}

void ps_rule_parameters(PsFacts *facts)
{
    forward_where(facts, is_parameter);
}

static gboolean is_read_of_special(const PsPtxInstruction *instruction)
{
    return is(instruction, "mov") && is_special(instruction);
}

void ps_rule_specials(PsFacts *facts)
{
    forward_where(facts, is_read_of_special);
}
