// SPDX-License-Identifier: BSD-3-Clause
// A star of radius 2 on n x n doubles, whose x is the row: lanes are a row apart. Then all points get one more.
extern "C" __global__ void star(int n, const double *in, double *out)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < 2 || row >= n - 2 || column < 2 || column >= n - 2)
        return;
    double sum = in[row * n + column - 2] * -0.125;
    sum += in[row * n + column - 1] * -0.25;
    sum += in[(row - 2) * n + column] * -0.125;
    sum += in[(row - 1) * n + column] * -0.25;
    sum += in[(row + 1) * n + column] * 0.25;
    sum += in[(row + 2) * n + column] * 0.125;
    sum += in[row * n + column + 1] * 0.25;
    sum += in[row * n + column + 2] * 0.125;
    out[row * n + column] += sum;
}

extern "C" __global__ void add(int n, double *in)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && column < n)
        in[row * n + column] += 1;
}
