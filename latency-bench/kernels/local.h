/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains in local memory: each word holds its own address, and lane l stays at word l * step, so
 * that `step` of 32 lanes share one of 32 banks; what WORDS words are, lies side by side. All warps
 * use the same words, 32 for each lane.
 */
#define SETUP                                                                                      \
    for (U32 i = THREAD; i < 32u * WARP_SIZE; i += GROUP_SIZE)                                     \
        local_words[i + zero] = LOCAL_ADDRESS(i + zero);
#define START(i) LOCAL_ADDRESS(((LANE * step + (i)*WARP_SIZE) * WORDS + zero) % (32u * WARP_SIZE))
