// SPDX-License-Identifier: BSD-3-Clause
// Transpositions of floats whose lanes read rows and write columns, or the reverse, by an index or by two.
extern "C" __global__ void write_columns(const float *in, float *out, int rows, int columns)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * columns)
        out[i % columns * rows + i / columns] = in[i];
}

extern "C" __global__ void read_columns(const float *in, float *out, int rows, int columns)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * columns)
        out[i] = in[i % rows * columns + i / rows];
}

extern "C" __global__ void write_columns_four(const float *in, float *out, int rows, int columns)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, column = i * 4 % columns, row = i * 4 / columns;
    if (row < rows && column + 3 < columns) {
        const float4 four = ((const float4 *)in)[i];
        out[column * rows + row] = four.x;
        out[(column + 1) * rows + row] = four.y;
        out[(column + 2) * rows + row] = four.z;
        out[(column + 3) * rows + row] = four.w;
    }
}

extern "C" __global__ void write_columns_2d(const float *in, float *out, int rows, int columns)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows)
        out[x * rows + y] = in[y * columns + x];
}

extern "C" __global__ void read_columns_2d(const float *in, float *out, int rows, int columns)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < columns && x < rows)
        out[y * rows + x] = in[x * columns + y];
}
