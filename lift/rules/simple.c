/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules that look at single instructions: moves, parameters, special registers.
 */
#include "lift/rules/rules.h"
#include "lift/values/uniform.h"

#include <string.h>

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

/* TRUE for a move whose operand of that number is two halves of a register. */
static gboolean has_halves(const PsPtxInstruction *instruction, guint operand)
{
    return instruction->n_operands > 1 &&
           instruction->operands[operand].kind == PS_PTX_OPERAND_VECTOR &&
           ps_ptx_type_size(instruction->mnemonic->types[0]) <= 4;
}

/* The register of a half; PS_PTX_NOWHERE: it is none. */
static guint half(const PsFacts *facts, guint point, guint operand, guint i)
{
    const PsPtxPoint *at = &facts->code->points[point];
    const PsPtxOperand *of = &at->instruction->operands[operand];
    return of->n_members == 2 && of->members[i].kind == PS_PTX_OPERAND_REGISTER
               ? ps_ptx_code_register(at, of->members[i].reg)
               : PS_PTX_NOWHERE;
}

/* TRUE if all that writes either half of the operand writes both, as the halves of one register. */
static gboolean are_together(const PsFacts *facts, guint point, guint operand)
{
    const guint low = half(facts, point, operand, 0), high = half(facts, point, operand, 1);
    if (low == PS_PTX_NOWHERE || high == PS_PTX_NOWHERE || low == high ||
        ps_facts_n_writers(facts, low) != ps_facts_n_writers(facts, high))
        return FALSE;
    for (guint w = 0; w < ps_facts_n_writers(facts, low); w++) {
        const guint writer = facts->writers[facts->first_writer[low] + w];
        if (!ps_facts_is(facts, writer, "mov") ||
            !has_halves(ps_facts_instruction(facts, writer), 0) ||
            half(facts, writer, 0, 0) != low || half(facts, writer, 0, 1) != high)
            return FALSE;
    }
    return TRUE;
}

/* TRUE for a move of halves that is an instruction: one that packs two of them, unless they are
 * those of a register, and one that gives a register's halves another value, on one of several
 * paths. Others only rename registers. */
static gboolean moves_halves(const PsFacts *facts, guint point)
{
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
    if (has_halves(instruction, 1))
        return !are_together(facts, point, 1);
    return has_halves(instruction, 0) && are_together(facts, point, 0) &&
           ps_facts_n_writers(facts, half(facts, point, 0, 0)) > 1;
}

/* TRUE for a constant that one of several paths gives to a register: it must be in the register
 * where the paths meet. */
static gboolean sets_constant(const PsFacts *facts, guint point)
{
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
    const guint reg = ps_facts_operand(facts, point, 0);
    return is(instruction, "mov") && instruction->mnemonic->types[0] != PS_PTX_PRED &&
           reg != PS_PTX_NOWHERE && ps_facts_n_writers(facts, reg) > 1 &&
           instruction->operands[1].kind == PS_PTX_OPERAND_IMMEDIATE;
}

static gboolean is_move(const PsFacts *facts, guint point)
{
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    if (is(instruction, "mov"))
        return !is_special(instruction) && !moves_halves(facts, point);
    if (is(instruction, "cvt"))
        return is_wide_integer(mnemonic->types[0]) && is_wide_integer(mnemonic->types[1]) &&
               !ps_ptx_has(mnemonic, "sat");
    if (is(instruction, "neg") || is(instruction, "abs"))
        return is_float(mnemonic->types[0]);
    if (is(instruction, "not"))
        return mnemonic->types[0] == PS_PTX_PRED;
    return is(instruction, "cvta");
}

/* TRUE for a branch to the next point, and for one that all lanes take right behind a branch that
 * some take: the assembler negates the condition of the first one instead. */
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
    for (guint p = 0; p < facts->code->n_points; p++) {
        PsFact *fact = &facts->facts[p];
        if (fact->role != PS_ROLE_NODE)
            continue;
        if (is_other_way(facts, p))
            fact->role = PS_ROLE_NOTHING;
        else if (is_move(facts, p) &&
                 !(facts->rules[PS_BUILD_CONSTANTS] && sets_constant(facts, p)))
            fact->role = PS_ROLE_FORWARD;
    }
}

static gboolean is_parameter(const PsFacts *facts, guint point)
{
    return ps_facts_instruction(facts, point)->mnemonic->space == PS_PTX_PARAM &&
           (ps_facts_is(facts, point, "ld") || ps_facts_is(facts, point, "st"));
}

static gboolean is_constant(const PsFacts *facts, guint point)
{
    return ps_facts_instruction(facts, point)->mnemonic->space == PS_PTX_CONST &&
           ps_facts_is(facts, point, "ld");
}

/* A parameter is an operand, and so is a constant with a known address: the assembler unrolls loops
 * whose iterations it can count. In other counting loops newer assemblers load constants into
 * uniform registers. */
void ps_rule_parameters(PsFacts *facts)
{
    for (guint p = 0; p < facts->code->n_points; p++) {
        if (facts->facts[p].role != PS_ROLE_NODE)
            continue;
        const gboolean constant = is_constant(facts, p);
        if (is_parameter(facts, p) || (constant && ps_known_address(facts, p)))
            facts->facts[p].role = PS_ROLE_FORWARD;
        else if (constant && ps_counted_address(facts, p))
            facts->facts[p].name = "constant.uniform";
    }
}

/* TRUE for special registers that the launch sets: their values are in constant memory. */
static gboolean is_size(gint64 special)
{
    return special >= PS_PTX_NTID_X && special <= PS_PTX_NCTAID_Z &&
           !(special >= PS_PTX_CTAID_X && special <= PS_PTX_CTAID_Z);
}

void ps_rule_specials(PsFacts *facts)
{
    for (guint p = 0; p < facts->code->n_points; p++) {
        if (facts->facts[p].role != PS_ROLE_NODE)
            continue;
        const PsPtxInstruction *instruction = ps_facts_instruction(facts, p);
        if (is(instruction, "mov") && is_special(instruction) &&
            (!facts->facts[p].first || is_size(instruction->operands[1].value)))
            facts->facts[p].role = PS_ROLE_FORWARD;
    }
}
