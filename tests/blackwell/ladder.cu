// SPDX-License-Identifier: BSD-3-Clause
// Products of matrices of n x n for compute capability 12.0, from a thread for each element to
// tensor cores with scales of blocks. B lies by rows, but of numbers of 8 and 4 bits by columns, as
// the tensor cores have them.
#include <cstdint>
#include <cuda_fp16.h>

enum { TILE = 128 };

extern "C" __global__ void __launch_bounds__(256)
    naive(const float *a, const float *b, float *c, int n)
{
    const int y = blockIdx.y * 16 + threadIdx.y, x = blockIdx.x * 16 + threadIdx.x;
    if (y >= n || x >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

extern "C" __global__ void __launch_bounds__(1024)
    tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[32][32], right[32][32];
    const int i = threadIdx.y, j = threadIdx.x;
    const int y = blockIdx.y * 32 + i, x = blockIdx.x * 32 + j;
    float sum = 0;
    for (int k = 0; k < n; k += 32) {
        left[i][j] = a[y * n + k + j];
        right[i][j] = b[(k + i) * n + x];
        __syncthreads();
#pragma unroll
        for (int l = 0; l < 32; ++l)
            sum += left[i][l] * right[l][j];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

static __device__ uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

/* Where 16 bytes of a row of 16 * CHUNKS lie in shared memory. Eight rows' equal chunks lie in
   different banks if they are swizzled. */
template <int CHUNKS, bool SWIZZLED> static __device__ int place(int row, int chunk)
{
    constexpr int EACH = CHUNKS < 8 ? 8 / CHUNKS : 1;
    if (SWIZZLED)
        chunk ^= row / EACH % (CHUNKS < 8 ? CHUNKS : 8);
    return (row * CHUNKS + chunk) * 16;
}

static __device__ void copy16(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from)
                 : "memory");
}

static __device__ void commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int LEFT> static __device__ void wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(LEFT) : "memory");
}

static __device__ void matrices(uint32_t to[4], const void *from)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(shared_address(from))
                 : "memory");
}

static __device__ void transposed(uint32_t to[4], const void *from)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(shared_address(from))
                 : "memory");
}

struct halves {
};
struct fp8 {
};
struct fp4 {
};
struct scaled {
};

#define PRODUCT(TYPE, INSTRUCTION, SCALES)                                                         \
    static __device__ void multiply(TYPE, float c[4], const uint32_t a[4], const uint32_t b[2])    \
    {                                                                                              \
        asm volatile(INSTRUCTION " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "                 \
                                 "{%0, %1, %2, %3}" SCALES ";"                                     \
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])                              \
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),           \
                       "r"(0x7f7f7f7f), "h"((short)0));                                            \
    }
PRODUCT(halves, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", )
PRODUCT(fp8, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", )
PRODUCT(fp4, "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32", )
PRODUCT(scaled,
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32."
        "ue8m0",
        ", %10, {%11, %11}, %10, {%11, %11}")

/* Writes what a warp's lanes have of ROWS x COLUMNS tiles of 16 x 8 to c, which begins with the
 * first. */
template <int ROWS, int COLUMNS>
static __device__ void store(float *c, int n, const float (&sums)[ROWS][COLUMNS][4])
{
    const int lane = threadIdx.x % 32;
    c += (size_t)(lane / 4) * n + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < ROWS; ++i)
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            float *at = c + (size_t)(i * 16) * n + j * 8;
            *(float2 *)at = make_float2(sums[i][j][0], sums[i][j][1]);
            *(float2 *)(at + (size_t)8 * n) = make_float2(sums[i][j][2], sums[i][j][3]);
        }
}

