/* SPDX-License-Identifier: BSD-3-Clause */
/* See known-gpus.h. */
#include "tests/help/known-gpus.h"

const KnownGpu known_gpus[N_KNOWN_GPUS] = {
    {"T4", "CUDA", 40, 32, 4, 16384, 32, 16, 65536, 4, 64},
    {"A100", "CUDA", 108, 32, 40, 40960, 64, 32, 167936, 40, 192},
    {"H100", "CUDA", 132, 32, 50, 81920, 64, 32, 233472, 50, 256},
    {"RTX 5090", "CUDA", 170, 32, 96, 32768, 48, 24, 102400, 96, 128},
    {"MI210", "HIP", 104, 64, 8, 65536, 32, 32, 65536, 8, 16},
    {"MI300X", "HIP", 304, 64, 4, 196608, 32, 32, 65536, 256, 32},
};

PsDeviceInfo known_gpu_info(const KnownGpu *gpu)
{
    return (PsDeviceInfo){.backend = (char *)gpu->backend,
                          .name = (char *)gpu->name,
                          .compute_units = gpu->cus,
                          .warp_size = gpu->warp,
                          .schedulers = 4,
                          .limits = {.warps = gpu->warps,
                                     .groups = gpu->groups,
                                     .group_size = 1024,
                                     .local_memory = gpu->local_memory,
                                     .local_memory_per_group = gpu->local_memory - 1024,
                                     .local_memory_unit = 128,
                                     .local_memory_reserved = 1024},
                          .memory = gpu->memory * MIB,
                          .l2 = gpu->l2 * MIB,
                          .counter = TRUE,
                          .fp64 = TRUE,
                          .fp16 = TRUE};
}
