/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations and stores that nothing waits for. What comes before says OP, and of what each
 * thread touches in the first trip, and how many words further on in the next:
 *
 *     PLACE   word
 *     STRIDE  words; at the end of the buffer it goes on at its start
 */
KERNEL(NAME)
{
    LOCAL_WORDS
    const U32 zero = OPAQUE_ZERO;
    U32 at = (PLACE + zero) % elements;
    BARRIER;
    const U64 begin = COUNTER;
    ROLLED
    for (U32 k = 0; k < length; k++) {
        OP(at)
        at = (at + STRIDE) % elements;
    }
    const U64 end = COUNTER;
    if (at == 0xffffffffu)
        sink[NUMBER] = step;
    STAMP(begin, end)
}
