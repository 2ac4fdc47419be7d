/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A step of the heat equation on a box of nx by ny by nz points: a point and its six neighbours.
 * Each thread walks along z and keeps the points below, here and above in registers. The rim stays.
 */
extern "C" __global__ void stencil7(int nx, int ny, int nz, float centre, float side,
                                    const float *__restrict__ in, float *__restrict__ out)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;

    if (x >= nx - 1 || y >= ny - 1)
        return;
    const int plane = nx * ny;
    int i = y * nx + x;
    float below = in[i];
    float here = in[i += plane];
    for (int z = 1; z < nz - 1; z++, i += plane) {
        const float above = in[i + plane];
        const float around = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx];
        out[i] = centre * here + side * (around + below + above);
        below = here;
        here = above;
    }
}
