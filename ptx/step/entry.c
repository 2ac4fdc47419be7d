/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The decoding that all computing instructions share: looks a mnemonic up in a table, and takes its
 * destinations and sources.
 */
#include "ptx/step/lane.h"

gboolean ps_ptx_decode_typed(PsPtxDecode *decode, PsPtxStep *step, const PsPtxType *types,
                             guint n_types)
{
    const PsPtxInstruction *instruction = decode->instruction;
    guint n_to = instruction->pair != 0 ? 2 : 1;
    if (instruction->n_operands < n_to)
        return FALSE;
    for (guint i = 0; i < n_to; i++)
        if (!ps_ptx_decode_to(decode, step, i))
            return FALSE;
    for (guint i = n_to; i < instruction->n_operands; i++) {
        guint which = MIN(i - n_to, n_types - 1);
        if (!ps_ptx_decode_from(decode, step, i, types[which]))
            return FALSE;
    }
    return step->n_to == n_to; /* a vector has another number */
}

gboolean ps_ptx_cannot(const PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    step->execute = NULL;
    *unsupported = g_strdup_printf("%s with these operands", decode->mnemonic->text);
    return TRUE;
}

gboolean ps_ptx_operands(const PsPtxDecode *decode, guint least, guint most)
{
    return decode->instruction->n_operands >= least && decode->instruction->n_operands <= most;
}

gboolean ps_ptx_opcode_in(const PsPtxDecode *decode, const char *const *opcodes)
{
    for (; *opcodes != NULL; opcodes++)
        if (strcmp(decode->mnemonic->opcode, *opcodes) == 0)
            return TRUE;
    return FALSE;
}

static guint n_types_of(const PsPtxEntry *entry)
{
    guint n = 1;
    while (n < PS_PTX_ENTRY_TYPES && entry->types[n] != PS_PTX_NO_TYPE)
        n++;
    return n;
}

void ps_ptx_operate(const PsPtxDecode *decode, PsPtxStep *step, const PsPtxOperation *operation)
{
    step->execute = operation->execute[decode->vectors];
}

gboolean ps_ptx_entry(const PsPtxEntry *table, guint n, PsPtxDecode *decode, PsPtxStep *step,
                      char **unsupported)
{
    for (guint i = 0; i < n; i++) {
        const PsPtxEntry *entry = &table[i];
        if (strcmp(entry->text, decode->mnemonic->text) != 0)
            continue;
        step->type = entry->types[0];
        if (!ps_ptx_decode_typed(decode, step, entry->types, n_types_of(entry)) ||
            step->n_to != 1 || step->n_from != entry->n_from)
            return ps_ptx_cannot(decode, step, unsupported);
        ps_ptx_operate(decode, step, entry->operation);
        return TRUE;
    }
    return FALSE;
}
