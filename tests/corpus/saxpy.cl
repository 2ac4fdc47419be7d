/* SPDX-License-Identifier: BSD-3-Clause */
/* y = a * x + y, one element per work-item; the last group is not full. */

__kernel void saxpy(int n, float a, __global const float *x, __global float *y)
{
    const int i = get_global_id(0);

    if (i < n)
        y[i] = a * x[i] + y[i];
}
