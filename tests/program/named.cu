/* SPDX-License-Identifier: BSD-3-Clause */
/* Linked (nvcc -rdc=true), its kernels have the address of a variable as a number, and call printf
 * by its name. Each of two parts (PART=1, PART=2) has a text, under one local name. */
#include <cstdio>

#if PART == 2

__device__ __noinline__ void other(int n)
{
    printf("other %d ", n);
}

#else

extern __device__ void other(int n);

__device__ int counter = 5;

__global__ void count(int *x)
{
    x[threadIdx.x] = atomicAdd(&counter, 1);
}

__global__ void print(int n)
{
    if (threadIdx.x == n) {
        printf("thread %d ", n);
        other(n + 1);
    }
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

#endif
