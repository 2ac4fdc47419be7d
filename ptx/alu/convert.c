/* SPDX-License-Identifier: BSD-3-Clause */
/* cvt: finds the part that a conversion belongs to. */
#include "ptx/alu/families.h"
#include "ptx/alu/convert.h"

gboolean ps_ptx_convert(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    static const PsPtxFamily parts[] = {ps_ptx_convert_integers, ps_ptx_convert_to_integer,
                                        ps_ptx_convert_to_number, ps_ptx_convert_packed,
                                        ps_ptx_convert_scale};
    if (strcmp(decode->mnemonic->opcode, "cvt") != 0)
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        if (parts[i](decode, step, unsupported))
            return TRUE;
    return ps_ptx_cannot(decode, step, unsupported);
}
