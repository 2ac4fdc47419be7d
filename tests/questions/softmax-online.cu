// SPDX-License-Identifier: BSD-3-Clause
// Softmax by rows in two passes over the row, a warp a row; the greatest value and the sum are found together.
static __device__ void join(float *most, float *sum, float other, float part)
{
    const float top = fmaxf(*most, other);
    *sum = *sum * __expf(*most - top) + part * __expf(other - top);
    *most = top;
}

extern "C" __global__ void softmax(float *out, const float *in, int rows, int columns)
{
    const int lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows)
        return;
    const float *x = in + (long long)row * columns;
    float *y = out + (long long)row * columns;
    float most = -3e38f, sum = 0;
    for (int i = lane; i < columns; i += 32)
        join(&most, &sum, x[i], 1);
    for (int step = 16; step > 0; step /= 2) {
        const float other = __shfl_xor_sync(~0u, most, step), part = __shfl_xor_sync(~0u, sum, step);
        join(&most, &sum, other, part);
    }
    for (int i = lane; i < columns; i += 32)
        y[i] = __expf(x[i] - most) / sum;
}
