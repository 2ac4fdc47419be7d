// SPDX-License-Identifier: BSD-3-Clause
// C = A * B of halves, of n x n elements, B given with its columns together, summed in tensor
// memory: by a group alone
// (`single`, 128 x 256 elements of C), and by pairs of groups (`pair`, 256 x 256). Of six warps
// four store C, one brings tiles, one multiplies.
#include "../hopper/hopper.cuh"

#define TILE_K 64
#define STAGES 4
#define HIGH 8 /* rows of tiles that groups beside each other go through together */
#define COLUMNS 256
#define ROWS 128 /* of a group */
#define A_BYTES (ROWS * TILE_K * 2)

__device__ uint32_t rank_of_group()
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__device__ bool is_elected()
{
    uint32_t elected;
    asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.b32 %0, 1, 0, p;\n}"
                 : "=r"(elected));
    return elected != 0;
}

/* Of a tile whose rows have 128 bytes, swizzled likewise. */
__device__ uint64_t tensor_descriptor(uint32_t address)
{
    return (uint64_t)2 << 61 | (uint64_t)1 << 46 | (uint64_t)(1024 / 16) << 32 | (uint64_t)1 << 16 |
           (address & 0x3ffff) >> 4;
}

/* What differs between a group alone and a pair. */
template <int GROUPS> struct Pair {
    static constexpr int B_BYTES = COLUMNS / GROUPS * TILE_K * 2;
    /* halves, sums in single precision */
    static constexpr uint32_t INSTRUCTION = 1 << 4 | COLUMNS / 8 << 17 | ROWS * GROUPS / 16 << 24;

    __device__ static void multiply(uint32_t d, uint64_t a, uint64_t b, uint32_t adds)
    {
        if constexpr (GROUPS == 2)
            asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\n"
                         "tcgen05.mma.cta_group::2.kind::f16 [%0], %1, %2, %3, p;\n}" ::"r"(d),
                         "l"(a), "l"(b), "r"(INSTRUCTION), "r"(adds)
                         : "memory");
        else
            asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\n"
                         "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;\n}" ::"r"(d),
                         "l"(a), "l"(b), "r"(INSTRUCTION), "r"(adds)
                         : "memory");
    }

    __device__ static void commit(uint64_t *barrier)
    {
        if constexpr (GROUPS == 2)
            asm volatile("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster"
                         ".multicast::cluster.b64 [%0], %1;" ::"r"(shared_address(barrier)),
                         "h"((uint16_t)3)
                         : "memory");
        else
            asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster"
                         ".b64 [%0];" ::"r"(shared_address(barrier))
                         : "memory");
    }

    __device__ static void take(uint32_t *place)
    {
        if constexpr (GROUPS == 2)
            asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(
                             shared_address(place)),
                         "n"(COLUMNS)
                         : "memory");
        else
            asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(
                             shared_address(place)),
                         "n"(COLUMNS)
                         : "memory");
    }

    __device__ static void give_back(uint32_t place)
    {
        if constexpr (GROUPS == 2)
            asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, %1;" ::"r"(place),
                         "n"(COLUMNS));
        else
            asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(place),
                         "n"(COLUMNS));
    }

    /* All groups of the pair, or all threads of the group. */
    __device__ static void meet()
    {
        if constexpr (GROUPS == 2)
            asm volatile("barrier.cluster.arrive.release.aligned;\n"
                         "barrier.cluster.wait.acquire.aligned;" ::
                             : "memory");
        else
            __syncthreads();
    }

    /* The same place in the first group. */
    __device__ static uint32_t of_first(uint64_t *barrier)
    {
        uint32_t at = shared_address(barrier);
        if constexpr (GROUPS == 2)
            asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(at) : "r"(at));
        return at;
    }

    /* Its bytes count at the first group's barrier. */
    __device__ static void bring(void *to, const CUtensorMap *map, uint64_t *barrier, int x, int y)
    {
        if constexpr (GROUPS == 2)
            asm volatile(
                "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                ".mbarrier::complete_tx::bytes.cta_group::2 [%0], [%1, {%3, %4}], [%2];" ::"r"(
                    shared_address(to)),
                "l"(map), "r"(of_first(barrier)), "r"(x), "r"(y)
                : "memory");
        else
            load(to, map, barrier, x, y);
    }
};

struct Stages {
    uint8_t *a, *b;
    uint64_t *full, *empty, *done;
};

struct Tile {
    int row, column; /* of what the group stores */

    __device__ Tile(int number, int n, int rows)
    {
        const int wide = n / COLUMNS, band = number / (HIGH * wide),
                  high = min(n / rows - band * HIGH, HIGH);
        row = (band * HIGH + number % (HIGH * wide) % high) * rows;
        column = number % (HIGH * wide) / high * COLUMNS;
    }
};

