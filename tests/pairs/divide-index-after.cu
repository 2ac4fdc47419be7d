// SPDX-License-Identifier: BSD-3-Clause
// The same with the inverse of the width: 2^32 times it, rounded up, and a shift.
extern "C" __global__ void frames(const unsigned *offsets, float *out, unsigned inverse, unsigned shift, unsigned pitch,
                                  int steps)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < steps; k++) {
        unsigned pixel = i + offsets[k];
        unsigned row = (__umulhi(pixel, inverse) + pixel) >> shift;
        sum += (float)(row * pitch);
    }
    out[i] = sum;
}
