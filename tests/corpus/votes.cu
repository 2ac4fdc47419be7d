/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps the elements that are not zero: a warp counts its own by a ballot, and one lane takes room
 * for them all by an atomic addition. With each goes how many of the 32 around it are equal to it
 * (match). A launch of one warp keeps the order.
 */
extern "C" __global__ void votes(int n, const int *in, int *count, int *out, int *alike)
{
    const unsigned lane = threadIdx.x % 32;

    for (int start = blockIdx.x * blockDim.x + threadIdx.x - lane; start < n;
         start += gridDim.x * blockDim.x) {
        const int i = start + lane;
        const int value = i < n ? in[i] : 0;
        const unsigned some = __ballot_sync(0xffffffffu, value != 0);
        const unsigned same = __match_any_sync(0xffffffffu, value);
        int place = 0;
        if (__all_sync(0xffffffffu, value == 0))
            continue;
        if (lane == __ffs(some) - 1)
            place = atomicAdd(count, __popc(some));
        place = __shfl_sync(0xffffffffu, place, __ffs(some) - 1);
        place += __popc(some & ((1u << lane) - 1));
        if (value != 0) {
            out[place] = value;
            alike[place] = __popc(same);
        }
    }
}
