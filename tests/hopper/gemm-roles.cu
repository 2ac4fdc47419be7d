// SPDX-License-Identifier: BSD-3-Clause
// C = A * B of halves, of n x n elements, B given with its columns together: each group makes 128 x
// 128 elements. One warp brings tiles of A and B by tensor maps, in STAGES stages of shared memory;
// two warpgroups multiply them.
#include <cstdint>
#include <cuda.h>
#include <cuda_fp16.h>

#define TILE_M 128
#define TILE_N 128
#define TILE_K 64
#define STAGES 4
#define A_BYTES (TILE_M * TILE_K * 2)
#define B_BYTES (TILE_N * TILE_K * 2)

__device__ uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ void barrier_init(uint64_t *barrier, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(count));
}

__device__ void barrier_wait(uint64_t *barrier, uint32_t parity)
{
    asm volatile("{\n.reg .pred p;\n"
                 "WAIT%=:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 "@!p bra WAIT%=;\n}" ::"r"(shared_address(barrier)),
                 "r"(parity)
                 : "memory");
}

__device__ void barrier_expect(uint64_t *barrier, uint32_t bytes)
{
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
        "r"(bytes)
        : "memory");
}

__device__ void barrier_arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
                 : "memory");
}

__device__ void load(void *to, const CUtensorMap *map, uint64_t *barrier, int x, int y)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4}], [%2];" ::"r"(shared_address(to)),
                 "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y)
                 : "memory");
}

__device__ uint64_t descriptor(uint32_t address)
{
    return (uint64_t)1 << 62 | (uint64_t)(1024 / 16) << 32 | (uint64_t)1 << 16 |
           (address & 0x3ffff) >> 4;
}

#define D8(i)                                                                                      \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]),    \
        "+f"(d[i + 6]), "+f"(d[i + 7])

__device__ void multiply(float (&d)[64], uint64_t a, uint64_t b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
                 "%18, %19, %20, "
                 "%21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, "
                 "%37, %38, %39, %40, "
                 "%41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, "
                 "%57, %58, %59, %60, "
                 "%61, %62, %63}, %64, %65, 1, 1, 1, 0, 0;"
                 : D8(0), D8(8), D8(16), D8(24), D8(32), D8(40), D8(48), D8(56)
                 : "l"(a), "l"(b));
}

extern "C" __global__ void __launch_bounds__(384)
    gemm(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
         float *c, int n)
{
    extern __shared__ __align__(1024) uint8_t tiles[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    uint8_t *a = tiles, *b = tiles + STAGES * A_BYTES;
    const int role = threadIdx.x / 128, steps = n / TILE_K;
    const int row = blockIdx.y * TILE_M, column = blockIdx.x * TILE_N;
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            barrier_init(&full[i], 1);
            barrier_init(&empty[i], 2);
        }
        asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::
                         : "memory");
    }
    __syncthreads();
    if (role == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0)
            for (int i = 0; i < steps; i++) {
                const int stage = i % STAGES;
                if (i >= STAGES)
                    barrier_wait(&empty[stage], (i / STAGES - 1) & 1);
                barrier_expect(&full[stage], A_BYTES + B_BYTES);
                load(a + stage * A_BYTES, &a_map, &full[stage], i * TILE_K, row);
                load(b + stage * B_BYTES, &b_map, &full[stage], i * TILE_K, column);
            }
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    float d[64] = {0};
    const int half = role - 1;
    for (int i = 0; i < steps; i++) {
        const int stage = i % STAGES;
        barrier_wait(&full[stage], i / STAGES & 1);
        const uint32_t at_a = shared_address(a + stage * A_BYTES) + half * 64 * TILE_K * 2;
        const uint32_t at_b = shared_address(b + stage * B_BYTES);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int k = 0; k < TILE_K; k += 16)
            multiply(d, descriptor(at_a + k * 2), descriptor(at_b + k * 2));
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::
                         : "memory");
        if (threadIdx.x % 128 == 0)
            barrier_arrive(&empty[stage]);
    }
    const int warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < 64; i += 2) {
        const int y = row + half * 64 + warp * 16 + lane / 4 + i / 2 % 2 * 8;
        const int x = column + i / 4 * 8 + lane % 4 * 2;
        *(float2 *)&c[(size_t)y * n + x] = make_float2(d[i], d[i + 1]);
    }
}
