/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What every micro-benchmark shares, in the C that CUDA, HIP and OpenCL have in common. It comes
 * after a prelude, which defines
 *
 *     U32, U64              unsigned types
 *     GLOBAL, LOCAL         what pointers to device and local memory are qualified with
 *     KERNEL(name)          the head of a kernel, with all its parameters
 *     LOCAL_WORDS           declares local_words, the dynamic local memory, if that is no parameter
 *     THREAD, GROUP, GROUP_SIZE, GROUPS, WARP_SIZE
 *     BARRIER, COUNTER, CU  CU is the number of the compute unit
 *     STAMP(begin, end)     writes what a warp took, where the device has a counter
 *     HIDE(x)               hides from the compiler what x holds, where that costs nothing
 *     OP_class(x, y)        one step of a chain: x (with y) needs what the last step made
 *     POINTER, POINTER_TO(word)
 *                           a type that says where a word of the buffer is, so that a load of 4
 *                           bytes says where the next one is, and nothing needs to be worked out:
 *                           an address, of which words hold the lower half, or an index
 *     PUT_POINTER(pointer)  has the word there lead to itself
 *     TYPE_h, FROM_h(n), IS_h(x, n)   half precision: a type, a value of it, a comparison
 *
 * A compiler must not see through a chain. So operands and starts depend on `zero`, which is 0 in
 * every launch that is made (lengths are below 2^30) and could be anything for all that a compiler
 * knows, in each thread something else: no value is known, none is one for all threads. Results are
 * compared with a value that they never have.
 */

#define ROLLED _Pragma("unroll 1")

#define TYPE_f float
#define FROM_f(n) ((float)(n))
#define IS_f(value, n) ((value) == (float)(n))
#define TYPE_d double
#define FROM_d(n) ((double)(n))
#define IS_d(value, n) ((value) == (double)(n))
#define TYPE_i U32
#define FROM_i(n) (n)
#define IS_i(value, n) ((value) == (n))
#define TYPE_p POINTER
#define FROM_p(n) ((POINTER)(n))
#define IS_p(value, n) ((value) == (POINTER)(n))

/* With nothing in it the loop would be removed: an addition, which is done before a trip is. */
#define OP_loop(x, y) OP_fadd(x, y)

/* A step, repeated. A kernel says TRIP is one of these. */
#define S1 STEP
#define S2 S1 S1
#define S4 S2 S2
#define S8 S4 S4
#define S16 S8 S8
#define S32 S16 S16
#define S64 S32 S32

/* A word of a buffer; who wants to see addresses says otherwise. */
#ifndef MEMORY_AT
#define MEMORY_AT(buffer, at) (buffer)[at]
#endif

#define LANE (THREAD % WARP_SIZE)
#define WARPS_OF_GROUP ((GROUP_SIZE + WARP_SIZE - 1u) / WARP_SIZE)
#define WARP (GROUP * WARPS_OF_GROUP + THREAD / WARP_SIZE)
#define WARPS (GROUPS * WARPS_OF_GROUP)

#define OPAQUE_ZERO ((length >> 30) * 2654435769u * (THREAD + 1u))

/* Threads of the launch, and this one's number. */
#define THREADS (GROUPS * GROUP_SIZE)
#define NUMBER (GROUP * GROUP_SIZE + THREAD)
