/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers in device code: functions called through a table, through one that a kernel gave and
 * through an argument; virtual functions; tables of branches in a function; a constant's address;
 * variables that begin as pointers, one of which the host changes. Prints how many results are
 * wrong. */
#include <cstdio>

typedef int (*Operation)(int, int);

__device__ int add(int a, int b)
{
    return a + b;
}

__device__ int multiply(int a, int b)
{
    return a * b;
}

__device__ int subtract(int a, int b)
{
    return a - b;
}

__device__ Operation operations[] = {add, multiply, subtract};

struct Shape {
    __device__ virtual int area(int x) const = 0;
};

struct Strip : Shape {
    int width;
    __device__ explicit Strip(int width) : width(width) {}
    __device__ int area(int x) const override { return width * x; }
};

struct Square : Shape {
    __device__ int area(int x) const override { return x * x; }
};

__device__ __noinline__ int choose(int a, int k)
{
    switch (k) {
    case 0: return a + 1;
    case 1: return a * 3;
    case 2: return a ^ 5;
    case 3: return a / 7;
    case 4: return a % 11;
    case 5: return __popc(a);
    case 6: return __clz(a);
    case 7: return a << 3;
    default: return 0;
    }
}

__constant__ int few[4] = {10, 20, 30, 40};
__device__ int numbers[] = {1, 2, 3, 4};
__device__ int *second = numbers + 1;
__constant__ int *third = numbers + 2;

__global__ void calls(int *o)
{
    const int i = threadIdx.x;
    if (i % 4 < 3)
        o[i] = operations[i % 4](i, 7);
}

__global__ void give(Operation *o)
{
    *o = multiply;
}

__global__ void take(Operation f, int *o)
{
    o[threadIdx.x] = f(threadIdx.x, 3);
}

__global__ void shapes(int *o)
{
    const Strip strip(5);
    const Square square;
    const Shape *const mine = threadIdx.x % 2 ? static_cast<const Shape *>(&strip) : &square;
    o[threadIdx.x] = mine->area(threadIdx.x);
}

__global__ void branches(int *o)
{
    o[threadIdx.x] = choose(threadIdx.x, threadIdx.x % 9);
}

__global__ void addresses(int *o, const int *other)
{
    const int *from = threadIdx.x % 2 ? few : other;
    o[threadIdx.x] = from[threadIdx.x % 4] + second[0] + third[0];
}

static int expected(int a, int k)
{
    const int all[] = {a + 1, a * 3, a ^ 5, a / 7, a % 11, __builtin_popcount(a), a ? __builtin_clz(a) : 32, a << 3, 0};
    return all[k];
}

int main()
{
    int *o, *other, wrong = 0;
    Operation *f, from_table;
    cudaMallocManaged(&o, 32 * sizeof *o);
    cudaMallocManaged(&other, 4 * sizeof *other);
    cudaMallocManaged(&f, sizeof *f);
    calls<<<1, 32>>>(o);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++)
        wrong += i % 4 < 3 && o[i] != (i % 4 == 0 ? i + 7 : i % 4 == 1 ? i * 7 : i - 7);
    give<<<1, 1>>>(f);
    cudaDeviceSynchronize();
    take<<<1, 32>>>(*f, o);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++)
        wrong += o[i] != i * 3;
    cudaMemcpyFromSymbol(&from_table, operations, sizeof from_table, 2 * sizeof from_table);
    take<<<1, 32>>>(from_table, o);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++)
        wrong += o[i] != i - 3;
    shapes<<<1, 32>>>(o);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++)
        wrong += o[i] != (i % 2 ? 5 * i : i * i);
    branches<<<1, 32>>>(o);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++)
        wrong += o[i] != expected(i, i % 9);
    for (int i = 0; i < 4; i++)
        other[i] = 100 * i;
    for (int changed = 0; changed < 2; changed++) {
        addresses<<<1, 32>>>(o, other);
        cudaDeviceSynchronize();
        for (int i = 0; i < 32; i++)
            wrong += o[i] != (i % 2 ? 10 * (i % 4 + 1) : 100 * (i % 4)) + 2 + (changed ? 300 : 3);
        int *const fourth = other + 3;
        cudaMemcpyToSymbol(third, &fourth, sizeof fourth);
    }
    printf("%d %d\n", (int)cudaGetLastError(), wrong);
    return 0;
}
