/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dedispersion, as radio telescopes need it: for each trial value and each sample a sum over channels,
 * each delayed by so many samples as the trial value says. A thread makes TILE_X samples by TILE_Y
 * trial values, those of the last row of groups but for what lies beyond the last one.
 */
#define TILE_X 3
#define TILE_Y 2

extern "C" __global__ void dedisperse(const unsigned char *in, float *out, const float *delays,
                                      int channels, int per_channel, int samples, int trials, float step)
{
    const int sample = (blockIdx.x * blockDim.x + threadIdx.x) * TILE_X;
    const int trial = (blockIdx.y * blockDim.y + threadIdx.y) * TILE_Y;

    for (int y = 0; y < TILE_Y && trial + y < trials; y++) {
        float sum[TILE_X] = {0.0f};
#pragma unroll 1
        for (int channel = 0; channel < channels; channel++) {
            const unsigned int delay = (unsigned int)((trial + y) * step * delays[channel]);
            for (int x = 0; x < TILE_X; x++)
                if (sample + x < samples)
                    sum[x] += in[channel * per_channel + sample + x + delay];
        }
        for (int x = 0; x < TILE_X; x++)
            if (sample + x < samples)
                out[(trial + y) * samples + sample + x] = sum[x];
    }
}
