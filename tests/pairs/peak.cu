// SPDX-License-Identifier: BSD-3-Clause
// Multiply-adds in eight independent chains per thread: the pipelines for them are busy all the time.

extern "C" __global__ void peak(float *out, float x, float y, int n)
{
    float a[8];
    for (int k = 0; k < 8; k++)
        a[k] = threadIdx.x + k;
    for (int i = 0; i < n; i++) {
        #pragma unroll
        for (int j = 0; j < 16; j++)
            #pragma unroll
            for (int k = 0; k < 8; k++)
                a[k] = a[k] * x + y;
    }
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += a[k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
