/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The family of instructions by which lanes exchange values. On a device the .sync forms wait until
 * all lanes that they name have come. Here the named lanes take part that execute the instruction
 * at the same time.
 */
#include "ptx/alu/families.h"
#include "ptx/alu/lanes.h"

gboolean ps_ptx_lanes(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    static const PsPtxFamily parts[] = {ps_ptx_shuffle, ps_ptx_vote, ps_ptx_reduce};
    static const char *const own[] = {"shfl",  "vote",  "match", "activemask",
                                      "redux", "elect", NULL};
    if (!ps_ptx_opcode_in(decode, own))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        if (parts[i](decode, step, unsupported))
            return TRUE;
    return ps_ptx_cannot(decode, step, unsupported);
}
