// SPDX-License-Identifier: BSD-3-Clause
// Kernels that do something wrong with tensor memory: tests/unit/wrong-hopper.c has what is said
// of it.
#include "../hopper/hopper.cuh"

__device__ void take(uint32_t *place, uint32_t columns)
{
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(
                     shared_address(place)),
                 "r"(columns)
                 : "memory");
}

__device__ void give_back(uint32_t place, uint32_t columns)
{
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(place), "r"(columns)
                 : "memory");
}

/* Frees nothing. */
extern "C" __global__ void kept(uint32_t *out)
{
    __shared__ uint32_t place;
    take(&place, 128);
    out[threadIdx.x] = place;
}

/* Frees the first half. */
extern "C" __global__ void fewer(uint32_t *out)
{
    __shared__ uint32_t place;
    take(&place, 128);
    out[threadIdx.x] = place;
    give_back(place, 64);
}

/* Takes columns of a pair, and is none. */
extern "C" __global__ void alone(uint32_t *out)
{
    __shared__ uint32_t place;
    asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(
                     shared_address(&place)),
                 "n"(64)
                 : "memory");
    out[threadIdx.x] = place;
    asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, %1;" ::"r"(place), "n"(64)
                 : "memory");
}

/* Waits for products that nobody commits. */
extern "C" __global__ void never(uint32_t *out)
{
    extern __shared__ __align__(1024) char tile[];
    __shared__ uint32_t place;
    __shared__ uint64_t done;
    const uint64_t both = (uint64_t)2 << 61 | (uint64_t)1 << 46 | (uint64_t)64 << 32 |
                          (uint64_t)1 << 16 | (shared_address(tile) & 0x3ffff) >> 4;
    const uint32_t instruction = 1 << 4 | 64 / 8 << 17 | 128 / 16 << 24;
    take(&place, 64);
    if (threadIdx.x == 0) {
        barrier_init(&done, 1);
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %3, %3;\n"
                     "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;\n}" ::"r"(place),
                     "l"(both), "l"(both), "r"(instruction)
                     : "memory");
    }
    __syncwarp();
    barrier_wait(&done, 0);
    out[threadIdx.x] = place;
    give_back(place, 64);
}
