/* SPDX-License-Identifier: BSD-3-Clause */
/* The size of L1 beside local memory, if both are one memory. */
#ifndef PIPESIM_GPU_CARVE_OUT_H
#define PIPESIM_GPU_CARVE_OUT_H

#include "gpu/gpu.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Bytes of a compute unit's L1 beside so many groups with these needs; 0: there is no L1. On an
 * NVIDIA GPU from Volta on, local memory takes the smallest of its sizes (by compute capability)
 * that has room for these groups, and L1 has the rest of the memory that both share. Any other
 * GPU's L1 is as its description states. */
gint64 ps_gpu_l1_beside(const PsGpu *gpu, const PsGroupNeeds *needs, gint64 groups);

#pragma GCC visibility pop
G_END_DECLS
#endif
