/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains of loads through a ring of lines (PS_MEMORY_RING). Lanes are `step` accesses of WORDS
 * words apart: a warp's lie in as many lines as that fills, and each of these is a part of the
 * ring's chain for itself. All parts of all chains start equally far from each other on the ring,
 * so that none meets what another one brought, as long as steps are fewer than the positions
 * between two of them.
 */
#define APART (step * WORDS)
#define SETUP                                                                                      \
    U32 lines = elements / 64u;                                                                    \
    while (lines & (lines - 1u))                                                                   \
        lines &= lines - 1u; /* to the largest power of two */                                     \
    const U32 parts = WARP_SIZE * APART > 64u ? WARP_SIZE * APART / 64u : 1u;
#define PART(i) ((U64)(WARP * ILP + (i)) * parts + LANE * APART / 64u)
#define POSITION(i) (PART(i) * lines / ((U64)WARPS * ILP * parts))
#define LINE(position) (0x9E3779B1u * (U32)((position) * ((position) + 1u) / 2u) & (lines - 1u))
#define START(i) POINTER_TO(LINE(POSITION(i)) * 64u + LANE * APART % 64u + zero)
