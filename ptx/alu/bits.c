/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The family of instructions that move, select and rearrange bits: finds the part that an
 * instruction belongs to.
 */
#include "ptx/alu/families.h"
#include "ptx/alu/bits.h"

gboolean ps_ptx_bits(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    static const PsPtxFamily parts[] = {ps_ptx_logic, ps_ptx_field, ps_ptx_permute, ps_ptx_lop3,
                                        ps_ptx_move};
    static const char *const own[] = {"and",  "or",  "xor",  "not",  "cnot", "lop3",
                                      "shl",  "shr", "shf",  "bfe",  "bfi",  "bfind",
                                      "brev", "clz", "popc", "fns",  "prmt", "szext",
                                      "bmsk", "mov", "selp", "slct", NULL};
    if (!ps_ptx_opcode_in(decode, own))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        if (parts[i](decode, step, unsupported))
            return TRUE;
    return ps_ptx_cannot(decode, step, unsupported);
}
