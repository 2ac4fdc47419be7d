// SPDX-License-Identifier: BSD-3-Clause
// c = transposed a * b by rows: a group of two warps computes 64 by 64 elements, each warp 32 by 64 of them, with matrix
// units and factors in TF32. A tile's rows are apart by more than they hold, so that loads meet no bank twice.
#include <mma.h>

#define TILE 64
#define DEPTH 8
#define APART 72

using namespace nvcuda;

extern "C" __global__ void block(int n, int depth, const float *a, const float *b, float *c)
{
    __shared__ float left[DEPTH][APART], right[DEPTH][APART];
    int thread = threadIdx.y * 8 + threadIdx.x, warp = thread / 32;
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum[2][4];
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            wmma::fill_fragment(sum[i][j], 0.0f);
    for (int start = 0; start < depth; start += DEPTH) {
#pragma unroll
        for (int d = 0; d < DEPTH; d++) {
            left[d][thread] = wmma::__float_to_tf32(a[(start + d) * n + row + thread]);
            right[d][thread] = wmma::__float_to_tf32(b[(start + d) * n + column + thread]);
        }
        __syncthreads();
        wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::col_major> of_a[2];
        wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> of_b[4];
#pragma unroll
        for (int i = 0; i < 2; i++)
            wmma::load_matrix_sync(of_a[i], &left[0][warp * 32 + i * 16], APART);
#pragma unroll
        for (int j = 0; j < 4; j++)
            wmma::load_matrix_sync(of_b[j], &right[0][j * 16], APART);
#pragma unroll
        for (int i = 0; i < 2; i++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                wmma::mma_sync(sum[i][j], of_a[i], of_b[j], sum[i][j]);
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            wmma::store_matrix_sync(&c[(row + warp * 32 + i * 16) * n + column + j * 16], sum[i][j], n,
                                    wmma::mem_row_major);
}
