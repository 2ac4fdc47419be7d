/* SPDX-License-Identifier: BSD-3-Clause */
/* What local memory leaves of L1, where both are one memory. */
#ifndef PIPESIM_GPU_CARVE_OUT_H
#define PIPESIM_GPU_CARVE_OUT_H

#include "gpu/gpu.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Bytes of a compute unit's L1 beside so many groups with these needs: of an NVIDIA GPU from Volta
 * on, by its compute capability, what local memory leaves of the memory that both are, of sizes
 * that it comes in the least that has room for these groups. Of any other GPU all that the
 * description states; 0: there is no L1. */
gint64 ps_gpu_l1_beside(const PsGpu *gpu, const PsGroupNeeds *needs, gint64 groups);

#pragma GCC visibility pop
G_END_DECLS
#endif
