/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of cvt. Each decodes its own instructions, as a PsPtxFamily does.
 */
#ifndef PIPESIM_PTX_ALU_CONVERT_H
#define PIPESIM_PTX_ALU_CONVERT_H

#include "ptx/step/number.h"

G_BEGIN_DECLS

gboolean ps_ptx_convert_integers(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_convert_to_integer(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_convert_to_number(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_convert_packed(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_convert_scale(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);

static inline gboolean ps_ptx_is_integer(PsPtxType type)
{
    return type >= PS_PTX_U8 && type <= PS_PTX_S64;
}

static inline gboolean ps_ptx_is_signed(PsPtxType type)
{
    return type >= PS_PTX_S8 && type <= PS_PTX_S64;
}

/* f16, bf16, f32 or f64 */
static inline gboolean ps_ptx_is_number(PsPtxType type)
{
    return type == PS_PTX_F16 || type == PS_PTX_BF16 || type == PS_PTX_F32 || type == PS_PTX_F64;
}

/* Sets type and type2 to the mnemonic's two, and decodes a destination and n sources of type2. */
gboolean ps_ptx_convert_decode(PsPtxDecode *decode, PsPtxStep *step, guint n);

/* Sets step->kind to the number of bits in which an integer result of step->type is kept: the
 * destination may be a wider register. */
void ps_ptx_convert_width(const PsPtxDecode *decode, PsPtxStep *step);

/* An integer within the range of its type, cut to its bits and extended to the register. */
guint64 ps_ptx_convert_fit(const PsPtxStep *step, guint64 value);

/* The value in a slot as a double, exactly. */
double ps_ptx_convert_value(PsPtxType type, guint64 bits);

G_END_DECLS
#endif
