/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches that no device takes, whose errors leave the context as it was. */
#include <cstdio>

/* All values are alive at once, which takes more than 64 registers. */
__global__ void wide(float *x)
{
    float v[96];
#pragma unroll
    for (int i = 0; i < 96; i++)
        v[i] = x[i * 32];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 96; i++)
        x[i * 32] = v[95 - i];
}

__global__ void large(float *x)
{
    extern __shared__ float part[];
    part[threadIdx.x * 500] = x[threadIdx.x];
    x[threadIdx.x] = part[threadIdx.x * 500];
}

int main()
{
    float *x;
    cudaMalloc(&x, 96 * 32 * sizeof *x);
    wide<<<1, 1024>>>(x);
    const int registers = cudaGetLastError();
    wide<<<1, 2048>>>(x);
    const int threads = cudaGetLastError();
    large<<<1, 32, 64 << 10>>>(x);
    const int shared = cudaGetLastError();
    cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10);
    large<<<1, 32, 64 << 10>>>(x);
    const int allowed = cudaGetLastError();
    wide<<<1, 32>>>(x);
    printf("%d %d %d %d %d %d\n", registers, threads, shared, allowed, cudaGetLastError(),
           cudaDeviceSynchronize());
    return 0;
}
