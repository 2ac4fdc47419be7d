// SPDX-License-Identifier: BSD-3-Clause
// c = a * b, square matrices, a thread for each element.

extern "C" __global__ void product(const float *a, const float *b, float *c, int size)
{
    int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < size; k++)
        sum += a[row * size + k] * b[k * size + column];
    c[row * size + column] = sum;
}
