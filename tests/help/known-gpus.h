/* SPDX-License-Identifier: BSD-3-Clause */
/* GPUs with small and large caches, as their drivers tell of them. */
#ifndef PIPESIM_TESTS_HELP_KNOWN_GPUS_H
#define PIPESIM_TESTS_HELP_KNOWN_GPUS_H

#include "latency-bench/device.h"

#define MIB (G_GINT64_CONSTANT(1) << 20)

typedef struct {
    const char *name, *backend;
    gint64 cus, warp, l2, memory; /* MiB */
    gint64 warps, groups, local_memory;
    gint64 last; /* MiB of its last cache, which HIP does not tell of */
    gint64 l1;   /* KiB, at most */
} KnownGpu;

#define N_KNOWN_GPUS 6
extern const KnownGpu known_gpus[N_KNOWN_GPUS];

/* Texts are borrowed. */
PsDeviceInfo known_gpu_info(const KnownGpu *gpu);

#endif
