// SPDX-License-Identifier: BSD-3-Clause
// C = A * B of halves, B given with its columns together: one warp copies tiles, four multiply them. So few groups wait
// for memory: two stages are too few.
#include "../hopper/hopper.cuh"

#ifndef STAGES
#define STAGES 2
#endif
#define TILE (128 * 64 * 2)

__device__ void copy(uint8_t *tiles, uint64_t *full, uint64_t *empty, const CUtensorMap *a,
                     const CUtensorMap *b, int depth)
{
#pragma unroll 1
    for (int step = 0; step < depth / 64; step++) {
        const int stage = step % STAGES;
        if (step >= STAGES)
            barrier_wait(&empty[stage], (step / STAGES - 1) & 1);
        barrier_expect(&full[stage], 2 * TILE);
        load(tiles + 2 * stage * TILE, a, &full[stage], step * 64, blockIdx.y * 128);
        load(tiles + (2 * stage + 1) * TILE, b, &full[stage], step * 64, blockIdx.x * 128);
    }
}

__device__ void store(const float (&d)[64], __half *c, int n, int row)
{
    const int warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < 64; i += 2) {
        const int y = row + warp * 16 + lane / 4 + i / 2 % 2 * 8,
                  x = blockIdx.x * 128 + i / 4 * 8 + lane % 4 * 2;
        *(__half2 *)&c[(size_t)y * n + x] = __floats2half2_rn(d[i], d[i + 1]);
    }
}

extern "C" __global__ void __launch_bounds__(256)
    stages(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
           __half *c, int n, int depth)
{
    extern __shared__ __align__(1024) uint8_t tiles[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    for (int i = 0; threadIdx.x == 0 && i < STAGES; i++) {
        barrier_init(&full[i], 1);
        barrier_init(&empty[i], 1);
    }
    if (threadIdx.x == 0)
        barriers_are_there();
    __syncthreads();
    if (threadIdx.x < 128) {
        if (threadIdx.x == 0)
            copy(tiles, full, empty, &a_map, &b_map, depth);
        return;
    }
    float upper[64] = {0}, lower[64] = {0};
#pragma unroll 1
    for (int step = 0; step < depth / 64; step++) {
        const int stage = step % STAGES;
        const uint32_t a = shared_address(tiles) + 2 * stage * TILE, b = a + TILE;
        barrier_wait(&full[stage], step / STAGES & 1);
        products_begin();
        for (int k = 0; k < 4; k++) {
            multiply(upper, descriptor(a + k * 32), descriptor(b + k * 32));
            multiply(lower, descriptor(a + TILE / 2 + k * 32), descriptor(b + k * 32));
        }
        products_end();
        products_wait<0>();
        if (threadIdx.x == 128)
            barrier_arrive(&empty[stage]);
    }
    store(upper, c, n, blockIdx.y * 128);
    store(lower, c, n, blockIdx.y * 128 + 64);
}
