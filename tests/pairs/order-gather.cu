// SPDX-License-Identifier: BSD-3-Clause
// Particles in another order: what is stored of one quantity might be where the next one's places are.
extern "C" __global__ void gather(const int *cell, const int *place, const float *x, const int *link, const float *mass,
                                  int *out_cell, float *out_x, float *out_mass)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out_cell[i] = cell[i] & 1023;
    out_x[i] = x[place[i]];
    out_mass[i] = mass[link[i]];
}
