// SPDX-License-Identifier: BSD-3-Clause
// The sum of a signal's frames, each a whole number of sectors apart; the header takes a whole sector.

extern "C" __global__ void shifted(const float *signal, float *out, int frame, int frames)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int f = 0; f < frames; f++)
        sum += signal[8 + f * frame + i];
    out[i] = sum;
}
