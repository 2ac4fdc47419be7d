/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat spreads over a plate for a hundred steps; the program times them itself. */
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void step(const float *from, float *to, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
        return;
    const float *at = from + y * n + x;
    to[y * n + x] = 0.5f * at[0] + 0.125f * (at[-1] + at[1] + at[-n] + at[n]);
}

__global__ void add_up(const float *plate, float *sum, int cells)
{
    float part = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x)
        part += plate[i];
    for (int lanes = 16; lanes > 0; lanes /= 2)
        part += __shfl_down_sync(~0u, part, lanes);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, part);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 512, cells = n * n;
    std::vector<float> plate(cells, 0.0f);
    plate[n / 2 * n + n / 2] = 1000;
    float *from, *to, *sum, milliseconds;
    check(cudaMalloc(&from, cells * sizeof(float)));
    check(cudaMalloc(&to, cells * sizeof(float)));
    check(cudaMallocManaged(&sum, sizeof(float)));
    check(cudaMemcpy(from, plate.data(), cells * sizeof(float), cudaMemcpyHostToDevice));
    check(cudaMemset(to, 0, cells * sizeof(float)));
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    const dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8);
    check(cudaEventRecord(begin));
    for (int i = 0; i < 100; i++) {
        step<<<grid, block>>>(from, to, n);
        std::swap(from, to);
    }
    check(cudaEventRecord(end));
    *sum = 0;
    add_up<<<64, 256>>>(from, sum, cells);
    check(cudaDeviceSynchronize());
    check(cudaEventElapsedTime(&milliseconds, begin, end));
    printf("%.1f of 1000 is left, after %.1f us\n", *sum, milliseconds * 1000);
    return *sum > 999 ? 0 : 1;
}
