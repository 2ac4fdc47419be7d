// SPDX-License-Identifier: BSD-3-Clause
// How fast particles are. Each has six values beside each other: where it is, and its velocity.

extern "C" __global__ void speed(const float *particles, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float vx = particles[6 * i + 3], vy = particles[6 * i + 4], vz = particles[6 * i + 5];
    out[i] = sqrtf(vx * vx + vy * vy + vz * vz);
}