/* A product of halves: a group makes a tile of 128 x 128, 32 deep; a warp WARP x WARP of it. */
template <int WARP, int STAGES, bool VECTORS, bool SWIZZLED> struct of_halves {
    enum { DEEP = 32, ACROSS = TILE / WARP, THREADS = ACROSS * ACROSS * 32 };

    struct stage {
        char a[TILE * DEEP * 2], b[DEEP * TILE * 2];
    };

    static __device__ void bring(stage &to, const half *a, const half *b, int n)
    {
        if constexpr (VECTORS) {
#pragma unroll
            for (int i = threadIdx.x; i < TILE * DEEP / 8; i += THREADS) {
                copy16(to.a + place<4, SWIZZLED>(i / 4, i % 4),
                       a + (size_t)(i / 4) * n + i % 4 * 8);
                copy16(to.b + place<16, SWIZZLED>(i / 16, i % 16),
                       b + (size_t)(i / 16) * n + i % 16 * 8);
            }
        } else {
#pragma unroll 1
            for (int i = threadIdx.x; i < TILE * DEEP; i += THREADS)
                *(half *)(to.a + place<4, SWIZZLED>(i / 32, i % 32 / 8) + i % 8 * 2) =
                    a[(size_t)(i / 32) * n + i % 32];
#pragma unroll 1
            for (int i = threadIdx.x; i < TILE * DEEP; i += THREADS)
                *(half *)(to.b + place<16, SWIZZLED>(i / 128, i % 128 / 8) + i % 8 * 2) =
                    b[(size_t)(i / 128) * n + i % 128];
        }
    }

    static __device__ void multiply_stage(const stage &from, float (&sums)[WARP / 16][WARP / 8][4])
    {
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const int y = warp / ACROSS * WARP, x = warp % ACROSS * WARP;
#pragma unroll
        for (int k = 0; k < DEEP; k += 16) {
            uint32_t a[WARP / 16][4], b[WARP / 16][4];
#pragma unroll
            for (int i = 0; i < WARP / 16; ++i)
                matrices(a[i],
                         from.a + place<4, SWIZZLED>(y + i * 16 + lane % 16, k / 8 + lane / 16));
#pragma unroll
            for (int i = 0; i < WARP / 16; ++i)
                transposed(b[i],
                           from.b + place<16, SWIZZLED>(k + lane % 16, x / 8 + i * 2 + lane / 16));
#pragma unroll
            for (int i = 0; i < WARP / 16; ++i)
#pragma unroll
                for (int j = 0; j < WARP / 8; ++j)
                    multiply(halves(), sums[i][j], a[i], b[j / 2] + j % 2 * 2);
        }
    }

    static __device__ void run(const half *a, const half *b, float *c, int n)
    {
        __shared__ __align__(128) stage stages[STAGES];
        const int warp = threadIdx.x / 32;
        float sums[WARP / 16][WARP / 8][4] = {};
        a += (size_t)blockIdx.y * TILE * n;
        b += blockIdx.x * TILE;
        for (int s = 0; s < STAGES - 1; ++s) {
            bring(stages[s], a + s * DEEP, b + (size_t)s * DEEP * n, n);
            commit();
        }
        for (int k = 0; k < n / DEEP; ++k) {
            const int next = k + STAGES - 1;
            if (next < n / DEEP)
                bring(stages[next % STAGES], a + next * DEEP, b + (size_t)next * DEEP * n, n);
            if (VECTORS) {
                commit();
                wait<STAGES - 1>();
            }
            __syncthreads();
            multiply_stage(stages[k % STAGES], sums);
            __syncthreads();
        }
        store(c + (size_t)(blockIdx.y * TILE + warp / ACROSS * WARP) * n + blockIdx.x * TILE +
                  warp % ACROSS * WARP,
              n, sums);
    }
};

#define OF_HALVES(NAME, ...)                                                                       \
    extern "C" __global__ void __launch_bounds__(of_halves<__VA_ARGS__>::THREADS)                  \
        NAME(const half *a, const half *b, float *c, int n)                                        \
    {                                                                                              \
        of_halves<__VA_ARGS__>::run(a, b, c, n);                                                   \
    }
