// SPDX-License-Identifier: BSD-3-Clause
// Pixels by their number: row and column by division, in each step of a loop over frames.
extern "C" __global__ void frames(const unsigned *offsets, float *out, unsigned width, unsigned pitch, int steps)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < steps; k++) {
        unsigned pixel = i + offsets[k];
        unsigned row = pixel / width;
        sum += (float)(row * pitch);
    }
    out[i] = sum;
}
