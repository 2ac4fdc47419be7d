/* SPDX-License-Identifier: BSD-3-Clause */
/* Two parts of a program, compiled apart (PART=1, PART=2) and linked. Both divide, for which the
 * compiler adds a function of the same local name to each. The first part calls a function of the
 * second, and each has a function step, which does something else. */
#include <cstdio>

struct Pair {
    float quotient;
    int steps;
};

#if PART == 1

extern __device__ Pair divide(float x, float y, int n);
extern __global__ void halve(float *x);

static __device__ __noinline__ int step(int n)
{
    return 3 * n + 1;
}

__global__ void begin(float *x, const float *by, int *steps)
{
    const int i = threadIdx.x;
    const Pair pair = divide(x[i], by[i], step(i));
    x[i] = pair.quotient / by[i + 32];
    steps[i] = step(pair.steps);
}

int main()
{
    float *x, *by, y[32];
    int *steps;
    cudaMallocManaged(&x, 32 * sizeof *x);
    cudaMallocManaged(&by, 64 * sizeof *by);
    cudaMallocManaged(&steps, 32 * sizeof *steps);
    for (int i = 0; i < 32; i++) {
        x[i] = y[i] = 1e-3f * (i + 1);
        by[i] = i % 2 ? 1e-39f * (i + 1) : 7.0f; /* denormal: the compiler's function divides */
        by[i + 32] = i % 4 == 1 ? 3e37f : 1e-2f * (i + 1);
    }
    begin<<<1, 32>>>(x, by, steps);
    halve<<<1, 32>>>(x);
    int status = cudaDeviceSynchronize(), wrong = 0;
    for (int i = 0; i < 32; i++) {
        const volatile float first = y[i] / by[i], second = first / by[i + 32];
        wrong += x[i] != second / 2;
        int n = 3 * i + 1;
        for (int k = 0; k < 1 + i % 3; k++)
            n = n / 2 + 5;
        wrong += steps[i] != 3 * n + 1;
    }
    printf("%d %d\n", status, wrong);
    return 0;
}

#else

static __device__ __noinline__ int step(int n)
{
    return n / 2 + 5;
}

__device__ __noinline__ Pair divide(float x, float y, int n)
{
    for (int k = 0; k < 1 + threadIdx.x % 3; k++)
        n = step(n);
    return Pair{x / y, n};
}

__global__ void halve(float *x)
{
    x[threadIdx.x] = x[threadIdx.x] / (float)(step(0) - 3);
}

#endif
