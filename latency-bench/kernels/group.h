/* SPDX-License-Identifier: BSD-3-Clause */
/* Next to nothing, for what launches and their groups cost: an addition, or with STORES a store. */
#ifdef STORES
#define STEP OP_put(at)
#else
#define STEP OP_fadd(x, x)
#endif

KERNEL(NAME)
{
    const U32 zero = OPAQUE_ZERO, at = elements ? NUMBER % elements : zero;
    const float a = FROM_f(1u + zero);
    float x = FROM_f(at);
    ROLLED
    for (U32 k = 0; k < length; k++) {
        STEP
    }
    if (IS_f(x + a, 123456789u))
        sink[NUMBER] = step;
}
