// SPDX-License-Identifier: BSD-3-Clause
// Transpositions of floats by groups of 16 x 16 or 8 x 8 threads: plain ones, and through a tile whose columns are in
// one bank, or one whose rows have a gap.
template <int n, int pitch> __device__ void through_tile(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[n * pitch];
    const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * n, row = blockIdx.y * n;
    if (column + x < columns && row + y < rows)
        tile[y * pitch + x] = in[(row + y) * columns + column + x];
    __syncthreads();
    if (row + x < rows && column + y < columns)
        out[(column + y) * rows + row + x] = tile[x * pitch + y];
}

extern "C" __global__ void plain(const float *in, float *out, int rows, int columns)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows)
        out[x * rows + y] = in[y * columns + x];
}

extern "C" __global__ void tiles_16(const float *in, float *out, int rows, int columns)
{
    through_tile<16, 16>(in, out, rows, columns);
}

extern "C" __global__ void tiles_16_gaps(const float *in, float *out, int rows, int columns)
{
    through_tile<16, 17>(in, out, rows, columns);
}

extern "C" __global__ void tiles_8(const float *in, float *out, int rows, int columns)
{
    through_tile<8, 8>(in, out, rows, columns);
}

extern "C" __global__ void tiles_8_gaps(const float *in, float *out, int rows, int columns)
{
    through_tile<8, 9>(in, out, rows, columns);
}
