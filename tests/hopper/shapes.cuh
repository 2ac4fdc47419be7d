// SPDX-License-Identifier: BSD-3-Clause
// What products in tiles of ROWS x COLUMNS share, whose elements have ELEMENT bytes: one warp brings
// tiles by tensor maps, warpgroups multiply 64 rows each and go on from tile to tile; results leave
// as bf16 by shared memory and tensor maps. A pair of groups (PAIR 2) has the tiles of B in common,
// of which each brings half for both.
#pragma once
#include "hopper.cuh"
#include <cuda_bf16.h>
#include "multiply.cuh"

#define TILE_K (128 / ELEMENT)
#define HIGH 16 /* rows of tiles that groups beside each other go through together */
#define CONSUMERS (ROWS / 64)
#define A_BYTES (ROWS * 128)
#define B_BYTES (COLUMNS * 128)
#define WIDE (COLUMNS % 64 == 0 ? 64 : COLUMNS % 32 == 0 ? 32 : 16) /* columns that leave together */

struct Ring {
    uint8_t *a, *b;
    uint64_t *full, *empty;
};

__device__ uint32_t rank()
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__device__ void all_of_the_pair()
{
    if (PAIR > 1)
        asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    else
        __syncthreads();
}

/* Brings the box to both groups. */
__device__ void load_for_both(void *to, const CUtensorMap *map, uint64_t *barrier, int x, int y)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes."
                 "multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(shared_address(to)),
                 "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y), "h"((uint16_t)3)
                 : "memory");
}

__device__ void arrive_at(uint64_t *barrier, uint32_t group)
{
    asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];\n}" ::"r"(shared_address(barrier)),
                 "r"(group)
                 : "memory");
}

__device__ void tile_of(int number, int m, int n, int *row, int *column)
{
    const int tall = (m + ROWS - 1) / ROWS, wide = (n + COLUMNS - 1) / COLUMNS,
              band = number / (HIGH * wide), high = min(tall - band * HIGH, HIGH);
    *row = (band * HIGH + number % (HIGH * wide) % high) * ROWS;
    *column = number % (HIGH * wide) / high * COLUMNS;
}

__device__ int tiles(int m, int n)
{
    return (m + ROWS - 1) / ROWS * ((n + COLUMNS - 1) / COLUMNS);
}

/* A step brings BESIDE bytes more, by also(stage, k, row). */
template <typename Also>
__device__ void bring(const Ring &ring, int stage, const int (&at)[3], const CUtensorMap *a,
                      const CUtensorMap *b, const Also &also)
{
    const int k = at[0], row = at[1], column = at[2];
    uint64_t *full = &ring.full[stage];
    barrier_expect(full, A_BYTES + B_BYTES + BESIDE);
    load(ring.a + stage * A_BYTES, a, full, k, row);
    also(stage, k, row);
    if (PAIR == 1) {
        load(ring.b + stage * B_BYTES, b, full, k, column);
        return;
    }
    const int part = rank() * (COLUMNS / PAIR);
    load_for_both(ring.b + stage * B_BYTES + part * 128, b, full, k, column + part);
}

template <typename Also>
__device__ void produce(const Ring &ring, const int (&size)[3], const CUtensorMap *a,
                        const CUtensorMap *b, const Also &also)
{
    const int m = size[0], n = size[1], steps = (size[2] + TILE_K - 1) / TILE_K;
    int stage = 0, phase = 1;
#pragma unroll 1
    for (int tile = blockIdx.x; tile < tiles(m, n); tile += gridDim.x) {
        int row, column;
        tile_of(tile, m, n, &row, &column);
#pragma unroll 1
        for (int i = 0; i < steps; i++) {
            barrier_wait(&ring.empty[stage], phase);
            bring(ring, stage, {i * TILE_K, row, column}, a, b, also);
            if (++stage == STAGES) {
                stage = 0;
                phase ^= 1;
            }
        }
    }
}

__device__ void begin(const Ring &ring)
{
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            barrier_init(&ring.full[i], 1);
            barrier_init(&ring.empty[i], CONSUMERS * PAIR);
        }
        barriers_are_there();
    }
    all_of_the_pair();
}

/* All threads that multiply meet. */
__device__ void meet()
{
    asm volatile("bar.sync 1, %0;" ::"n"(128 * CONSUMERS) : "memory");
}

/* 64 rows of a tile in bf16, as the tensor map of C expects them, and out. */
__device__ void leave(const float (&d)[COLUMNS / 2], uint8_t *to, const CUtensorMap *c, int row,
                      int column)
{
    const int warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32, y = warp * 16 + lane % 16;
    if (threadIdx.x % 128 == 0)
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    meet();
    for (int i = 0; i < COLUMNS / 16; i++) {
        uint32_t pair[4];
        for (int j = 0; j < 4; j++) {
            const __nv_bfloat162 both = __floats2bfloat162_rn(d[i * 8 + j * 2], d[i * 8 + j * 2 + 1]);
            pair[j] = *(const uint32_t *)&both;
        }
        const int chunk = i * 2 % (WIDE / 8) + lane / 16,
                  at = i * 16 / WIDE * 64 * WIDE * 2 + y * WIDE * 2 +
                       (chunk ^ (y * WIDE / 64 % (WIDE / 8))) * 16;
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                         shared_address(to) + at),
                     "r"(pair[0]), "r"(pair[1]), "r"(pair[2]), "r"(pair[3])
                     : "memory");
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    meet();
    if (threadIdx.x % 128 == 0) {
        for (int x = 0; x < COLUMNS; x += WIDE)
            asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
                         "[%0, {%2, %3}], [%1];" ::"l"(c),
                         "r"(shared_address(to + x * 64 * 2)), "r"(column + x), "r"(row)
                         : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
}

__device__ void release(const Ring &ring, int stage)
{
    if (PAIR == 1 && threadIdx.x % 128 == 0)
        barrier_arrive(&ring.empty[stage]);
    if (PAIR > 1 && threadIdx.x % 128 < PAIR)
        arrive_at(&ring.empty[stage], threadIdx.x % 128);
}
