// SPDX-License-Identifier: BSD-3-Clause
// C = A * B' of fp8 (e4m3) in tiles as shapes.cuh says, with scales: one for each row of A and 128
// elements of k, and one for 128 rows of B and 128 elements of k. Tensor cores sum 128 products of an
// element; what comes out is multiplied by both scales and added in single precision by the threads.
// A's scales lie with those of all rows together, B's with those of all of k. The compiler is told the
// sizes: -DROWS=128 -DCOLUMNS=128 -DSTAGES=4 -DPAIR=2; multiply.pl writes the instruction.
#define ELEMENT 1
#define BESIDE (ROWS * 4) /* scales of A */
#include "shapes.cuh"

#define ONE_OF_B (128 % COLUMNS == 0) /* a tile has one scale of B in each step */

/* Columns beyond 128 that a tile may begin at are multiples of that. */
constexpr int common(int a, int b)
{
    return b == 0 ? a : common(b, a % b);
}
constexpr int GAP = common(128, COLUMNS);

/* Where the scale of B changes in a tile is known when it is compiled, if there are few places. */
constexpr bool FEW = !ONE_OF_B && 128 / GAP <= 4;

struct Scales {
    float *a;        /* of each stage, ROWS */
    float *b;        /* of each step; behind them those of the tile's columns of the next 128 */
    const float *of; /* all of B's */
};

/* Where a thread is in the ring. */
struct Place {
    int stage, phase;
};

/* Has all threads that multiply, but for the warp that stores the last results, bring the tile's
 * scales of B. All have met since the last ones were read. */
__device__ void bring_scales(const Scales &scales, int n, int steps, int column)
{
    const int thread = (int)threadIdx.x - 160, rows = (n + 127) / 128;
    for (int part = 0; part < (ONE_OF_B ? 1 : 2); part++)
        for (int i = thread; i >= 0 && i < steps && column / 128 + part < rows;
             i += 128 * CONSUMERS - 32)
            scales.b[part * steps + i] = __ldg(&scales.of[(column / 128 + part) * steps + i]);
    meet();
}

/* Adds a step's sums: of the first columns, by eight, with the first scale of B. */
__device__ void promote(float (&total)[COLUMNS / 2], const float (&d)[COLUMNS / 2],
                        const float (&a)[2], const float (&b)[2], int first)
{
    const float scale[2][2] = {{a[0] * b[0], a[1] * b[0]}, {a[0] * b[1], a[1] * b[1]}};
    for (int i = 0; i < COLUMNS / 8; i++) {
        const bool one = ONE_OF_B || i < first;
        for (int j = 0; j < 4; j++)
            total[i * 4 + j] += (one ? scale[0][j / 2] : scale[1][j / 2]) * d[i * 4 + j];
    }
}

/* A tile's products, of which the first columns, by eight, have the first scale of B. */
__device__ __forceinline__ void multiply_tile(float (&total)[COLUMNS / 2], const Ring &ring,
                                              const Scales &scales, int steps, Place &at, int first)
{
    const int part = (threadIdx.x / 128 - 1) * 64,
              row_of_a = part + threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4;
    const uint64_t of_a = descriptor(shared_address(ring.a) + part * 128),
                   of_b = descriptor(shared_address(ring.b));
    float d[COLUMNS / 2];
#pragma unroll 1
    for (int i = 0; i < steps; i++) {
        const uint64_t a = behind(of_a, at.stage * A_BYTES), b = behind(of_b, at.stage * B_BYTES);
        const float scales_b[2] = {scales.b[i], ONE_OF_B ? 0 : scales.b[steps + i]};
        barrier_wait(&ring.full[at.stage], at.phase);
        const float *from = scales.a + at.stage * ROWS + row_of_a;
        const float scales_a[2] = {from[0], from[8]};
        products_begin();
        for (int x = 0; x < 128; x += 32)
            multiply(d, behind(a, x), behind(b, x), x > 0);
        products_end();
        products_wait<0>();
        release(ring, at.stage);
        promote(total, d, scales_a, scales_b, first);
        if (++at.stage == STAGES) {
            at.stage = 0;
            at.phase ^= 1;
        }
    }
}

/* As multiply_tile, compiled for the place that is the run's, from FIRST on. */
template <int FIRST>
__device__ void multiply_by_place(float (&total)[COLUMNS / 2], const Ring &ring,
                                  const Scales &scales, int steps, Place &at, int first)
{
    if (first == FIRST)
        multiply_tile(total, ring, scales, steps, at, FIRST);
    else if constexpr (FIRST < 16)
        multiply_by_place<FIRST + GAP / 8>(total, ring, scales, steps, at, first);
}

__device__ void consume(const Ring &ring, const Scales &scales, const int (&size)[3], uint8_t *out,
                        const CUtensorMap *c)
{
    const int part = (threadIdx.x / 128 - 1) * 64, steps = (size[2] + TILE_K - 1) / TILE_K;
    Place at = {0, 0};
#pragma unroll 1
    for (int tile = blockIdx.x; tile < tiles(size[0], size[1]); tile += gridDim.x) {
        float total[COLUMNS / 2] = {0};
        int row, column;
        tile_of(tile, size[0], size[1], &row, &column);
        bring_scales(scales, size[1], steps, column);
        const int first = (128 - column % 128) / 8;
        if constexpr (FEW)
            multiply_by_place<GAP / 8>(total, ring, scales, steps, at, first);
        else
            multiply_tile(total, ring, scales, steps, at, first);
        leave(total, out + part * COLUMNS * 2, c, row + part, column);
    }
}

extern "C" __global__ void __cluster_dims__(PAIR, 1, 1) __launch_bounds__(128 + 128 * CONSUMERS)
    product(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
            const __grid_constant__ CUtensorMap c, const __grid_constant__ CUtensorMap scales_a,
            const float *scales_b, int m, int n, int k)
{
    extern __shared__ __align__(1024) uint8_t tiles_of_all[];
    __shared__ uint64_t barriers[2 * STAGES];
    const Ring ring = {tiles_of_all, tiles_of_all + STAGES * A_BYTES, barriers, barriers + STAGES};
    uint8_t *out = ring.b + STAGES * B_BYTES;
    float *in = (float *)(out + ROWS * COLUMNS * 2);
    const Scales scales = {in, in + STAGES * ROWS, scales_b};
    begin(ring);
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0)
            produce(ring, {m, n, k}, &a, &b, [&](int stage, int x, int row) {
                load(scales.a + stage * ROWS, &scales_a, &ring.full[stage], row, x / 128);
            });
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        consume(ring, scales, {m, n, k}, out, &c);
    }
    if (PAIR > 1)
        all_of_the_pair();
}
