/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The levels of the memory hierarchy that global memory goes through, from the compute unit
 * outwards: caches, then device memory. A GPU need not have all of them: L0 is a compute unit's own
 * cache where L1 belongs to several (RDNA).
 */
#ifndef PIPESIM_BASE_LEVEL_H
#define PIPESIM_BASE_LEVEL_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* From the compute unit outwards. */
typedef enum {
    PS_LEVEL_L0,
    PS_LEVEL_L1,
    PS_LEVEL_L2,
    PS_LEVEL_L3,
    PS_LEVEL_L4,
    PS_LEVEL_DEVICE,
    PS_N_LEVELS
} PsLevel;

/* "l0" ... "l4", "device": in graphs the attribute that says what reaches a level, in descriptions
 * the level's name. */
const char *ps_level_name(PsLevel level);

#pragma GCC visibility pop
G_END_DECLS
#endif
