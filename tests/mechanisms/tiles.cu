// SPDX-License-Identifier: BSD-3-Clause
// A product whose groups take tiles in rows of blocks of "rows" tiles (the order of Triton's matrix product), and rows that
// their groups read three times.
extern "C" __global__ __launch_bounds__(256) void product(const float *a, const float *b, float *c, int n, int rows)
{
    __shared__ float sa[16][64], sb[16][64];
    const int tiles = n / 64, first = blockIdx.x / (rows * tiles) * rows, size = min(tiles - first, rows);
    const int ty = first + blockIdx.x % (rows * tiles) % size, tx = blockIdx.x % (rows * tiles) / size;
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;
    float sum[4][4] = {};
    for (int k = 0; k < n; k += 16) {
        for (int i = threadIdx.x; i < 1024; i += 256) {
            sa[i % 16][i / 16] = a[(size_t)(ty * 64 + i / 16) * n + k + i % 16];
            sb[i / 64][i % 64] = b[(size_t)(k + i / 64) * n + tx * 64 + i % 64];
        }
        __syncthreads();
        for (int j = 0; j < 16; j++)
            for (int u = 0; u < 4; u++)
                for (int v = 0; v < 4; v++)
                    sum[u][v] += sa[j][y * 4 + u] * sb[j][x * 4 + v];
        __syncthreads();
    }
    for (int u = 0; u < 4; u++)
        for (int v = 0; v < 4; v++)
            c[(size_t)(ty * 64 + y * 4 + u) * n + tx * 64 + x * 4 + v] = sum[u][v];
}

extern "C" __global__ void again(const float *in, float *out, int columns)
{
    const float *row = in + (size_t)blockIdx.x * columns;
    float most = -1, sum = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        most = fmaxf(most, row[i]);
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        sum += row[i] * most;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        out[(size_t)blockIdx.x * columns + i] = row[i] * sum;
}

// Groups in that order read a row and a column together, which begins after a while.
extern "C" __global__ __launch_bounds__(256) void late(const float *a, const float *b, float *c, int n, int rows, int wait)
{
    const int tiles = 64, first = blockIdx.x / (rows * tiles) * rows, size = min(tiles - first, rows);
    const int ty = first + blockIdx.x % (rows * tiles) % size, tx = blockIdx.x % (rows * tiles) / size;
    float sum = threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < wait; i++)
        sum = sum * sum + 1;
#pragma unroll 1
    for (int k = threadIdx.x; k < n; k += 256) {
        sum += a[(size_t)ty * n + k] * b[(size_t)tx * n + k];
        __syncthreads();
    }
    c[blockIdx.x * 256 + threadIdx.x] = sum;
}
