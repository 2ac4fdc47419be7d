/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prefix sums of integers within groups, and the sum of each group. scan_tree: exclusive, two
 * elements per thread, up and down a tree in shared memory. scan_shuffle: inclusive, one element
 * per thread, by shuffles within warps and then over the warps' sums.
 */
extern "C" __global__ void scan_tree(int n, const int *in, int *out, int *sums)
{
    extern __shared__ int tree[];
    const int thread = threadIdx.x, size = 2 * blockDim.x;
    const int first = blockIdx.x * size;
    int distance = 1;

    for (int i = thread; i < size; i += blockDim.x)
        tree[i] = first + i < n ? in[first + i] : 0;
    for (int nodes = blockDim.x; nodes > 0; nodes /= 2) {
        __syncthreads();
        if (thread < nodes)
            tree[(2 * thread + 2) * distance - 1] += tree[(2 * thread + 1) * distance - 1];
        distance *= 2;
    }
    if (thread == 0) {
        sums[blockIdx.x] = tree[size - 1];
        tree[size - 1] = 0;
    }
    for (int nodes = 1; nodes <= blockDim.x; nodes *= 2) {
        distance /= 2;
        __syncthreads();
        if (thread < nodes) {
            int *left = &tree[(2 * thread + 1) * distance - 1];
            int *right = &tree[(2 * thread + 2) * distance - 1];
            const int sum = *left;
            *left = *right;
            *right += sum;
        }
    }
    __syncthreads();
    for (int i = thread; i < size; i += blockDim.x)
        if (first + i < n)
            out[first + i] = tree[i];
}

__device__ __forceinline__ int warp_scan(int value, int lane)
{
    for (int distance = 1; distance < 32; distance *= 2) {
        const int left = __shfl_up_sync(0xffffffffu, value, distance);
        if (lane >= distance)
            value += left;
    }
    return value;
}

extern "C" __global__ void scan_shuffle(int n, const int *in, int *out, int *sums)
{
    __shared__ int warps[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int value = warp_scan(i < n ? in[i] : 0, lane);

    if (lane == 31)
        warps[warp] = value;
    __syncthreads();
    if (warp == 0)
        warps[lane] = warp_scan(lane < blockDim.x / 32 ? warps[lane] : 0, lane);
    __syncthreads();
    if (warp > 0)
        value += warps[warp - 1];
    if (i < n)
        out[i] = value;
    if (threadIdx.x == blockDim.x - 1)
        sums[blockIdx.x] = value;
}
