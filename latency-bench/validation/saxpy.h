/* SPDX-License-Identifier: BSD-3-Clause */
/* y = alpha * x + y, one element for each thread; the halves of the memory are x and y. */
KERNEL(NAME)
{
    const U32 i = NUMBER, n = elements / 2u;
    GLOBAL const float *x = (GLOBAL const float *)memory;
    GLOBAL float *y = (GLOBAL float *)memory + n;
    if (i < n)
        y[i] = FMA(0.5f, x[i], y[i]);
}
