/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How often each of 256 bytes occurs: with atomics on global memory, a byte per thread, or on a
 * histogram of the group in shared memory, four bytes per load, added to the global one at the end.
 */
#define BINS 256

extern "C" __global__ void histogram_global(int n, const unsigned char *in, unsigned *bins)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i]], 1u);
}

/* n counts words of four bytes. */
extern "C" __global__ void histogram_shared(int n, const uchar4 *in, unsigned *bins)
{
    __shared__ unsigned mine[BINS];

    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        mine[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const uchar4 four = in[i];
        atomicAdd(&mine[four.x], 1u);
        atomicAdd(&mine[four.y], 1u);
        atomicAdd(&mine[four.z], 1u);
        atomicAdd(&mine[four.w], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        if (mine[i] > 0)
            atomicAdd(&bins[i], mine[i]);
}
