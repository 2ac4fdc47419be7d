/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains of loads through a ring that is larger than every cache. Lane l is `step` elements after
 * lane l - 1; warps start far from each other. An element is an index: computing its address is
 * part of the step, a few cycles of several hundred.
 */
#define SETUP
#define START(i)                                                                                   \
    (U32)(                                                                                         \
        ((U64)(elements / 64u) * (WARP * ILP + (i)) / (WARPS * ILP) * 64u + LANE * step + zero) %  \
        (elements / 64u * 64u))
