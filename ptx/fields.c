/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds by a kernel's loads the fields that it reads of its structs, and their types. */
#include "ptx/instruction.h"
#include "ptx/names.h"

#include <string.h>

gboolean ps_ptx_is_struct(const PsPtxVariable *param)
{
    return param->size != ps_ptx_type_size(param->type) || param->vector > 1;
}

static int by_offset(gconstpointer a, gconstpointer b)
{
    const PsPtxFieldUse *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void add_use(GArray *uses, guint64 offset, PsPtxType type)
{
    const PsPtxFieldUse use = {offset, type};
    for (guint i = 0; i < uses->len; i++)
        if (g_array_index(uses, PsPtxFieldUse, i).offset == offset)
            return;
    g_array_append_val(uses, use);
}

GArray *ps_ptx_fields_used(const PsPtxFunction *kernel, const PsPtxVariable *param)
{
    GArray *uses = g_array_new(FALSE, FALSE, sizeof(PsPtxFieldUse));
    for (guint i = 0; i < kernel->instructions->len; i++) {
        const PsPtxInstruction *instruction =
            &g_array_index(kernel->instructions, PsPtxInstruction, i);
        const PsPtxMnemonic *mnemonic = instruction->mnemonic;
        const PsPtxOperand *from = instruction->n_operands > 1 ? &instruction->operands[1] : NULL;
        if (!from || strcmp(mnemonic->opcode, "ld") != 0 || mnemonic->n_types == 0 ||
            from->kind != PS_PTX_OPERAND_ADDRESS || from->variable != param || from->value < 0)
            continue;
        const guint size = ps_ptx_type_size(mnemonic->types[0]);
        for (guint k = 0; k < MAX(mnemonic->vector, 1); k++)
            add_use(uses, (guint64)from->value + (guint64)k * size, mnemonic->types[0]);
    }
    g_array_sort(uses, by_offset);
    return uses;
}
