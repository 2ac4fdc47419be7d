/* SPDX-License-Identifier: BSD-3-Clause */
/* What would have to change for a compute unit to hold more of a kernel's warps at once. */
#ifndef PIPESIM_GPU_NEXT_STEP_H
#define PIPESIM_GPU_NEXT_STEP_H

#include "gpu/gpu.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The nearest kernel of which more warps are active. What stays as it is has -1. */
typedef struct {
    gint64 registers;     /* of a thread at most, accumulation registers apart */
    gint64 local_memory;  /* bytes of a group at most */
    gint64 group_size;    /* threads of a group */
    gint64 groups, warps; /* that a compute unit then holds */
} PsNextStep;

/* Where registers or local memory are what allows no more groups, so much of them as one group more
 * can have, or several that it allows at once, both if need be; else the nearest size of groups, in
 * whole warps, of which more warps are active. FALSE: there is none, for the compute unit is full,
 * or nothing of this helps. The needs are those of the occupancy, which is of ps_gpu_occupancy. */
gboolean ps_gpu_next_step(const PsGpu *gpu, const PsGroupNeeds *needs, const PsOccupancy *occupancy,
                          PsNextStep *step);

#pragma GCC visibility pop
G_END_DECLS
#endif
