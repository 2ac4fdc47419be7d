// SPDX-License-Identifier: BSD-3-Clause
// C = A * B of halves, B given with its columns together. All groups of a column of tiles copy the same tiles of B.
#include "../hopper/hopper.cuh"

#define STAGES 4
#define TILE (128 * 64 * 2)

#ifdef CLUSTER
#define SHAPE __cluster_dims__(1, 2, 1)
#define GIVERS 2

__device__ uint32_t rank_of_group()
{
    uint32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__device__ void all_groups()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

/* Half of the tile, to both groups of the cluster. */
__device__ void load_b(uint8_t *to, const CUtensorMap *map, uint64_t *barrier, int x, int y)
{
    const uint32_t half = rank_of_group() * 64;
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(
                     shared_address(to) + half * 128),
                 "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y + half), "h"((uint16_t)3)
                 : "memory");
}

/* A stage is given back to both groups. */
__device__ void give_back(uint64_t *empty)
{
    for (uint32_t group = 0; group < 2; group++) {
        uint32_t there;
        asm("mapa.shared::cluster.u32 %0, %1, %2;"
            : "=r"(there)
            : "r"(shared_address(empty)), "r"(group));
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there)
                     : "memory");
    }
}
#else
#define SHAPE
#define GIVERS 1

__device__ void all_groups()
{
    __syncthreads();
}

__device__ void load_b(uint8_t *to, const CUtensorMap *map, uint64_t *barrier, int x, int y)
{
    for (int half = 0; half < 2; half++)
        load(to + half * TILE / 2, map, barrier, x, y + half * 64);
}

__device__ void give_back(uint64_t *empty)
{
    barrier_arrive(empty);
}
#endif

struct Ring {
    uint8_t *tiles;
    uint64_t *full, *empty;
};

__device__ void bring(const Ring &ring, const CUtensorMap *a, const CUtensorMap *b, int depth)
{
#pragma unroll 1
    for (int step = 0; step < depth / 64; step++) {
        const int stage = step % STAGES;
        uint8_t *to = ring.tiles + 2 * stage * TILE;
        if (step >= STAGES)
            barrier_wait(&ring.empty[stage], (step / STAGES - 1) & 1);
        barrier_expect(&ring.full[stage], 2 * TILE);
        load(to, a, &ring.full[stage], step * 64, blockIdx.y * 128);
        load_b(to + TILE, b, &ring.full[stage], step * 64, blockIdx.x * 128);
    }
}

__device__ void multiply_all(const Ring &ring, int depth, float (&upper)[64], float (&lower)[64])
{
#pragma unroll 1
    for (int step = 0; step < depth / 64; step++) {
        const int stage = step % STAGES;
        const uint32_t a = shared_address(ring.tiles) + 2 * stage * TILE, b = a + TILE;
        barrier_wait(&ring.full[stage], step / STAGES & 1);
        products_begin();
        for (int k = 0; k < 4; k++) {
            multiply(upper, descriptor(a + k * 32), descriptor(b + k * 32));
            multiply(lower, descriptor(a + TILE / 2 + k * 32), descriptor(b + k * 32));
        }
        products_end();
        products_wait<0>();
        if (threadIdx.x == 128)
            give_back(&ring.empty[stage]);
    }
}

extern "C" __global__ void SHAPE __launch_bounds__(256)
    multicast(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
              __half *c, int n, int depth)
{
    extern __shared__ __align__(1024) uint8_t tiles[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const Ring ring = {tiles, full, empty};
    for (int i = 0; threadIdx.x == 0 && i < STAGES; i++) {
        barrier_init(&full[i], 1);
        barrier_init(&empty[i], GIVERS);
    }
    if (threadIdx.x == 0)
        barriers_are_there();
    all_groups();
    float upper[64] = {0}, lower[64] = {0};
    if (threadIdx.x == 0)
        bring(ring, &a_map, &b_map, depth);
    if (threadIdx.x >= 128)
        multiply_all(ring, depth, upper, lower);
    all_groups();
    if (threadIdx.x < 128)
        return;
    const int warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < 64; i += 2) {
        const size_t row = blockIdx.y * 128 + warp * 16 + i / 4;
        const int column = blockIdx.x * 128 + i % 4 * 32 + lane * 2;
        *(__half2 *)&c[row * n + column] = __floats2half2_rn(upper[i], upper[i + 1]);
        *(__half2 *)&c[(row + 64) * n + column] = __floats2half2_rn(lower[i], lower[i + 1]);
    }
}
