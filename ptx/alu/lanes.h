/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the family that looks at other lanes. Each decodes its own instructions, as a
 * PsPtxFamily does.
 */
#ifndef PIPESIM_PTX_ALU_LANES_H
#define PIPESIM_PTX_ALU_LANES_H

#include "ptx/step/lane.h"

G_BEGIN_DECLS

gboolean ps_ptx_shuffle(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_vote(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_reduce(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);

/* The lane whose value `lane` takes by a shuffle of that kind (step->kind) with sources b and c;
 * itself, and *inside FALSE, if there is none. */
guint ps_ptx_shuffle_from(guint kind, guint lane, guint32 b, guint32 c, gboolean *inside);

G_END_DECLS
#endif
