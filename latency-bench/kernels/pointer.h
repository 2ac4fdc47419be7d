/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains of loads in a cache. Each thread has words of 64 bits that point to themselves, so that a
 * step is a load and nothing else; writing and loading them brings them into L2. For L1 all warps
 * of a group share those of one warp, for L2 each warp has its own, as far as the buffer reaches.
 */
#ifdef SHARED
#define SLOT(i) (((i)*WARP_SIZE + LANE) % (elements / 2u))
#else
#define SLOT(i) (((WARP * ILP + (i)) * WARP_SIZE + LANE) % (elements / 2u))
#endif
#define PUT(i) PUT_ADDRESS(START(i))
#define SETUP EACH(PUT)
#define START(i) ADDRESS(memory + 2u * SLOT(i))
