// SPDX-License-Identifier: BSD-3-Clause
// The mean direction from each point to a few others.
extern "C" __global__ void directions(const float *x, const float *y, const float *others, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float px = x[i], py = y[i], sx = 0, sy = 0;
    for (int k = 0; k < n; k++) {
        float dx = others[2 * k] - px, dy = others[2 * k + 1] - py;
        float length = sqrtf(dx * dx + dy * dy);
        sx += dx / length;
        sy += dy / length;
    }
    out[i] = sx * sx + sy * sy;
}
