// SPDX-License-Identifier: BSD-3-Clause
// A ring of samples: the place is a remainder by the ring's size.
extern "C" __global__ void ring(const float *samples, float *out, unsigned size, unsigned step, int taps)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < taps; k++)
        sum += samples[(i + k * step) % size];
    out[i] = sum;
}
