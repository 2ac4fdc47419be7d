/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels that print: nothing of it comes before something waits for them. */
#include <cstdio>

__global__ void tell(float f)
{
    const int n = printf("thread %d %5.2f %s %c %lld %x %p\n", threadIdx.x, f, "abc", 'x',
                         1234567890123LL, 255, (void *)16);
    if (threadIdx.x == 1)
        printf("%d arguments\n", n);
}

int main()
{
    tell<<<1, 2>>>(1.5f);
    printf("launched\n");
    return cudaDeviceSynchronize();
}
