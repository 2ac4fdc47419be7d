/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sinf and cosf of large angles: beyond 105615 the compiler's code for them takes a table in
 * constant memory and an array in local memory, on a branch that few threads take.
 */
extern "C" __global__ void trigonometry(int n, const float *angles, float *sines, float *cosines)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        sines[i] = sinf(angles[i]);
        cosines[i] = cosf(angles[i]);
    }
}
