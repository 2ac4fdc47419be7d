// SPDX-License-Identifier: BSD-3-Clause
// Each group keeps 44 KiB of shared memory, enough for widths of up to 11264, so that few groups are on a compute
// unit at once, and what it loads is waited for; a warp writes a column of a tile that has rows of 32 elements,
// all to one bank.

extern "C" __global__ void crowd(const float *in, float *out, int width)
{
    __shared__ float tile[352][32];
    int first = blockIdx.x * width;
    for (int i = threadIdx.y; i < width / 32; i += 4)
        tile[threadIdx.x + i / 32 * 32][i % 32] = in[first + 32 * i + threadIdx.x];
    __syncthreads();
    for (int i = threadIdx.y; i < width / 32; i += 4)
        out[first + 32 * i + threadIdx.x] = tile[i][threadIdx.x];
}
