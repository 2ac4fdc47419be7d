// SPDX-License-Identifier: BSD-3-Clause
// C = A * B of halves, of n x n elements, B given with its columns together, written in five ways:
// one tile after the other; tiles ahead; a producer and a consumer; two consumers; two consumers
// that go on from tile to tile.
#include "hopper.cuh"

#define TILE_K 64
#define STAGES 4
#define HIGH 8 /* rows of tiles that groups beside each other go through together */

struct Stages {
    uint8_t *a, *b;
    uint64_t *full, *empty;
};

template <int M, int N> struct Tile {
    static constexpr int A_BYTES = M * TILE_K * 2, B_BYTES = N * TILE_K * 2;
    int row, column;

    __device__ Tile(int number, int n)
    {
        const int wide = n / N, band = number / (HIGH * wide),
                  high = min(n / M - band * HIGH, HIGH);
        row = (band * HIGH + number % (HIGH * wide) % high) * M;
        column = number % (HIGH * wide) / high * N;
    }

    __device__ static int count(int n)
    {
        return n / M * (n / N);
    }

    __device__ void bring(const Stages &stages, int stage, int k, const CUtensorMap *a,
                          const CUtensorMap *b) const
    {
        barrier_expect(&stages.full[stage], A_BYTES + B_BYTES);
        load(stages.a + stage * A_BYTES, a, &stages.full[stage], k, row);
        for (int i = 0; i < N; i += 128)
            load(stages.b + stage * B_BYTES + i * TILE_K * 2, b, &stages.full[stage], k,
                 column + i);
    }
};

__device__ Stages begin(int n_stages, int a_bytes, int consumers, uint64_t *barriers)
{
    extern __shared__ __align__(1024) uint8_t tiles[];
    const Stages stages = {tiles, tiles + n_stages * a_bytes, barriers, barriers + n_stages};
    if (threadIdx.x == 0) {
        for (int i = 0; i < n_stages; i++) {
            barrier_init(&stages.full[i], 1);
            barrier_init(&stages.empty[i], consumers);
        }
        barriers_are_there();
    }
    __syncthreads();
    return stages;
}

/* 64 rows by as many columns as d has, of one stage; row: of the tile. */
template <int D>
__device__ void multiply_stage(float (&d)[D], const uint8_t *a, const uint8_t *b, int row)
{
    const uint32_t at_a = shared_address(a) + row * TILE_K * 2, at_b = shared_address(b);
    for (int k = 0; k < TILE_K; k += 16)
        multiply(d, descriptor(at_a + k * 2), descriptor(at_b + k * 2));
}

template <int D> __device__ void store(const float (&d)[D], __half *c, int n, int row, int column)
{
    const int warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < D; i += 2) {
        const int y = row + warp * 16 + lane / 4 + i / 2 % 2 * 8,
                  x = column + i / 4 * 8 + lane % 4 * 2;
        *(__half2 *)&c[(size_t)y * n + x] = __floats2half2_rn(d[i], d[i + 1]);
    }
}

extern "C" __global__ void __launch_bounds__(128)
    plain(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
          __half *c, int n)
{
    __shared__ uint64_t barriers[2];
    const Stages stages = begin(1, Tile<128, 128>::A_BYTES, 1, barriers);
    const Tile<128, 128> tile(blockIdx.x, n);
    float upper[64] = {0}, lower[64] = {0};
#pragma unroll 1
    for (int i = 0; i < n / TILE_K; i++) {
        if (threadIdx.x == 0)
            tile.bring(stages, 0, i * TILE_K, &a_map, &b_map);
        barrier_wait(&stages.full[0], i & 1);
        products_begin();
        multiply_stage(upper, stages.a, stages.b, 0);
        multiply_stage(lower, stages.a, stages.b, 64);
        products_end();
        products_wait<0>();
        __syncthreads();
    }
    store(upper, c, n, tile.row, tile.column);
    store(lower, c, n, tile.row + 64, tile.column);
}

extern "C" __global__ void __launch_bounds__(128)
    stages(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
           __half *c, int n)
{
    __shared__ uint64_t barriers[2 * STAGES];
    const Tile<128, 128> tile(blockIdx.x, n);
    const Stages stages = begin(STAGES, tile.A_BYTES, 1, barriers);
    float upper[64] = {0}, lower[64] = {0};
    const int steps = n / TILE_K;
    for (int i = 0; threadIdx.x == 0 && i < STAGES - 1; i++)
        tile.bring(stages, i, i * TILE_K, &a_map, &b_map);
#pragma unroll 1
    for (int i = 0; i < steps; i++) {
        const int stage = i % STAGES, next = i + STAGES - 1;
        barrier_wait(&stages.full[stage], i / STAGES & 1);
        products_begin();
        multiply_stage(upper, stages.a + stage * tile.A_BYTES, stages.b + stage * tile.B_BYTES, 0);
        multiply_stage(lower, stages.a + stage * tile.A_BYTES, stages.b + stage * tile.B_BYTES, 64);
        products_end();
        products_wait<1>();
        __syncthreads();
        if (threadIdx.x == 0 && next < steps)
            tile.bring(stages, next % STAGES, next * TILE_K, &a_map, &b_map);
    }
    products_wait<0>();
    store(upper, c, n, tile.row, tile.column);
    store(lower, c, n, tile.row + 64, tile.column);
}

