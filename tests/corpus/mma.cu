/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * c = a * b with tensor cores, half in and float out, through the instructions themselves (sm_80):
 * ldmatrix brings tiles of a (by rows, m by k) and of b (by rows, k by n, turned on the way) from
 * shared memory to registers, mma multiplies 16 by 16 with 16 by 8. A group is one warp and
 * computes 16 by 8 elements of c; sizes are multiples of that.
 */
#include <cuda_fp16.h>

extern "C" __global__ void mma(int n, int k, const half *a, const half *b, float *c)
{
    __shared__ __align__(16) half a_tile[16][16];
    __shared__ __align__(16) half b_tile[16][8];
    const int lane = threadIdx.x;
    const int row = blockIdx.y * 16, column = blockIdx.x * 8;
    float sum[4] = {};

    for (int start = 0; start < k; start += 16) {
        unsigned left[4], right[2];
        *(uint4 *)&a_tile[lane / 2][lane % 2 * 8] =
            *(const uint4 *)&a[(row + lane / 2) * k + start + lane % 2 * 8];
        if (lane < 16)
            *(uint4 *)&b_tile[lane][0] = *(const uint4 *)&b[(start + lane) * n + column];
        __syncwarp();
        const unsigned from_a = __cvta_generic_to_shared(&a_tile[lane % 16][lane / 16 * 8]);
        const unsigned from_b = __cvta_generic_to_shared(&b_tile[lane % 16][0]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3])
                     : "r"(from_a));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                     : "=r"(right[0]), "=r"(right[1])
                     : "r"(from_b));
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
            : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
        __syncwarp();
    }
    float *to = &c[(row + lane / 4) * n + column + lane % 4 * 2];
    to[0] = sum[0];
    to[1] = sum[1];
    to[8 * n] = sum[2];
    to[8 * n + 1] = sum[3];
}
