/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The family of tensor-core instructions.
 */
#include "ptx/alu/matrix.h"
#include "ptx/run/families.h"

gboolean ps_ptx_matrix(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    static const PsPtxFamily parts[] = {ps_ptx_mma, ps_ptx_wmma, ps_ptx_wgmma, ps_ptx_tcgen05,
                                        ps_ptx_matrix_move};
    static const char *const own[] = {"mma",       "wmma",  "ldmatrix", "stmatrix",
                                      "movmatrix", "wgmma", "tcgen05",  NULL};
    if (!ps_ptx_opcode_in(decode, own))
        return FALSE;
    if (ps_ptx_wgmma_fence(decode, step))
        return TRUE;
    if (ps_ptx_orders_products(decode->mnemonic) &&
        !ps_ptx_has(decode->mnemonic, "relinquish_alloc_permit"))
        return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        if (parts[i](decode, step, unsupported))
            return TRUE;
    *unsupported = g_strdup(decode->mnemonic->text);
    return TRUE;
}