OF_HALVES(mma_base, 32, 1, false, false)
OF_HALVES(mma_swizzle, 32, 1, false, true)
OF_HALVES(mma_vec, 32, 1, true, true)
OF_HALVES(mma_pipe, 32, 2, true, true)
OF_HALVES(mma_warptile, 64, 2, true, true)

/* A product of shorter numbers, whose rows and columns have `pitch` bytes: a group makes a tile of
   128 x 128, 64 bytes deep, a warp 64 x 64 of it. What the next 32 bytes need is read while these
   are multiplied. */
template <typename TYPE, int STAGES> struct of_bytes {
    enum { DEEP = 64 };

    struct stage {
        char a[TILE * DEEP], b[TILE * DEEP];
    };

    struct factors {
        uint32_t a[4][4], b[4][4];
    };

    static __device__ void bring(stage &to, const char *a, const char *b, int pitch)
    {
#pragma unroll
        for (int i = threadIdx.x; i < TILE * DEEP / 16; i += 128) {
            copy16(to.a + place<4, true>(i / 4, i % 4), a + (size_t)(i / 4) * pitch + i % 4 * 16);
            copy16(to.b + place<4, true>(i / 4, i % 4), b + (size_t)(i / 4) * pitch + i % 4 * 16);
        }
    }

    static __device__ void read(factors &to, const stage &from, int chunk)
    {
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const int y = warp / 2 * 64 + lane % 16, x = warp % 2 * 64 + lane / 16 * 8 + lane % 8;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            matrices(to.a[i], from.a + place<4, true>(y + i * 16, chunk + lane / 16));
            matrices(to.b[i], from.b + place<4, true>(x + i * 16, chunk + lane / 8 % 2));
        }
    }

    static __device__ void multiply_all(float (&sums)[4][8][4], const factors &f)
    {
#pragma unroll
        for (int i = 0; i < 4; ++i)
#pragma unroll
            for (int j = 0; j < 8; ++j)
                multiply(TYPE(), sums[i][j], f.a[i], f.b[j / 2] + j % 2 * 2);
    }

    static __device__ void run(const char *a, const char *b, float *c, int n, int pitch)
    {
        __shared__ __align__(128) stage stages[STAGES];
        const int warp = threadIdx.x / 32, count = pitch / DEEP;
        float sums[4][8][4] = {};
        factors these, next;
        a += (size_t)blockIdx.y * TILE * pitch;
        b += (size_t)blockIdx.x * TILE * pitch;
        for (int s = 0; s < STAGES; ++s) {
            if (s < count)
                bring(stages[s], a + s * DEEP, b + s * DEEP, pitch);
            commit();
        }
        wait<STAGES - 1>();
        __syncthreads();
        read(these, stages[0], 0);
        for (int k = 0; k < count; ++k) {
            read(next, stages[k % STAGES], 2);
            multiply_all(sums, these);
            if (k + 1 < count) {
                wait<STAGES - 2>();
                __syncthreads();
                if (k + STAGES < count)
                    bring(stages[k % STAGES], a + (k + STAGES) * DEEP, b + (k + STAGES) * DEEP,
                          pitch);
                commit();
                read(these, stages[(k + 1) % STAGES], 0);
            }
            multiply_all(sums, next);
        }
        store(c + (size_t)(blockIdx.y * TILE + warp / 2 * 64) * n + blockIdx.x * TILE +
                  warp % 2 * 64,
              n, sums);
    }
};

#define OF_BYTES(NAME, TYPE, STAGES, EACH)                                                         \
    extern "C" __global__ void __launch_bounds__(128)                                              \
        NAME(const char *a, const char *b, float *c, int n)                                        \
    {                                                                                              \
        of_bytes<TYPE, STAGES>::run(a, b, c, n, n / EACH);                                         \
    }
OF_BYTES(mma_fp8, fp8, 3, 1)
OF_BYTES(mma_fp4, fp4, 2, 1)
OF_BYTES(mma_mxfp4, scaled, 2, 2)
