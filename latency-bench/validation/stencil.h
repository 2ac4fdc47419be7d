/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A 7-point stencil: each thread goes through `length` planes of a volume, whose planes have `step`
 * by `step` elements with their edges. The halves of the memory are what is read and what is
 * written.
 */
KERNEL(NAME)
{
    const U32 width = step - 2u, plane = step * step;
    const U32 x = NUMBER % width + 1u, y = NUMBER / width + 1u;
    GLOBAL const float *a = (GLOBAL const float *)memory;
    GLOBAL float *b = (GLOBAL float *)memory + elements / 2u;
    const U64 begin = COUNTER;
    U32 i = plane + y * step + x;
    ROLLED
    for (U32 trip = 0; trip < length; trip++) {
        const float sum =
            a[i - 1u] + a[i + 1u] + a[i - step] + a[i + step] + a[i - plane] + a[i + plane];
        b[i] = FMA(0.1f, FMA(-6.0f, a[i], sum), a[i]);
        i += plane;
    }
    const U64 end = COUNTER;
    STAMP(begin, end)
}
