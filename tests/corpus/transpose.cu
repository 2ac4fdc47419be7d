/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * out = transpose of in (height rows of width elements), three ways, with groups of 32 by 8 threads
 * for 32 by 32 elements. Edges are not full. Naive: stores go to one sector per thread. Tiled:
 * loads and stores are coalesced, but a warp reads a column of the tile, all from one bank. Padded:
 * an unused column spreads it over the banks.
 */
#define TILE 32
#define ROWS 8

extern "C" __global__ void transpose_naive(int width, int height, const float *in, float *out)
{
    const int x = blockIdx.x * TILE + threadIdx.x;
    const int y = blockIdx.y * TILE + threadIdx.y;

    for (int i = 0; i < TILE; i += ROWS)
        if (x < width && y + i < height)
            out[x * height + y + i] = in[(y + i) * width + x];
}

template <int columns>
__device__ __forceinline__ void transpose(int width, int height, const float *in, float *out)
{
    __shared__ float tile[TILE][columns];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;

    for (int i = 0; i < TILE; i += ROWS)
        if (x < width && y + i < height)
            tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        if (x < height && y + i < width)
            out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

extern "C" __global__ void transpose_tiled(int width, int height, const float *in, float *out)
{
    transpose<TILE>(width, height, in, out);
}

extern "C" __global__ void transpose_padded(int width, int height, const float *in, float *out)
{
    transpose<TILE + 1>(width, height, in, out);
}
