/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of a grid that meet twice: each adds up its part, one adds these up, all read the sum. */
#include <cooperative_groups.h>
#include <cstdio>

enum { GROUPS = 64, BLOCK = 128, N = GROUPS * BLOCK };

__global__ void sum(int *x, int *parts)
{
    __shared__ int part;
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const int i = (int)grid.thread_rank();
    if (threadIdx.x == 0)
        part = 0;
    __syncthreads();
    atomicAdd(&part, x[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        parts[blockIdx.x] = part;
    grid.sync();
    if (i < 32) { /* one warp, whose first thread has waited for the other groups */
        int all = parts[i] + parts[i + 32];
        for (int offset = 16; offset > 0; offset /= 2)
            all += __shfl_down_sync(~0U, all, offset);
        if (i == 0)
            parts[0] = all;
    }
    grid.sync();
    x[i] = parts[0];
}

static int launch(int groups, int *x, int *parts)
{
    void *args[] = {&x, &parts};
    return cudaLaunchCooperativeKernel((void *)sum, dim3(groups), dim3(BLOCK), args, 0, 0);
}

int main()
{
    int *x, *parts, wanted = 0, wrong = 0;
    cudaMallocManaged(&x, N * sizeof *x);
    cudaMallocManaged(&parts, GROUPS * sizeof *parts);
    for (int i = 0; i < N; i++)
        wanted += x[i] = i % 7;
    const int launched = launch(GROUPS, x, parts), done = cudaDeviceSynchronize();
    for (int i = 0; i < N; i++)
        wrong += x[i] != wanted;
    printf("%d %d wrong %d, too large %d\n", launched, done, wrong,
           launch(1000 * GROUPS, x, parts));
    return 0;
}
