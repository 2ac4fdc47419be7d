// SPDX-License-Identifier: BSD-3-Clause
// Groups of a cluster that use each other's shared memory: a product whose sums are split among
// them, one whose tiles are copied to all of them, a histogram whose bins they share, and a ring
// that hands words on.

typedef unsigned int u32;
typedef unsigned long long u64;

#define ROWS 16
#define THREADS 128

__device__ static u32 place(const void *shared)
{
    return (u32)__cvta_generic_to_shared(shared);
}

__device__ static u32 rank_of()
{
    u32 rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__device__ static u32 place_at(const void *shared, u32 rank)
{
    u32 there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(place(shared)), "r"(rank));
    return there;
}

__device__ static void meet()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ static void wait_for(u32 barrier, u32 parity)
{
    asm volatile("{\n\t.reg .pred p;\nWAIT:\n\tmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n\t"
                 "@!p bra WAIT;\n\t}" ::"r"(barrier), "r"(parity) : "memory");
}

// c = a * b. A cluster of four makes ROWS x ROWS of c, each group a quarter of each sum; then each
// adds up a quarter of the rows.
extern "C" __global__ void __cluster_dims__(4, 1, 1) split_sums(const float *a, const float *b, float *c, int n)
{
    __shared__ float part[ROWS][ROWS];
    const u32 rank = rank_of(), quarter = n / 4;
    const int row0 = blockIdx.x / 4 * ROWS, column0 = blockIdx.y * ROWS;
    for (int i = threadIdx.x; i < ROWS * ROWS; i += THREADS) {
        float sum = 0;
        for (int k = rank * quarter; k < (rank + 1) * quarter; k++)
            sum += a[(row0 + i / ROWS) * n + k] * b[k * n + column0 + i % ROWS];
        part[i / ROWS][i % ROWS] = sum;
    }
    meet();
    for (int i = threadIdx.x; i < ROWS / 4 * ROWS; i += THREADS) {
        const int row = rank * (ROWS / 4) + i / ROWS, column = i % ROWS;
        float sum = 0;
        for (u32 from = 0; from < 4; from++) {
            float one;
            asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(one) : "r"(place_at(&part[row][column], from)));
            sum += one;
        }
        c[(row0 + row) * n + column0 + column] = sum;
    }
    meet();
}

// c = a * b. The two groups of a cluster need the same rows of a: each brings half of them to both.
extern "C" __global__ void __cluster_dims__(1, 2, 1) multicast(const float *a, const float *b, float *c, int n)
{
    __shared__ __align__(128) float tile[ROWS][ROWS];
    __shared__ u64 full;
    const u32 rank = rank_of(), bytes = sizeof tile;
    const int row0 = blockIdx.x * ROWS, column0 = blockIdx.y * ROWS;
    float sums[ROWS * ROWS / THREADS] = {0};
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(&full)) : "memory");
    meet();
    for (int k0 = 0; k0 < n; k0 += ROWS) {
        if (threadIdx.x == 0) {
            asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(place(&full)), "r"(bytes)
                         : "memory");
            for (u32 row = rank * ROWS / 2; row < (rank + 1) * ROWS / 2; row++)
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, "
                             "[%3], %4;" ::"r"(place(tile[row])),
                             "l"(a + (row0 + row) * n + k0), "r"(ROWS * 4), "r"(place(&full)), "h"((unsigned short)3)
                             : "memory");
        }
        wait_for(place(&full), k0 / ROWS & 1);
        for (int i = 0; i < ROWS * ROWS / THREADS; i++) {
            const int at = i * THREADS + threadIdx.x;
            for (int k = 0; k < ROWS; k++)
                sums[i] += tile[at / ROWS][k] * b[(k0 + k) * n + column0 + at % ROWS];
        }
        meet(); // the tile is free in both groups
    }
    for (int i = 0; i < ROWS * ROWS / THREADS; i++) {
        const int at = i * THREADS + threadIdx.x;
        c[(row0 + at / ROWS) * n + column0 + at % ROWS] = sums[i];
    }
}

// Each group of a cluster of eight has 32 bins, and all groups count in all of them.
extern "C" __global__ void __cluster_dims__(8, 1, 1) histogram(const u32 *in, u32 *out, int n)
{
    __shared__ u32 bins[32];
    if (threadIdx.x < 32)
        bins[threadIdx.x] = 0;
    meet();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const u32 bin = in[i] % 256;
        asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(place_at(&bins[bin % 32], bin / 32)) : "memory");
    }
    meet();
    if (threadIdx.x < 32)
        atomicAdd(&out[rank_of() * 32 + threadIdx.x], bins[threadIdx.x]);
}

// Each group sends words to the next one, which adds its own number and says that it has them. A
// counter of the first group counts all words.
extern "C" __global__ void __cluster_dims__(4, 1, 1) ring(const u32 *in, u32 *out, int turns)
{
    __shared__ u32 word[THREADS], count;
    __shared__ u64 full, empty, counted;
    const u32 rank = rank_of(), next = (rank + 1) % 4, before = (rank + 3) % 4;
    u32 mine = in[blockIdx.x * THREADS + threadIdx.x];
    if (threadIdx.x == 0) {
        count = 0;
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(&full)) : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place(&empty)), "r"(THREADS) : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(&counted)) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(place(&counted)),
                     "r"(4 * 4 * THREADS * turns)
                     : "memory");
    }
    meet();
    for (int turn = 0; turn < turns; turn++) {
        if (threadIdx.x == 0)
            asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(place(&full)), "r"(4 * THREADS)
                         : "memory");
        if (turn > 0)
            wait_for(place(&empty), turn - 1 & 1);
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
                         place_at(&word[threadIdx.x], next)),
                     "r"(mine), "r"(place_at(&full, next))
                     : "memory");
        wait_for(place(&full), turn & 1);
        mine = word[threadIdx.x] + rank;
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], 1, [%1];" ::"r"(
                         place_at(&count, 0)),
                     "r"(place_at(&counted, 0))
                     : "memory");
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(place_at(&empty, before)) : "memory");
    }
    if (rank == 0) {
        wait_for(place(&counted), 0);
        if (threadIdx.x == 0)
            out[gridDim.x * THREADS + blockIdx.x / 4] = count;
    }
    out[blockIdx.x * THREADS + threadIdx.x] = mine;
    meet();
}
