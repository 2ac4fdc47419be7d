/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains in a cache. Each thread has words that point to themselves, so that a step is an access
 * and nothing else; writing and accessing them brings them into L2. For L1 all warps of a group
 * share those of one warp, for L2 each warp has its own, as far as the buffer reaches.
 */
#ifdef SHARED
#define SLOT(i) ((i)*WARP_SIZE + LANE)
#else
#define SLOT(i) ((WARP * ILP + (i)) * WARP_SIZE + LANE)
#endif
#define PUT(i) PUT_POINTER(START(i) + zero)
#define SETUP EACH(PUT)
#define START(i) POINTER_TO(SLOT(i) % elements)
