/* SPDX-License-Identifier: BSD-3-Clause */
/* See carve-out.h. */
#include "gpu/carve-out.h"

#include "gpu/internal.h"

#define KIB 1024

/* A compute unit's memory, and the sizes that its local memory may have, in KiB, ascending; the
 * rest is L1. Sizes: cuda_occupancy.h of CUDA 13 (cudaOccAlignUpShmemSizeVoltaPlus). Total:
 * NVIDIA's CUDA Programming Guide, by compute capability. The size for a launch: by the same guide,
 * the driver chooses by default one that does not limit the number of groups. Accel-Sim (M. Khairy
 * et al., ISCA 2020): the rest is L1. */
typedef struct {
    guint least, most; /* compute capabilities */
    guint all;
    guint n_sizes;
    guint8 sizes[10];
} Split;

static const Split splits[] = {
    {70, 72, 128, 6, {0, 8, 16, 32, 64, 96}},
    {75, 75, 96, 2, {32, 64}},
    {80, 80, 192, 8, {0, 8, 16, 32, 64, 100, 132, 164}},
    {86, 86, 128, 6, {0, 8, 16, 32, 64, 100}},
    {87, 87, 192, 8, {0, 8, 16, 32, 64, 100, 132, 164}},
    {89, 89, 128, 6, {0, 8, 16, 32, 64, 100}},
    {90, 103, 256, 10, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}},
    {120, 121, 128, 6, {0, 8, 16, 32, 64, 100}},
};

static const Split *split_of(guint capability)
{
    for (guint i = 0; i < G_N_ELEMENTS(splits); i++)
        if (splits[i].least <= capability && capability <= splits[i].most)
            return &splits[i];
    return NULL;
}

gint64 ps_gpu_l1_beside(const PsGpu *gpu, const PsGroupNeeds *needs, gint64 groups)
{
    const Split *split = split_of(gpu->capability);
    if (!split)
        return gpu->cache.l1;
    const gint64 each = ps_gpu_local_memory_per_group(gpu, needs);
    guint size = 0;
    while (size + 1 < split->n_sizes && each > (gint64)split->sizes[size] * KIB / MAX(groups, 1))
        size++;
    return MIN(gpu->cache.l1, (gint64)(split->all - split->sizes[size]) * KIB);
}
