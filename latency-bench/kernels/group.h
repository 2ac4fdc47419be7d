/* SPDX-License-Identifier: BSD-3-Clause */
/* Next to nothing, for what launches cost. */
KERNEL(NAME)
{
    const U32 zero = OPAQUE_ZERO;
    const float a = FROM_f(1u + zero);
    float x = FROM_f(zero);
    ROLLED
    for (U32 k = 0; k < length; k++) {
        OP_fadd(x, x)
    }
    if (IS_f(x, 123456789u))
        sink[NUMBER] = step + elements;
}
