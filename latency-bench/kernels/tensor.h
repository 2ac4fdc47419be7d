/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensor cores, CUDA alone: products of half precision, added up in single precision, 16 * 8 * 16
 * multiply-adds per instruction of a warp (two of half that depth before sm_80), in four chains.
 * From sm_90 on instructions for four warps at once are faster than these.
 */
#if __CUDA_ARCH__ >= 800
#define MULTIPLY(i)                                                                                \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "            \
                 "{%4, %5, %4, %5}, {%6, %7}, {%0, %1, %2, %3};"                                   \
                 : "+f"(x##i[0]), "+f"(x##i[1]), "+f"(x##i[2]), "+f"(x##i[3])                      \
                 : "r"(a), "r"(b), "r"(c), "r"(d));
#else
#define HALF_DEPTH(i)                                                                              \
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "             \
                 "{%4, %5}, {%6}, {%0, %1, %2, %3};"                                               \
                 : "+f"(x##i[0]), "+f"(x##i[1]), "+f"(x##i[2]), "+f"(x##i[3])                      \
                 : "r"(a), "r"(b), "r"(c));
#define MULTIPLY(i) HALF_DEPTH(i) HALF_DEPTH(i)
#endif
#define STEP MULTIPLY(0) MULTIPLY(1) MULTIPLY(2) MULTIPLY(3)

KERNEL(NAME)
{
    const U32 zero = OPAQUE_ZERO, a = zero, b = zero + THREAD / 1024u, c = zero, d = zero;
    float x0[4] = {1, 2, 3, 4}, x1[4] = {1, 2, 3, 4}, x2[4] = {1, 2, 3, 4}, x3[4] = {1, 2, 3, 4};
    BARRIER;
    const U64 begin = COUNTER;
    ROLLED
    for (U32 k = 0; k < length; k++) {
        TRIP
    }
    const U64 end = COUNTER;
    if (x0[0] + x1[1] + x2[2] + x3[3] == 123456789.0f)
        sink[NUMBER] = step + elements + d;
    STAMP(begin, end)
}
