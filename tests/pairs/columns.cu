// SPDX-License-Identifier: BSD-3-Clause
// C = A * B of halves, B given with its columns together, in tiles of 64 rows and COLUMNS columns: the rows are copied
// once for each of them.
#include "../hopper/hopper.cuh"

#ifndef COLUMNS
#define COLUMNS 128
#endif
#define STAGES 4
#define A_TILE (64 * 64 * 2)
#define STAGE (A_TILE + COLUMNS * 64 * 2)

__device__ void fill(uint8_t *to, uint64_t *full, const CUtensorMap *a, const CUtensorMap *b, int k)
{
    barrier_expect(full, STAGE);
    load(to, a, full, k, blockIdx.y * 64);
    for (int i = 0; i < COLUMNS; i += 64)
        load(to + A_TILE + i * 128, b, full, k, blockIdx.x * COLUMNS + i);
}

__device__ void use(float (&d)[COLUMNS / 2], const uint8_t *from)
{
    const uint32_t a = shared_address(from), b = a + A_TILE;
    products_begin();
    for (int k = 0; k < 4; k++)
        multiply(d, descriptor(a + k * 32), descriptor(b + k * 32));
    products_end();
    products_wait<0>();
}

extern "C" __global__ void __launch_bounds__(256)
    columns(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
            __half *c, int n, int depth)
{
    extern __shared__ __align__(1024) uint8_t tiles[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            barrier_init(&full[i], 1);
            barrier_init(&empty[i], 1);
        }
        barriers_are_there();
    }
    __syncthreads();
    const int warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32;
    if (threadIdx.x < 128) {
#pragma unroll 1
        for (int step = 0; threadIdx.x == 0 && step < depth / 64; step++) {
            if (step >= STAGES)
                barrier_wait(&empty[step % STAGES], (step / STAGES - 1) & 1);
            fill(tiles + step % STAGES * STAGE, &full[step % STAGES], &a_map, &b_map, step * 64);
        }
        return;
    }
    float d[COLUMNS / 2] = {0};
#pragma unroll 1
    for (int step = 0; step < depth / 64; step++) {
        barrier_wait(&full[step % STAGES], step / STAGES & 1);
        use(d, tiles + step % STAGES * STAGE);
        if (threadIdx.x == 128)
            barrier_arrive(&empty[step % STAGES]);
    }
    const size_t row = blockIdx.y * 64 + warp * 16;
    for (int i = 0; i < COLUMNS / 2; i += 2)
        *(__half2 *)&c[(row + i * 32 / COLUMNS) * n + blockIdx.x * COLUMNS +
                       i * 32 % COLUMNS + lane * 2] = __floats2half2_rn(d[i], d[i + 1]);
}
