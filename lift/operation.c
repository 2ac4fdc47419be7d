/* SPDX-License-Identifier: BSD-3-Clause */
/* See operation.h. */
#include "lift/operation.h"

#include "base/class-name.h"

#include <string.h>

#define MOST_DEPTH 8

/* ---- the same in all threads --------------------------------------------------------------- */

static gboolean is_uniform(const PsFacts *facts, guint point, const PsPtxOperand *operand,
                           int depth);

/* Whether a point's result follows from arguments and the launch alone. */
static gboolean makes_uniform(const PsFacts *facts, guint point, int depth)
{
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
    if (strcmp(instruction->mnemonic->opcode, "ld") == 0)
        return instruction->mnemonic->space == PS_PTX_PARAM && facts->facts[point].n_from == 0;
    for (guint i = 1; i < instruction->n_operands; i++)
        if (!is_uniform(facts, point, &instruction->operands[i], depth))
            return FALSE;
    return facts->facts[point].class.kind == PS_CLASS_COMPUTE && instruction->guard < 0;
}

static gboolean is_uniform(const PsFacts *facts, guint point, const PsPtxOperand *operand,
                           int depth)
{
    if (operand->kind == PS_PTX_OPERAND_SPECIAL)
        return (operand->value >= PS_PTX_NTID_X && operand->value <= PS_PTX_NTID_Z) ||
               (operand->value >= PS_PTX_NCTAID_X && operand->value <= PS_PTX_NCTAID_Z);
    if (operand->kind != PS_PTX_OPERAND_REGISTER)
        return operand->kind == PS_PTX_OPERAND_IMMEDIATE;
    const guint reg = ps_ptx_code_register(&facts->code->points[point], operand->reg);
    const guint from = ps_facts_definition(facts, reg);
    return from != PS_PTX_NOWHERE && depth < MOST_DEPTH && makes_uniform(facts, from, depth + 1);
}

/* What an integer division divides by (g_free); NULL where threads may differ in it. */
static char *divisor_of(const PsSymbols *symbols, guint point)
{
    const PsPtxInstruction *instruction = ps_facts_instruction(symbols->facts, point);
    if (instruction->n_operands < 3 ||
        !is_uniform(symbols->facts, point, &instruction->operands[2], 0))
        return NULL;
    PsSymbol symbol = ps_symbol_of_operand(symbols, point, 2, PS_PTX_NOWHERE);
    return symbol.text ? symbol.text : g_strdup("the same");
}

/* -------------------------------------------------------------------------------------------- */

void ps_operation_state(const PsSymbols *symbols, const PsSpots *spots, guint spot, PsIdgItem *node)
{
    const guint point = ps_spot(spots, spot)->point;
    const PsFact *fact = ps_spot_fact(spots, spot);
    const char *text = ps_facts_instruction(spots->facts, point)->mnemonic->text;
    const gboolean converts = strcmp(text, "cvt") == 0 || g_str_has_prefix(text, "cvt.");
    if (!fact->sequence && (!converts || strcmp(fact->name, "logic.extend") == 0))
        return;
    node->op = g_strdup(text);
    if (strcmp(fact->class.name, "idiv") == 0)
        node->by = divisor_of(symbols, point);
}
