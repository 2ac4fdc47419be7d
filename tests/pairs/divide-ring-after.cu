// SPDX-License-Identifier: BSD-3-Clause
// The same by the inverse of the ring's size: 2^32 times it, rounded up, and a shift.
__device__ static unsigned rest(unsigned x, unsigned size, unsigned inverse, unsigned shift)
{
    return x - ((__umulhi(x, inverse) + x) >> shift) * size;
}

extern "C" __global__ void ring(const float *samples, float *out, unsigned size, unsigned inverse, unsigned shift,
                                unsigned step, int taps)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < taps; k++)
        sum += samples[rest(i + k * step, size, inverse, shift)];
    out[i] = sum;
}
