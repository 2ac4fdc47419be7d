/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * c = a * b with tensor cores, half in and float out, as libraries do it (sm_80): a group of 8
 * warps computes 128 by 256 elements of c, each warp 64 by 64. While a slice of 32 columns of a and
 * rows of b is multiplied, asynchronous copies bring the next ones to the other stages of shared
 * memory. There, 16 bytes stand where neither the copies nor ldmatrix meet a bank twice. a is m by
 * k and b is k by n, by rows; m is a multiple of 128, n of 256, k of 32.
 */
#include <cuda_fp16.h>
#include <cuda_pipeline_primitives.h>

#define ROWS 128
#define COLUMNS 256
#define SLICE 32
#define STAGES 3
#define THREADS 256

struct Stage {
    half a[ROWS * SLICE];
    half b[SLICE * COLUMNS];
};

/* Where the 16 bytes number `chunk` of a row are, in elements. */
static __device__ int place_a(int row, int chunk)
{
    return row * SLICE + (chunk ^ (row / 2 % 4)) * 8;
}

static __device__ int place_b(int row, int chunk)
{
    return row * COLUMNS + (chunk ^ (row % 8)) * 8;
}

static __device__ void copy(Stage *stage, const half *a, const half *b, int n, int k, int slice)
{
#pragma unroll
    for (int i = 0; i < ROWS * SLICE / 8 / THREADS; i++) {
        const int at = i * THREADS + threadIdx.x, row = at / 4, chunk = at % 4;
        __pipeline_memcpy_async(&stage->a[place_a(row, chunk)],
                                &a[(size_t)row * k + slice * SLICE + chunk * 8], 16);
    }
#pragma unroll
    for (int i = 0; i < SLICE * COLUMNS / 8 / THREADS; i++) {
        const int at = i * THREADS + threadIdx.x, row = at / 32, chunk = at % 32;
        __pipeline_memcpy_async(&stage->b[place_b(row, chunk)],
                                &b[(size_t)(slice * SLICE + row) * n + chunk * 8], 16);
    }
}

/* Four matrices of 8 by 8 from shared memory, turned on the way or not. */
static __device__ void load(unsigned to[4], const half *from)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"((unsigned)__cvta_generic_to_shared(from)));
}

static __device__ void load_turned(unsigned to[4], const half *from)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"((unsigned)__cvta_generic_to_shared(from)));
}

static __device__ void multiply(float c[4], const unsigned a[4], const unsigned b[2])
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* What a warp adds to its 64 by 64 elements from one stage. */
static __device__ void add_stage(float c[4][8][4], const Stage *stage, int row, int column)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k < SLICE; k += 16) {
        unsigned a[4][4], b[4][4];
#pragma unroll
        for (int i = 0; i < 4; i++)
            load(a[i], &stage->a[place_a(row + i * 16 + lane % 16, k / 8 + lane / 16)]);
#pragma unroll
        for (int j = 0; j < 4; j++)
            load_turned(b[j], &stage->b[place_b(k + lane % 16, column / 8 + j * 2 + lane / 16)]);
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 8; j++)
                multiply(c[i][j], a[i], &b[j / 2][j % 2 * 2]);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS)
    gemm_tensor(const half *a, const half *b, float *c, int n, int k)
{
    extern __shared__ __align__(128) Stage stages[];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = warp / 4 * 64, column = warp % 4 * 64, slices = k / SLICE;
    float sums[4][8][4] = {};

    a += (size_t)blockIdx.y * ROWS * k;
    b += blockIdx.x * COLUMNS;
    for (int slice = 0; slice < STAGES - 1; slice++) {
        if (slice < slices)
            copy(&stages[slice], a, b, n, k, slice);
        __pipeline_commit();
    }
    for (int slice = 0; slice < slices; slice++) {
        __pipeline_wait_prior(STAGES - 2); /* this slice is there */
        __syncthreads();                   /* for all, who have done with the one before it */
        const int next = slice + STAGES - 1;
        if (next < slices)
            copy(&stages[next % STAGES], a, b, n, k, next);
        __pipeline_commit();
        add_stage(sums, &stages[slice % STAGES], row, column);
    }

    c += (size_t)(blockIdx.y * ROWS + row + lane / 4) * n + blockIdx.x * COLUMNS + column +
         lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) {
            *(float2 *)&c[(size_t)i * 16 * n + j * 8] = make_float2(sums[i][j][0], sums[i][j][1]);
            *(float2 *)&c[(size_t)(i * 16 + 8) * n + j * 8] =
                make_float2(sums[i][j][2], sums[i][j][3]);
        }
}
