// SPDX-License-Identifier: BSD-3-Clause
// Sums of 4096 numbers by each of 4096 threads: of a thread's own row, or of its column.
extern "C" __global__ void rows(const int *__restrict__ in, int *__restrict__ out, int n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[(unsigned long)i * 4096 + k];
    out[i] = sum;
}

extern "C" __global__ void columns(const int *__restrict__ in, int *__restrict__ out, int n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[(unsigned long)k * 4096 + i];
    out[i] = sum;
}
