/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains in local memory: each word holds its own address, and lane l stays at word l * step, so
 * that `step` of 32 lanes share one of 32 banks; what WORDS words are, lies side by side. All warps
 * use the same words, 32 for each lane. LIKE says whose words a lane takes, where these are not its
 * own.
 */
#ifndef LIKE
#define LIKE LANE
#endif
#define SETUP                                                                                      \
    for (U32 i = THREAD; i < 32u * WARP_SIZE; i += GROUP_SIZE)                                     \
        local_words[i + zero] = LOCAL_ADDRESS(i + zero);
#define START(i) LOCAL_ADDRESS(((LIKE * step + (i)*WARP_SIZE) * WORDS + zero) % (32u * WARP_SIZE))
