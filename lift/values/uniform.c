/* SPDX-License-Identifier: BSD-3-Clause */
/* See uniform.h. */
#include "lift/values/uniform.h"

static gboolean is_of_thread(const PsPtxOperand *operand)
{
    return operand->kind == PS_PTX_OPERAND_SPECIAL &&
           !(operand->value >= PS_PTX_NTID_X && operand->value <= PS_PTX_NTID_Z) &&
           !(operand->value >= PS_PTX_CTAID_X && operand->value <= PS_PTX_NCTAID_Z);
}

/* Adds the registers that an operand reads; FALSE where it differs from thread to thread. */
static gboolean add_registers(const PsPtxPoint *at, const PsPtxOperand *operand, GArray *registers)
{
    if (is_of_thread(operand))
        return FALSE;
    for (guint i = 0; i < operand->n_members; i++)
        if (!add_registers(at, &operand->members[i], registers))
            return FALSE;
    if ((operand->kind == PS_PTX_OPERAND_REGISTER || operand->kind == PS_PTX_OPERAND_ADDRESS) &&
        operand->reg >= 0) {
        const guint reg = ps_ptx_code_register(at, operand->reg);
        g_array_append_val(registers, reg);
    }
    return TRUE;
}

/* Adds what a point's result is made of. */
static gboolean add_sources(const PsFacts *facts, guint point, GArray *registers)
{
    const PsPtxPoint *at = &facts->code->points[point];
    const PsPtxInstruction *instruction = at->instruction;
    const PsClassKind kind = facts->facts[point].class.kind;
    const gboolean parameter =
        ps_facts_is(facts, point, "ld") && instruction->mnemonic->space == PS_PTX_PARAM;
    if (kind != PS_CLASS_COMPUTE && !parameter)
        return FALSE;
    for (guint i = ps_ptx_n_destinations(instruction); i < instruction->n_operands; i++)
        if (!add_registers(at, &instruction->operands[i], registers))
            return FALSE;
    if (instruction->guard >= 0) {
        const guint guard = ps_ptx_code_register(at, instruction->guard);
        g_array_append_val(registers, guard);
    }
    return !ps_facts_is(facts, point, "shfl");
}

gboolean ps_uniform_address(const PsFacts *facts, guint point)
{
    const PsPtxPoint *at = &facts->code->points[point];
    g_autoptr(GArray) registers = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < at->instruction->n_operands; i++)
        if (at->instruction->operands[i].kind == PS_PTX_OPERAND_ADDRESS &&
            !add_registers(at, &at->instruction->operands[i], registers))
            return FALSE;
    for (guint i = 0; i < registers->len; i++) {
        const guint reg = g_array_index(registers, guint, i);
        if (!g_hash_table_add(seen, GUINT_TO_POINTER(reg)))
            continue;
        for (guint w = 0; w < ps_facts_n_writers(facts, reg); w++)
            if (!add_sources(facts, facts->writers[facts->first_writer[reg] + w], registers))
                return FALSE;
    }
    return TRUE;
}
