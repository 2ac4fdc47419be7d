// SPDX-License-Identifier: BSD-3-Clause
// Sums of all before it, for each of 512 elements in one group: up a tree and down again in shared memory, which has
// conflicts of banks, or a gap after 32 elements that avoids them.
template <typename T, bool gaps> __device__ int place(int i)
{
    return gaps ? i + (i >> 5) : i;
}

template <typename T, bool gaps> __device__ void scan(T *__restrict__ out, const T *__restrict__ in)
{
    __shared__ T all[gaps ? 1024 : 512];
    const int t = threadIdx.x, a = gaps ? t : 2 * t, b = gaps ? t + 256 : 2 * t + 1;
    int step = 1;
    out += blockIdx.x * 512, in += blockIdx.x * 512;
    all[place<T, gaps>(a)] = in[a];
    all[place<T, gaps>(b)] = in[b];
    for (int n = 256; n > 0; n >>= 1, step *= 2) {
        __syncthreads();
        if (t < n)
            all[place<T, gaps>(step * (2 * t + 2) - 1)] += all[place<T, gaps>(step * (2 * t + 1) - 1)];
    }
    if (t == 0)
        all[place<T, gaps>(511)] = 0;
    for (int n = 1; n < 512; n *= 2) {
        step >>= 1;
        __syncthreads();
        if (t < n) {
            const int low = place<T, gaps>(step * (2 * t + 1) - 1), high = place<T, gaps>(step * (2 * t + 2) - 1);
            const T was = all[low];
            all[low] = all[high];
            all[high] += was;
        }
    }
    if (gaps)
        __syncthreads();
    out[a] = all[place<T, gaps>(a)];
    out[b] = all[place<T, gaps>(b)];
}

extern "C" __global__ void words(int *out, const int *in)
{
    scan<int, false>(out, in);
}

extern "C" __global__ void words_gaps(int *out, const int *in)
{
    scan<int, true>(out, in);
}

extern "C" __global__ void longs(long *out, const long *in)
{
    scan<long, false>(out, in);
}

extern "C" __global__ void longs_gaps(long *out, const long *in)
{
    scan<long, true>(out, in);
}
