/* SPDX-License-Identifier: BSD-3-Clause */
/* What the preludes for CUDA and HIP, which come after it, have in common. */
typedef unsigned int U32;
typedef unsigned long long U64;

#define GLOBAL
#define LOCAL_WORDS extern __shared__ U32 local_words[];
#define CU cu_number()
#define STAMP(begin, end)                                                                          \
    if (LANE == 0) {                                                                               \
        times[2u * WARP] = begin;                                                                  \
        times[2u * WARP + 1u] = end;                                                               \
        cus[WARP] = CU;                                                                            \
    }

#define CONSTANT __constant__
#define OP_constant(x, y) x = *(const U32 *)((const char *)ring + x);
#define POINTER U64
#define POINTER_TO(word) ((U64)(memory + (word)))
#define PUT_POINTER(pointer) *(U32 *)(pointer) = (U32)(pointer);
