// SPDX-License-Identifier: BSD-3-Clause
// C = A * B of halves, B given with its columns together. Of CONSUMERS warpgroups each multiplies 128 rows by the same 128
// columns: with one alone, copies of tiles are what takes the time.
#include "../hopper/hopper.cuh"

#ifndef CONSUMERS
#define CONSUMERS 1
#endif
#define STAGES 4
#define TILE (128 * 64 * 2)
#define STAGE ((CONSUMERS + 1) * TILE)

struct Ring {
    uint8_t *tiles;
    uint64_t *full, *empty;
};

__device__ void produce(const Ring &ring, const CUtensorMap *a, const CUtensorMap *b, int depth)
{
#pragma unroll 1
    for (int step = 0; step < depth / 64; step++) {
        const int stage = step % STAGES;
        uint8_t *to = ring.tiles + stage * STAGE;
        if (step >= STAGES)
            barrier_wait(&ring.empty[stage], (step / STAGES - 1) & 1);
        barrier_expect(&ring.full[stage], STAGE);
        for (int i = 0; i < CONSUMERS; i++)
            load(to + (i + 1) * TILE, a, &ring.full[stage], step * 64,
                 (blockIdx.y * CONSUMERS + i) * 128);
        load(to, b, &ring.full[stage], step * 64, blockIdx.x * 128);
    }
}

__device__ void consume(const Ring &ring, int who, int depth, float (&upper)[64],
                        float (&lower)[64])
{
#pragma unroll 1
    for (int step = 0; step < depth / 64; step++) {
        const int stage = step % STAGES;
        const uint32_t b = shared_address(ring.tiles) + stage * STAGE, a = b + (who + 1) * TILE;
        barrier_wait(&ring.full[stage], step / STAGES & 1);
        products_begin();
        for (int k = 0; k < 4; k++) {
            multiply(upper, descriptor(a + k * 32), descriptor(b + k * 32));
            multiply(lower, descriptor(a + TILE / 2 + k * 32), descriptor(b + k * 32));
        }
        products_end();
        products_wait<0>();
        if (threadIdx.x % 128 == 0)
            barrier_arrive(&ring.empty[stage]);
    }
}

/* Rows of a thread, whole sectors at a time. */
__device__ void store(const float (&d)[64], __half *c, int n, int row)
{
    const int warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < 64; i += 2)
        *(__half2 *)&c[(size_t)(row + warp * 16 + i / 4) * n + blockIdx.x * 128 + i % 4 * 32 +
                       lane * 2] = __floats2half2_rn(d[i], d[i + 1]);
}

extern "C" __global__ void __launch_bounds__(128 + 128 * CONSUMERS)
    consumers(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
              __half *c, int n, int depth)
{
    extern __shared__ __align__(1024) uint8_t tiles[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const Ring ring = {tiles, full, empty};
    for (int i = 0; threadIdx.x == 0 && i < STAGES; i++) {
        barrier_init(&full[i], 1);
        barrier_init(&empty[i], CONSUMERS);
    }
    if (threadIdx.x == 0)
        barriers_are_there();
    __syncthreads();
    if (threadIdx.x < 128) {
        if (threadIdx.x == 0)
            produce(ring, &a_map, &b_map, depth);
        return;
    }
    const int who = threadIdx.x / 128 - 1, row = (blockIdx.y * CONSUMERS + who) * 128;
    float upper[64] = {0}, lower[64] = {0};
    consume(ring, who, depth, upper, lower);
    store(upper, c, n, row);
    store(lower, c, n, row + 64);
}
