/* SPDX-License-Identifier: BSD-3-Clause */
/* Linked (nvcc -rdc=true), its kernels have the address of a variable as a number, and call printf
 * by its name. */
#include <cstdio>

__device__ int counter = 5;

__global__ void count(int *x)
{
    x[threadIdx.x] = atomicAdd(&counter, 1);
}

__global__ void print(int n)
{
    if (threadIdx.x == n)
        printf("thread %d ", n);
}

int main()
{
    int *x;
    cudaMallocManaged(&x, 32 * sizeof *x);
    count<<<1, 32>>>(x);
    print<<<1, 32>>>(3);
    const int status = cudaDeviceSynchronize();
    printf("%d %d %d\n", status, x[0], x[31]);
    return 0;
}
