/* SPDX-License-Identifier: BSD-3-Clause */
/* The family of singles and doubles: finds the part that an instruction belongs to. */
#include "ptx/alu/families.h"
#include "ptx/alu/float.h"

gboolean ps_ptx_float(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    static const PsPtxFamily parts[] = {ps_ptx_arithmetic, ps_ptx_order, ps_ptx_test};
    static const char *const own[] = {"add", "sub", "mul", "fma",      "mad",   "div", "neg",
                                      "abs", "min", "max", "copysign", "testp", NULL};
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    gboolean numbers = mnemonic->n_types != 0 &&
                       (mnemonic->types[0] == PS_PTX_F32 || mnemonic->types[0] == PS_PTX_F64);
    if (!ps_ptx_opcode_in(decode, own) || !(numbers || ps_ptx_has(mnemonic, "f32x2")))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        if (parts[i](decode, step, unsupported))
            return TRUE;
    return ps_ptx_cannot(decode, step, unsupported);
}
