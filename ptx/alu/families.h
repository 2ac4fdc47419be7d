/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The families of instructions that only compute, or read other lanes' registers (PsPtxFamily).
 */
#ifndef PIPESIM_PTX_ALU_FAMILIES_H
#define PIPESIM_PTX_ALU_FAMILIES_H

#include "ptx/step/step.h"

G_BEGIN_DECLS

gboolean ps_ptx_integer(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_bits(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_float(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_half(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_special_function(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_compare(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_convert(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_lanes(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);

G_END_DECLS
#endif
