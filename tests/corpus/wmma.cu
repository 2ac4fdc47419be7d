/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * c = a * b + c with tensor cores, half in and float out, through the matrix functions of CUDA
 * (wmma): a (by rows) is m by k, b (by columns) is k by n, c by rows; sizes are multiples of 16. A
 * warp computes 16 by 16 elements of c.
 */
#include <mma.h>

using namespace nvcuda::wmma;

extern "C" __global__ void wmma_gemm(int m, int n, int k, const half *a, const half *b, float *c)
{
    const int row = blockIdx.y * 16;
    const int column = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * 16;
    fragment<matrix_a, 16, 16, 16, half, row_major> left;
    fragment<matrix_b, 16, 16, 16, half, col_major> right;
    fragment<accumulator, 16, 16, 16, float> sum;

    if (row >= m || column >= n)
        return;
    load_matrix_sync(sum, c + row * n + column, n, mem_row_major);
    for (int i = 0; i < k; i += 16) {
        load_matrix_sync(left, a + row * k + i, k);
        load_matrix_sync(right, b + column * k + i, k);
        mma_sync(sum, left, right, sum);
    }
    store_matrix_sync(c + row * n + column, sum, n, mem_row_major);
}
