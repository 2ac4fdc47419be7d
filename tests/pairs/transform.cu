// SPDX-License-Identifier: BSD-3-Clause
// Turns points of four coordinates by a matrix, a thread for each point.

extern "C" __global__ void transform(const float *matrix, const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[4 * i], y = in[4 * i + 1], z = in[4 * i + 2], w = in[4 * i + 3];
    for (int row = 0; row < 4; row++)
        out[4 * i + row] = matrix[4 * row] * x + matrix[4 * row + 1] * y + matrix[4 * row + 2] * z + matrix[4 * row + 3] * w;
}
