// SPDX-License-Identifier: BSD-3-Clause
// Sums over the channels of a radio telescope, each delayed by its share of a trial value: a thread makes TX samples of TY trials,
// beside each other, or a group's apart (STRIDE_X, STRIDE_Y). The delay is computed anew for each sum, as the data's page has it.
// A trial that does not exist is passed over as a whole, since in the measured rows groups at the end take no time for it.
__constant__ float shifts[CHANNELS];

extern "C" __global__ void __launch_bounds__(BX *BY)
    dedispersion(const unsigned char *in, float *out, int samples, int trials, int per_channel, float step) {
  const int x = blockIdx.x * BX * TX + threadIdx.x * (STRIDE_X ? 1 : TX);
  const int y = blockIdx.y * BY * TY + threadIdx.y * (STRIDE_Y ? 1 : TY);
  const int across = STRIDE_X ? BX : 1, down = STRIDE_Y ? BY : 1;
  float sum[TY][TX] = {};
  for (int channel = 0; channel < CHANNELS; channel++)
#pragma unroll
    for (int j = 0; j < TY; j++) {
      const int trial = y + j * down;
      if (trial >= trials) continue;
#pragma unroll
      for (int i = 0; i < TX; i++) {
        const int sample = x + i * across;
        if (sample < samples)
          sum[j][i] += in[channel * per_channel + sample + (unsigned)(trial * step * shifts[channel])];
      }
    }
#pragma unroll
  for (int j = 0; j < TY; j++)
#pragma unroll
    for (int i = 0; i < TX; i++)
      if (x + i * across < samples && y + j * down < trials) out[(y + j * down) * (long)samples + x + i * across] = sum[j][i];
}
