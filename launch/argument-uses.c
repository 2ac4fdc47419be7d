/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds a kernel's computations with a parameter, where neither its type nor a mangled name shows
 * whether it is a float: in machine code of a kernel that is extern "C".
 */
#include "launch/arguments-private.h"
#include "ptx/instruction.h"

#include <string.h>

/* Registers that hold the parameter, while the code is read from top to bottom. */
typedef struct {
    const PsPtxVariable *param;
    GHashTable *holders;
    PsPtxType type; /* type of the first sum or product with it; PS_PTX_NO_TYPE: none so far */
} Uses;

static gboolean holds(const Uses *uses, const PsPtxOperand *operand)
{
    return operand->kind == PS_PTX_OPERAND_REGISTER &&
           g_hash_table_contains(uses->holders, GINT_TO_POINTER(operand->reg));
}

static gboolean computes(const PsPtxInstruction *instruction)
{
    static const char *const opcodes[] = {"add", "sub", "mul",  "mad", "fma", "min",
                                          "max", "div", "setp", "abs", "neg", NULL};
    return g_strv_contains(opcodes, instruction->mnemonic->opcode) &&
           instruction->mnemonic->n_types > 0;
}

/* TRUE if the result is the parameter unchanged. */
static gboolean is_copy(const Uses *uses, const PsPtxInstruction *instruction)
{
    const char *opcode = instruction->mnemonic->opcode;
    const PsPtxOperand *from = &instruction->operands[1];
    if (instruction->n_operands != 2)
        return FALSE;
    return strcmp(opcode, "mov") == 0
               ? holds(uses, from)
               : strcmp(opcode, "ld") == 0 && from->kind == PS_PTX_OPERAND_ADDRESS &&
                     from->variable == uses->param && from->value == 0 && from->reg < 0;
}

static void forget(Uses *uses, const PsPtxOperand *operand)
{
    if (operand->kind == PS_PTX_OPERAND_REGISTER)
        g_hash_table_remove(uses->holders, GINT_TO_POINTER(operand->reg));
    for (guint i = 0; i < operand->n_members; i++)
        forget(uses, &operand->members[i]);
}

static void pass(Uses *uses, const PsPtxInstruction *instruction)
{
    const gboolean copy = is_copy(uses, instruction);
    const guint results = ps_ptx_n_destinations(instruction);
    for (guint i = results; computes(instruction) && i < instruction->n_operands; i++)
        if (uses->type == PS_PTX_NO_TYPE && holds(uses, &instruction->operands[i]))
            uses->type = instruction->mnemonic->types[0];
    for (guint i = 0; i < results; i++)
        forget(uses, &instruction->operands[i]);
    if (copy && instruction->operands[0].kind == PS_PTX_OPERAND_REGISTER)
        g_hash_table_add(uses->holders, GINT_TO_POINTER(instruction->operands[0].reg));
}

/* The instructions behind one that always leaves are reached from elsewhere. */
static gboolean always_leaves(const PsPtxInstruction *instruction)
{
    static const char *const opcodes[] = {"bra", "brx", "ret", "exit", NULL};
    return instruction->guard < 0 && g_strv_contains(opcodes, instruction->mnemonic->opcode);
}

PsPtxType ps_launch_type_used(const PsPtxFunction *kernel, guint number)
{
    const PsPtxVariable *param = kernel->params->pdata[number];
    g_autoptr(GHashTable) holders = g_hash_table_new(NULL, NULL);
    Uses uses = {param, holders, PS_PTX_NO_TYPE};
    for (guint i = 0; i < kernel->instructions->len && uses.type == PS_PTX_NO_TYPE; i++) {
        const PsPtxInstruction *instruction =
            &g_array_index(kernel->instructions, PsPtxInstruction, i);
        pass(&uses, instruction);
        if (always_leaves(instruction))
            g_hash_table_remove_all(holders);
    }
    return (uses.type == PS_PTX_F32 || uses.type == PS_PTX_F64) &&
                   ps_ptx_type_size(uses.type) == ps_ptx_type_size(param->type)
               ? uses.type
               : param->type;
}
