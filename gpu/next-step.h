/* SPDX-License-Identifier: BSD-3-Clause */
/* What would have to change for a compute unit to hold more of a kernel's warps at once. */
#ifndef PIPESIM_GPU_NEXT_STEP_H
#define PIPESIM_GPU_NEXT_STEP_H

#include "gpu/gpu.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The nearest kernel with more active warps. A member that need not change is -1. */
typedef struct {
    gint64 registers;     /* of a thread at most, accumulation registers apart */
    gint64 local_memory;  /* bytes of a group at most */
    gint64 group_size;    /* threads of a group */
    gint64 groups, warps; /* groups that a compute unit then holds */
} PsNextStep;

/* If registers or local memory limit the number of groups, finds how much of them a group may use
 * so that one more fits (or several at once), both if need be. Else finds the nearest size of
 * groups, in whole warps, with more active warps. FALSE if there is none: the compute unit is full,
 * or none of this helps. The occupancy is ps_gpu_occupancy's for these needs. */
gboolean ps_gpu_next_step(const PsGpu *gpu, const PsGroupNeeds *needs, const PsOccupancy *occupancy,
                          PsNextStep *step);

#pragma GCC visibility pop
G_END_DECLS
#endif
