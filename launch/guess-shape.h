/* SPDX-License-Identifier: BSD-3-Clause */
/* How many groups and threads a launch has that nobody gave, and what numbers they suggest. */
#ifndef PIPESIM_LAUNCH_GUESS_SHAPE_H
#define PIPESIM_LAUNCH_GUESS_SHAPE_H

#include "launch/arguments-private.h"
#include "ptx/run/uses.h"

typedef struct {
    guint groups[3], threads[3];
    PsIdgSure grid_sure, block_sure;
    const char *grid_because, *block_because; /* NULL: it is given, or the kernel requires it */
    gint64 apart; /* groups are so far apart in some direction, further than their threads; 0: no */
} PsGuessShape;

typedef struct {
    gint64 value;
    PsIdgSure sure;
    const char *because;
} PsGuessNumber;

/* What is given stays. gpu may be NULL. FALSE and *error (PS_ERROR_USAGE) where what is given is
 * wrong, or follows from what is not. */
gboolean ps_guess_shape(PsGuessShape *shape, const PsTaking *taking, const PsPtxUses *uses,
                        const PsGpu *gpu, GError **error);

/* The number that this use suggests. */
PsGuessNumber ps_guess_number(const PsGuessShape *shape, const PsPtxUse *use);

/* "56x56" (g_free). */
char *ps_guess_extent(const guint size[3]);

#endif
