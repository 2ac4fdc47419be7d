// SPDX-License-Identifier: BSD-3-Clause
// C = A * B' of bf16, A of m x k and B of n x k elements, in tiles as shapes.cuh says. The compiler is
// told the sizes: -DROWS=128 -DCOLUMNS=256 -DSTAGES=4 -DPAIR=2; multiply.pl writes the instruction for
// as many columns, multiply.cuh.
#define ELEMENT 2
#define BESIDE 0
#include "shapes.cuh"

__device__ void consume(const Ring &ring, int m, int n, int k, uint8_t *out, const CUtensorMap *c)
{
    const int part = (threadIdx.x / 128 - 1) * 64, steps = (k + TILE_K - 1) / TILE_K;
    const uint64_t of_a = descriptor(shared_address(ring.a) + part * 128),
                   of_b = descriptor(shared_address(ring.b));
    uint64_t a = of_a, b = of_b;
    int stage = 0, phase = 0;
#pragma unroll 1
    for (int tile = blockIdx.x; tile < tiles(m, n); tile += gridDim.x) {
        float d[COLUMNS / 2];
        int row, column;
        tile_of(tile, m, n, &row, &column);
#pragma unroll 1
        for (int i = 0; i < steps; i++) {
            const int now = stage;
            barrier_wait(&ring.full[now], phase);
            products_begin();
            for (int x = 0; x < TILE_K; x += 16)
                multiply(d, behind(a, x * 2), behind(b, x * 2), i > 0 || x > 0);
            products_end();
            if (++stage == STAGES) { /* while it multiplies: a loop over stages has none of it */
                stage = 0;
                phase ^= 1;
            }
            a = behind(of_a, stage * A_BYTES);
            b = behind(of_b, stage * B_BYTES);
            products_wait<0>();
            release(ring, now);
        }
        leave(d, out + part * COLUMNS * 2, c, row + part, column);
    }
}

extern "C" __global__ void __cluster_dims__(PAIR, 1, 1) __launch_bounds__(128 + 128 * CONSUMERS)
    product(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
            const __grid_constant__ CUtensorMap c, int m, int n, int k)
{
    extern __shared__ __align__(1024) uint8_t tiles_of_all[];
    __shared__ uint64_t barriers[2 * STAGES];
    const Ring ring = {tiles_of_all, tiles_of_all + STAGES * A_BYTES, barriers, barriers + STAGES};
    begin(ring);
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0)
            produce(ring, {m, n, k}, &a, &b, [](int, int, int) {});
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        consume(ring, m, n, k, ring.b + STAGES * B_BYTES, &c);
    }
    if (PAIR > 1)
        all_of_the_pair();
}
