/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/operations.h"

#include <string.h>

const char *const operation_names[N_OPERATION_TYPES] = {"fp64", "fp32", "fp16", "int"};

static gboolean is_one_of(const char *opcode, const char *const *list)
{
    return g_strv_contains(list, opcode);
}

/* FALSE: a type that nothing computes on. */
static gboolean type_of(const PsPtxMnemonic *mnemonic, OperationType *type, guint *lanes)
{
    const PsPtxType first = mnemonic->types[0];
    *lanes = first == PS_PTX_F16X2 || first == PS_PTX_BF16X2 ? 2 : 1;
    if (ps_ptx_has(mnemonic, "f32x2")) {
        *type = OF_FP32;
        *lanes = 2;
    } else if (first == PS_PTX_F64) {
        *type = OF_FP64;
    } else if (first == PS_PTX_F32) {
        *type = OF_FP32;
    } else if (first >= PS_PTX_F16 && first <= PS_PTX_BF16X2) {
        *type = OF_FP16;
    } else {
        *type = OF_INT;
    }
    return mnemonic->n_types > 0 && first != PS_PTX_PRED;
}

static guint integer_operations(const char *opcode)
{
    static const char *const two[] = {"mad", "madc", "mad24", NULL};
    static const char *const one[] = {
        "add",  "sub",  "mul",   "mul24", "shl", "shr",   "addc", "subc", "and", "or",  "xor",
        "not",  "cnot", "lop3",  "shf",   "bfe", "bfi",   "min",  "max",  "abs", "neg", "sad",
        "popc", "clz",  "bfind", "brev",  "fns", "szext", "bmsk", "div",  "rem", NULL};
    return strcmp(opcode, "dp4a") == 0   ? 8
           : strcmp(opcode, "dp2a") == 0 ? 4
           : is_one_of(opcode, two)      ? 2
           : is_one_of(opcode, one)      ? 1
                                         : 0;
}

static guint float_operations(const char *opcode)
{
    static const char *const two[] = {"fma", "mad", NULL};
    static const char *const one[] = {"add",   "sub", "mul", "min", "max", "div",  "rcp", "sqrt",
                                      "rsqrt", "sin", "cos", "ex2", "lg2", "tanh", NULL};
    return is_one_of(opcode, two) ? 2 : is_one_of(opcode, one) ? 1 : 0;
}

void operations_add(const PsPtxInstruction *instruction, guint64 *counts)
{
    const char *opcode = instruction->mnemonic->opcode;
    OperationType type;
    guint lanes;
    if (type_of(instruction->mnemonic, &type, &lanes))
        counts[type] +=
            lanes * (type == OF_INT ? integer_operations(opcode) : float_operations(opcode));
}

/* ---- operations that do nothing -------------------------------------------------------------- */

static gboolean is_number(const PsPtxInstruction *instruction, guint operand, gint64 value)
{
    return operand < instruction->n_operands &&
           instruction->operands[operand].kind == PS_PTX_OPERAND_IMMEDIATE &&
           instruction->operands[operand].value == value;
}

static gboolean is_either(const PsPtxInstruction *instruction, gint64 value)
{
    return is_number(instruction, 1, value) || is_number(instruction, 2, value);
}

static guint idle_integers(const PsPtxInstruction *instruction)
{
    const char *opcode = instruction->mnemonic->opcode;
    const gboolean none = is_either(instruction, 0), one = is_either(instruction, 1);
    if (strcmp(opcode, "add") == 0)
        return none;
    if (strcmp(opcode, "shl") == 0)
        return is_number(instruction, 2, 0);
    if (strcmp(opcode, "mul") == 0)
        return one || none;
    if (strcmp(opcode, "mad") == 0)
        return none ? 2 : (one ? 1 : 0) + (is_number(instruction, 3, 0) ? 1 : 0);
    return 0;
}

/* Whether one of the first two is 1, but for its sign: a single, two halves, two of bfloat16. */
static gboolean has_one(const PsPtxInstruction *instruction)
{
    static const gint64 ones[] = {0x3f800000, 0xbf800000, 0x3c003c00,
                                  0xbc00bc00, 0x3f803f80, 0xbf80bf80};
    for (guint i = 0; i < G_N_ELEMENTS(ones); i++)
        if (is_either(instruction, ones[i]) || is_either(instruction, (gint32)ones[i]))
            return TRUE;
    return FALSE;
}

/* -0 is what a sum with leaves any number as it is. */
static guint idle_floats(const PsPtxInstruction *instruction)
{
    const gboolean alone = is_number(instruction, 3, (gint32)0x80008000);
    return strcmp(instruction->mnemonic->opcode, "fma") == 0 ? has_one(instruction) + alone : 0;
}

void operations_leave_idle(const PsPtxInstruction *instruction, guint64 *counts)
{
    OperationType type;
    guint lanes;
    if (type_of(instruction->mnemonic, &type, &lanes))
        counts[type] -=
            lanes * (type == OF_INT ? idle_integers(instruction) : idle_floats(instruction));
}

/* ---- graphs ---------------------------------------------------------------------------------- */

void operations_of_graph(const PsKernel *kernel, guint64 warps, guint64 *counts)
{
    for (guint64 warp = 0; warp < warps; warp++) {
        const PsProgram *program = &kernel->programs[ps_kernel_program_of(kernel, 0, (gint64)warp)];
        for (guint n = 0; n < program->n_nodes; n++)
            for (guint t = 0; t < N_OPERATION_TYPES; t++)
                if (g_strcmp0(program->nodes[n].item->type, operation_names[t]) == 0)
                    counts[t] += (guint64)(program->nodes[n].ops * program->nodes[n].count);
    }
}
