/* SPDX-License-Identifier: BSD-3-Clause */
/* The results of an instruction, and the instructions that only put others in order. */
#include "ptx/instruction.h"

#include <string.h>

static gboolean has_destination(const PsPtxInstruction *instruction)
{
    static const char *const without[] = {
        "st",         "red",           "bra",       "brx",     "bar",           "barrier",
        "membar",     "fence",         "cp",        "call",    "ret",           "exit",
        "trap",       "stmatrix",      "sust",      "sured",   "prefetch",      "prefetchu",
        "pragma",     "brkpt",         "nanosleep", "discard", "applypriority", "pmevent",
        "setmaxnreg", "griddepcontrol"};
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    if (instruction->n_operands == 0 || instruction->operands[0].kind == PS_PTX_OPERAND_ADDRESS)
        return FALSE;
    if (strcmp(mnemonic->opcode, "tcgen05") == 0)
        return mnemonic->parts[0] && (strcmp(mnemonic->parts[0], "ld") == 0 || instruction->pair);
    for (guint i = 0; i < G_N_ELEMENTS(without); i++)
        if (mnemonic->opcode[0] == without[i][0] && strcmp(mnemonic->opcode, without[i]) == 0)
            return ps_ptx_has(mnemonic, "red");
    return TRUE;
}

guint ps_ptx_n_destinations(const PsPtxInstruction *instruction)
{
    return has_destination(instruction) ? 1U + instruction->pair : 0;
}

gboolean ps_ptx_orders_products(const PsPtxMnemonic *mnemonic)
{
    static const struct {
        const char *opcode, *begins;
    } rows[] = {{"wgmma", "fence"},      {"wgmma", "commit_group"},
                {"wgmma", "wait_group"}, {"tcgen05", "fence::"},
                {"tcgen05", "wait::"},   {"tcgen05", "relinquish_alloc_permit"}};
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
        if (strcmp(mnemonic->opcode, rows[i].opcode) == 0 && mnemonic->parts[0] &&
            g_str_has_prefix(mnemonic->parts[0], rows[i].begins))
            return TRUE;
    return FALSE;
}
