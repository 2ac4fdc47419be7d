// SPDX-License-Identifier: BSD-3-Clause
// Values of cubic splines: for each place the four coefficients of its interval, which lie beside each other.

extern "C" __global__ void lookup(const float *table, const unsigned *interval, const float *place, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *c = table + 4 * (interval[i] & 4095);
    float t = place[i];
    out[i] = ((c[3] * t + c[2]) * t + c[1]) * t + c[0];
}
