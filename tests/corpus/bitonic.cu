/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sorts groups of twice as many integers as a group has threads, in place, by a bitonic network in
 * shared memory. The group's size is a power of two.
 */
extern "C" __global__ void bitonic(int *data)
{
    extern __shared__ int part[];
    const int thread = threadIdx.x, size = 2 * blockDim.x;
    int *mine = data + blockIdx.x * size;

    part[thread] = mine[thread];
    part[thread + blockDim.x] = mine[thread + blockDim.x];
    for (int length = 2; length <= size; length *= 2)
        for (int distance = length / 2; distance > 0; distance /= 2) {
            const int left = 2 * thread - (thread & (distance - 1));
            const int right = left + distance;
            const bool ascending = (left & length) == 0;
            __syncthreads();
            const int a = part[left], b = part[right];
            if (a > b == ascending) {
                part[left] = b;
                part[right] = a;
            }
        }
    __syncthreads();
    mine[thread] = part[thread];
    mine[thread + blockDim.x] = part[thread + blockDim.x];
}
