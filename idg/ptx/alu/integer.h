/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the integer family. Each takes what is its own, as a PsPtxFamily does.
 */
#ifndef PIPESIM_IDG_PTX_ALU_INTEGER_H
#define PIPESIM_IDG_PTX_ALU_INTEGER_H

#include "idg/ptx/alu/lane.h"

G_BEGIN_DECLS

gboolean ps_ptx_add(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_multiply(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_carry(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_packed(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_video(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);

/* An integer of these bits as the 32-bit or 64-bit number that it is; bits above are ignored. */
static inline gint64 ps_ptx_signed(guint64 value, guint bits)
{
    guint64 sign = (guint64)1 << (bits - 1);
    guint64 low = value & (sign | (sign - 1));
    return (gint64)((low ^ sign) - sign);
}

G_END_DECLS
#endif
