// SPDX-License-Identifier: BSD-3-Clause
// How fast particles are. Each of their six values has an array of its own.

extern "C" __global__ void speed(const float *particles, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float vx = particles[3 * n + i], vy = particles[4 * n + i], vz = particles[5 * n + i];
    out[i] = sqrtf(vx * vx + vy * vy + vz * vz);
}
