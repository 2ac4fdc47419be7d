// SPDX-License-Identifier: BSD-3-Clause
// Three passes of each group over its row: the first has four loads under way at once, from device memory.

extern "C" __global__ void passes(const float *in, float *out, int n)
{
    const float *row = in + blockIdx.x * n;
    float most = 0, sum = 0;
#pragma unroll 1
    for (int i = threadIdx.x; i < n; i += 4 * blockDim.x) {
        float one = row[i], two = row[i + blockDim.x];
        float three = row[i + 2 * blockDim.x], four = row[i + 3 * blockDim.x];
        most = fmaxf(fmaxf(fmaxf(fmaxf(most, one), two), three), four);
    }
#pragma unroll 1
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += row[i] - most;
#pragma unroll 1
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += row[i] * most;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
