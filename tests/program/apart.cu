/* SPDX-License-Identifier: BSD-3-Clause */
/* Code that is compiled apart and linked (nvcc -rdc=true). With NESTED its kernel launches another,
 * with FAR its other half is in another file, for which it is compiled twice (FAR=1, FAR=2). */
#include <cstdio>

#if FAR == 2
__device__ __noinline__ int more(int x)
{
    return 2 * x + 1;
}
#else
#if FAR == 1
extern __device__ int more(int x);
#else
__device__ int more(int x)
{
    return 2 * x + 1;
}
#endif

__global__ void grow(int *x)
{
    x[threadIdx.x] = more(x[threadIdx.x]);
}

__global__ void nested(int *x)
{
#ifdef NESTED
    grow<<<1, 32>>>(x);
#endif
}

int main()
{
    int *x;
    cudaMallocManaged(&x, 32 * sizeof *x);
    x[31] = 31;
    nested<<<1, 1>>>(x);
    const int launched = cudaGetLastError();
    grow<<<1, 32>>>(x);
    printf("%d %d %d\n", launched, cudaDeviceSynchronize(), x[31]);
    return 0;
}
#endif
