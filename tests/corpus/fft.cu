/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fourier transforms of 256 complex numbers, one per group of 128 threads, radix 2, in shared
 * memory: the input is put in bit-reversed order, then eight passes of butterflies.
 */
#define SIZE 256
#define BITS 8

extern "C" __global__ void fft(const float2 *in, float2 *out)
{
    __shared__ float2 data[SIZE];
    const int thread = threadIdx.x;

    in += blockIdx.x * SIZE + thread;
    out += blockIdx.x * SIZE + thread;
    data[__brev(thread) >> (32 - BITS)] = in[0];
    data[__brev(thread + SIZE / 2) >> (32 - BITS)] = in[SIZE / 2];
#pragma unroll 1
    for (int half = 1; half < SIZE; half *= 2) {
        const int place = thread & (half - 1);
        const int even = 2 * thread - place, odd = even + half;
        float sine, cosine;
        sincospif(-(float)place / half, &sine, &cosine);
        __syncthreads();
        const float2 a = data[even], b = data[odd];
        const float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
        data[even] = make_float2(a.x + turned.x, a.y + turned.y);
        data[odd] = make_float2(a.x - turned.x, a.y - turned.y);
    }
    __syncthreads();
    out[0] = data[thread];
    out[SIZE / 2] = data[thread + SIZE / 2];
}
