/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the bits family. Each decodes its own instructions, as a PsPtxFamily does.
 */
#ifndef PIPESIM_PTX_ALU_BITS_H
#define PIPESIM_PTX_ALU_BITS_H

#include "ptx/step/lane.h"

G_BEGIN_DECLS

gboolean ps_ptx_logic(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_field(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_permute(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_lop3(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_move(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);

G_END_DECLS
#endif