/* The producer's part: the tiles of one of C, from the step-th filling of a stage on. */
template <int M, int N>
__device__ void produce(const Stages &stages, const Tile<M, N> &tile, int step, int n,
                        const CUtensorMap *a, const CUtensorMap *b)
{
#pragma unroll 1
    for (int i = 0; i < n / TILE_K; i++, step++) {
        if (step >= STAGES)
            barrier_wait(&stages.empty[step % STAGES], (step / STAGES - 1) & 1);
        tile.bring(stages, step % STAGES, i * TILE_K, a, b);
    }
}

__device__ void release(const Stages &stages, int step)
{
    if (threadIdx.x % 128 == 0)
        barrier_arrive(&stages.empty[step % STAGES]);
}

extern "C" __global__ void __launch_bounds__(256)
    one(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
        __half *c, int n)
{
    __shared__ uint64_t barriers[2 * STAGES];
    const Tile<128, 128> tile(blockIdx.x, n);
    const Stages stages = begin(STAGES, tile.A_BYTES, 1, barriers);
    if (threadIdx.x < 128) {
        if (threadIdx.x == 0)
            produce(stages, tile, 0, n, &a_map, &b_map);
        return;
    }
    float upper[64] = {0}, lower[64] = {0};
#pragma unroll 1
    for (int i = 0; i < n / TILE_K; i++) {
        const int stage = i % STAGES;
        barrier_wait(&stages.full[stage], i / STAGES & 1);
        products_begin();
        multiply_stage(upper, stages.a + stage * tile.A_BYTES, stages.b + stage * tile.B_BYTES, 0);
        multiply_stage(lower, stages.a + stage * tile.A_BYTES, stages.b + stage * tile.B_BYTES, 64);
        products_end();
        products_wait<1>();
        if (i > 0)
            release(stages, i - 1);
    }
    products_wait<0>();
    store(upper, c, n, tile.row, tile.column);
    store(lower, c, n, tile.row + 64, tile.column);
}

/* The products of one stage with 64 rows of the tile begin. */
template <int D>
__device__ void consume_stage(float (&d)[D], const Stages &stages, int step, int row)
{
    const int stage = step % STAGES;
    barrier_wait(&stages.full[stage], step / STAGES & 1);
    products_begin();
    multiply_stage(d, stages.a + stage * Tile<128, 2 * D>::A_BYTES,
                   stages.b + stage * Tile<128, 2 * D>::B_BYTES, row);
    products_end();
}

/* The consumers' part: 64 rows of a tile each, from the step-th filling of a stage on. While one
 * waits for its products, those of the other go on. */
__device__ void consume(const Stages &stages, const Tile<128, 256> &tile, int step, int n,
                        __half *c)
{
    const int row = (threadIdx.x / 128 - 1) * 64, end = step + n / TILE_K;
    float d[128] = {0};
#pragma unroll 1
    for (; step < end; step++) {
        consume_stage(d, stages, step, row);
        products_wait<0>();
        release(stages, step);
    }
    store(d, c, n, tile.row + row, tile.column);
}

extern "C" __global__ void __launch_bounds__(384)
    two(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
        __half *c, int n)
{
    __shared__ uint64_t barriers[2 * STAGES];
    const Tile<128, 256> tile(blockIdx.x, n);
    const Stages stages = begin(STAGES, tile.A_BYTES, 2, barriers);
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0)
            produce(stages, tile, 0, n, &a_map, &b_map);
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    consume(stages, tile, 0, n, c);
}

extern "C" __global__ void __launch_bounds__(384)
    persistent(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
               __half *c, int n)
{
    __shared__ uint64_t barriers[2 * STAGES];
    const Stages stages = begin(STAGES, Tile<128, 256>::A_BYTES, 2, barriers);
    int step = 0;
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        for (int t = blockIdx.x; threadIdx.x == 0 && t < Tile<128, 256>::count(n);
             t += gridDim.x, step += n / TILE_K)
            produce(stages, Tile<128, 256>(t, n), step, n, &a_map, &b_map);
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    for (int t = blockIdx.x; t < Tile<128, 256>::count(n); t += gridDim.x, step += n / TILE_K)
        consume(stages, Tile<128, 256>(t, n), step, n, c);
}
