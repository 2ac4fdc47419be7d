/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cheapest paths down a wall of costs, from row to row to one of the three elements below: `steps`
 * rows at a time. A group computes blockDim.x - 2 * steps columns, and its outer threads, whose
 * results lack neighbours, are the ghost zone that spares it an exchange after each row.
 */
#include <limits.h>

extern "C" __global__ void pathfinder(int columns, int steps, const int *wall, const int *before,
                                      int *after)
{
    extern __shared__ int costs[];
    const int thread = threadIdx.x, last = blockDim.x - 1;
    const int column = (int)(blockIdx.x * (blockDim.x - 2 * steps)) - steps + thread;
    const bool inside = column >= 0 && column < columns;
    int cost = inside ? before[column] : INT_MAX;

    for (int step = 0; step < steps; step++) {
        costs[thread] = cost;
        __syncthreads();
        if (inside && thread > step && thread < last - step)
            cost = wall[step * columns + column] +
                   min(costs[thread], min(costs[thread - 1], costs[thread + 1]));
        __syncthreads();
    }
    if (inside && thread >= steps && thread <= last - steps)
        after[column] = cost;
}