template <int GROUPS>
__device__ void produce(const Stages &stages, const Tile &tile, int rank, int n,
                        const CUtensorMap *a_map, const CUtensorMap *b_map)
{
    constexpr int b_bytes = Pair<GROUPS>::B_BYTES;
#pragma unroll 1
    for (int i = 0; i < n / TILE_K; i++) {
        const int stage = i % STAGES;
        if (i >= STAGES)
            barrier_wait(&stages.empty[stage], (i / STAGES - 1) & 1);
        if (rank == 0)
            barrier_expect(&stages.full[stage], GROUPS * (A_BYTES + b_bytes));
        Pair<GROUPS>::bring(stages.a + stage * A_BYTES, a_map, &stages.full[stage], i * TILE_K,
                            tile.row);
        for (int column = 0; column < COLUMNS / GROUPS; column += 128)
            Pair<GROUPS>::bring(stages.b + stage * b_bytes + column * TILE_K * 2, b_map,
                                &stages.full[stage], i * TILE_K,
                                tile.column + rank * COLUMNS / GROUPS + column);
    }
}

template <int GROUPS> __device__ void multiply_tile(const Stages &stages, uint32_t d, int n)
{
#pragma unroll 1
    for (int i = 0; i < n / TILE_K; i++) {
        const int stage = i % STAGES;
        barrier_wait(&stages.full[stage], i / STAGES & 1);
        asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
        const uint32_t a = shared_address(stages.a + stage * A_BYTES),
                       b = shared_address(stages.b + stage * Pair<GROUPS>::B_BYTES);
        for (int k = 0; k < TILE_K; k += 16)
            Pair<GROUPS>::multiply(d, tensor_descriptor(a + k * 2), tensor_descriptor(b + k * 2),
                                   i > 0 || k > 0);
        Pair<GROUPS>::commit(&stages.empty[stage]);
    }
    Pair<GROUPS>::commit(stages.done);
}

#define R8(i)                                                                                      \
    "=r"(w[i]), "=r"(w[i + 1]), "=r"(w[i + 2]), "=r"(w[i + 3]), "=r"(w[i + 4]), "=r"(w[i + 5]),    \
        "=r"(w[i + 6]), "=r"(w[i + 7])

/* A row of C for each thread of four warps. */
__device__ void store(uint32_t d, __half *c)
{
    d += threadIdx.x / 32 << 21;
    for (int i = 0; i < COLUMNS; i += 32) {
        uint32_t w[32];
        asm volatile(
            "tcgen05.ld.sync.aligned.32x32b.x32.b32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, "
            "%11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, "
            "%28, %29, %30, %31}, [%32];\n"
            "tcgen05.wait::ld.sync.aligned;"
            : R8(0), R8(8), R8(16), R8(24)
            : "r"(d + i));
        for (int j = 0; j < 32; j += 16) { /* a sector */
            uint32_t halves[8];
            for (int h = 0; h < 8; h++) {
                const __half2 both = __floats2half2_rn(__uint_as_float(w[j + 2 * h]),
                                                       __uint_as_float(w[j + 2 * h + 1]));
                halves[h] = *(const uint32_t *)&both;
            }
            asm volatile(
                "st.global.v8.b32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8};" ::"l"(&c[i + j]),
                "r"(halves[0]), "r"(halves[1]), "r"(halves[2]), "r"(halves[3]), "r"(halves[4]),
                "r"(halves[5]), "r"(halves[6]), "r"(halves[7])
                : "memory");
        }
    }
}

template <int GROUPS>
__device__ void product(const CUtensorMap *a_map, const CUtensorMap *b_map, __half *c, int n)
{
    extern __shared__ __align__(1024) uint8_t tiles[];
    __shared__ uint64_t barriers[2 * STAGES + 1];
    __shared__ uint32_t place;
    const int warp = threadIdx.x / 32, rank = GROUPS == 2 ? rank_of_group() : 0;
    const Stages stages = {tiles, tiles + STAGES * A_BYTES, barriers, barriers + STAGES,
                           barriers + 2 * STAGES};
    Tile tile(blockIdx.x / GROUPS, n, ROWS * GROUPS);
    tile.row += rank * ROWS;
    if (threadIdx.x == 0) {
        for (int i = 0; i <= 2 * STAGES; i++)
            barrier_init(&barriers[i], 1);
        barriers_are_there();
    }
    if (warp == 5)
        Pair<GROUPS>::take(&place);
    asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
    Pair<GROUPS>::meet();
    asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
    const uint32_t d = place;
    if (warp == 4 && is_elected())
        produce<GROUPS>(stages, tile, rank, n, a_map, b_map);
    if (warp == 5 && rank == 0 && is_elected())
        multiply_tile<GROUPS>(stages, d, n);
    __syncwarp();
    if (warp < 4) {
        barrier_wait(stages.done, 0);
        asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
        store(d, c + (size_t)(tile.row + threadIdx.x) * n + tile.column);
        asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
    }
    Pair<GROUPS>::meet();
    if (warp == 5)
        Pair<GROUPS>::give_back(d);
}

extern "C" __global__ void __launch_bounds__(192)
    single(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
           __half *c, int n)
{
    product<1>(&a_map, &b_map, c, n);
}

extern "C" __global__ void __cluster_dims__(2) __launch_bounds__(192)
    pair(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
         __half *c, int n)
{
    product<2>(&a_map, &b_map, c, n);
}
