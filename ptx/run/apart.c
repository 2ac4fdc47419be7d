/* SPDX-License-Identifier: BSD-3-Clause */
/* See apart.h. */
#include "ptx/run/apart.h"
#include "ptx/code/reads.h"

#include <string.h>

static gboolean is_opcode(const PsPtxMnemonic *mnemonic, const char *const *opcodes)
{
    return g_strv_contains(opcodes, mnemonic->opcode);
}

static gboolean has_any(const PsPtxMnemonic *mnemonic, const char *const *parts)
{
    for (; *parts; parts++)
        if (ps_ptx_has(mnemonic, *parts))
            return TRUE;
    return FALSE;
}

/* ---- instructions --------------------------------------------------------------------------- */

static gboolean is_local(PsPtxSpace space)
{
    return space != PS_PTX_GLOBAL && space != PS_PTX_GENERIC;
}

/* Sums and similar operations on integers give the same result in any order. */
static gboolean commutes(const PsPtxMnemonic *mnemonic)
{
    static const char *const operations[] = {"add", "min", "max", "and", "or", "xor", NULL};
    const PsPtxType type = mnemonic->n_types ? mnemonic->types[mnemonic->n_types - 1] : 0;
    const gboolean integer = (type >= PS_PTX_U8 && type <= PS_PTX_U64) ||
                             (type >= PS_PTX_S8 && type <= PS_PTX_S64) ||
                             (type >= PS_PTX_B8 && type <= PS_PTX_B64);
    return integer && mnemonic->vector <= 1 && has_any(mnemonic, operations);
}

/* Instructions that read memory which other groups may be writing, or order this group's writes for
 * them. */
static gboolean communicates(const PsPtxMnemonic *mnemonic)
{
    static const char *const loads[] = {"ld", NULL}, *const fences[] = {"membar", "fence", NULL};
    static const char *const strong[] = {"volatile", "acquire", "relaxed", "mmio", NULL};
    static const char *const near[] = {"cta", "proxy", NULL};
    if (is_opcode(mnemonic, fences))
        return !has_any(mnemonic, near);
    return is_opcode(mnemonic, loads) && !is_local(mnemonic->space) && has_any(mnemonic, strong);
}

static gboolean is_apart(const PsPtxPoint *point, const guint8 *read)
{
    static const char *const atomics[] = {"atom", "red", NULL};
    static const char *const others[] = {"multimem", "sured", NULL};
    static const char *const copies[] = {"cp", NULL}, *const calls[] = {"call", NULL};
    const PsPtxMnemonic *mnemonic = point->instruction->mnemonic;
    if (is_opcode(mnemonic, atomics))
        return is_local(mnemonic->space) || (commutes(mnemonic) && ps_ptx_code_drops(point, read));
    if (is_opcode(mnemonic, copies))
        return !ps_ptx_has(mnemonic, "reduce");
    if (is_opcode(mnemonic, calls)) /* a function with a body is expanded here; the other calls
                                       print */
        return point->target != PS_PTX_NOWHERE;
    return !is_opcode(mnemonic, others) && !communicates(mnemonic);
}

static gboolean reads_clock(const PsPtxInstruction *instruction)
{
    for (guint i = 0; i < instruction->n_operands; i++) {
        const PsPtxOperand *operand = &instruction->operands[i];
        if (operand->kind == PS_PTX_OPERAND_SPECIAL && operand->value >= PS_PTX_CLOCK &&
            operand->value <= PS_PTX_GLOBALTIMER)
            return TRUE;
    }
    return FALSE;
}

gboolean ps_ptx_groups_apart(const PsPtxCode *code)
{
    g_autofree guint8 *read = ps_ptx_code_reads(code);
    for (guint p = 0; p < code->n_points; p++)
        if (!is_apart(&code->points[p], read) || reads_clock(code->points[p].instruction))
            return FALSE;
    return TRUE;
}
