// SPDX-License-Identifier: BSD-3-Clause
// Particles in another order: what is stored of one quantity might be where the next one's places are.
extern "C" __global__ void gather(const int *__restrict__ cell, const int *__restrict__ place, const float *__restrict__ x,
                                  const int *__restrict__ link, const float *__restrict__ mass,
                                  int *__restrict__ out_cell, float *__restrict__ out_x, float *__restrict__ out_mass)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out_cell[i] = cell[i] & 1023;
    out_x[i] = x[place[i]];
    out_mass[i] = mass[link[i]];
}
