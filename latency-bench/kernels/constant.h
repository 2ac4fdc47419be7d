/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains of loads from constant memory, which are fast where all threads load the same: a ring of
 * offsets in bytes, on which each chain starts elsewhere; with APART each lane, too, so that no two
 * ever load the same.
 */
CONSTANT U32 ring[32] = {28,  24, 4,  0,  8,  12, 16, 20, 60,  56, 36, 32,  40,  44,  48,  52,
                         124, 64, 72, 76, 80, 84, 88, 92, 100, 96, 68, 104, 108, 112, 116, 120};
#define SETUP
#ifdef APART
#define START(i) (CONSTANT_ZERO + 4u * ((LANE + (i)) % 32u))
#else
#define START(i) (CONSTANT_ZERO + 4u * (i))
#endif
