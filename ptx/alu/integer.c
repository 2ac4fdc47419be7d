/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The integer family: finds the part that an instruction belongs to.
 */
#include "ptx/alu/families.h"
#include "ptx/alu/integer.h"

gboolean ps_ptx_integer(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    static const PsPtxFamily parts[] = {ps_ptx_add, ps_ptx_multiply, ps_ptx_carry, ps_ptx_packed,
                                        ps_ptx_video};
    static const char *const own[] = {
        "add",   "addc",   "sub",       "subc",  "mul",   "mad",      "madc",
        "mul24", "mad24",  "sad",       "div",   "rem",   "abs",      "neg",
        "min",   "max",    "dp4a",      "dp2a",  "vadd",  "vsub",     "vmin",
        "vmax",  "vshl",   "vshr",      "vmad",  "vset",  "vabsdiff", "vadd2",
        "vsub2", "vavrg2", "vabsdiff2", "vmin2", "vmax2", "vset2",    "vadd4",
        "vsub4", "vavrg4", "vabsdiff4", "vmin4", "vmax4", "vset4",    NULL};
    if (!ps_ptx_opcode_in(decode, own))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        if (parts[i](decode, step, unsupported))
            return TRUE;
    PsPtxType type = decode->mnemonic->types[0];
    if (decode->mnemonic->n_types == 0 || (type >= PS_PTX_F16 && type <= PS_PTX_F64))
        return FALSE;
    if (ps_ptx_has(decode->mnemonic, "f32x2"))
        return FALSE;
    return ps_ptx_cannot(decode, step, unsupported);
}
