/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic additions of one to words of shared memory whose result nothing reads. From compute
 * capability 8.0 on they are ATOMS.POPC.INC, which adds the number of lanes that ask for a word:
 * lanes at one word take one pass, like those of a load. Assemblers for older chips use an atomic
 * addition.
 */
#include "lift/memory/pattern-private.h"
#include "ptx/code/reads.h"

#include <string.h>

#define COUNTS_FROM 80 /* .target sm_80 */

gboolean ps_target_counts(const char *target)
{
    return g_str_has_prefix(target, "sm_") &&
           g_ascii_strtoull(target + strlen("sm_"), NULL, 10) >= COUNTS_FROM;
}

gboolean ps_point_counts(const PsPtxCode *code, guint point)
{
    const PsPtxPoint *at = &code->points[point];
    const PsPtxInstruction *instruction = at->instruction;
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    const guint n = instruction->n_operands;
    const PsPtxType type = mnemonic->n_types > 0 ? mnemonic->types[0] : PS_PTX_NO_TYPE;
    if (!ps_ptx_has(mnemonic, "add") || (type != PS_PTX_U32 && type != PS_PTX_S32) || n < 2)
        return FALSE;
    const PsPtxOperand *more = &instruction->operands[n - 1];
    g_autofree guint8 *reads = ps_ptx_code_reads(code);
    return more->kind == PS_PTX_OPERAND_IMMEDIATE && more->literal == PS_PTX_INTEGER &&
           more->value == 1 && ps_ptx_code_drops(at, reads);
}
