/* SPDX-License-Identifier: BSD-3-Clause */
/* Guesses how many groups and threads a launch has where nobody gave them, and which numbers
 * suggest that. */
#ifndef PIPESIM_LAUNCH_GUESS_SHAPE_H
#define PIPESIM_LAUNCH_GUESS_SHAPE_H

#include "launch/arguments-private.h"
#include "ptx/run/uses.h"

typedef struct {
    guint groups[3], threads[3];
    PsIdgSure grid_sure, block_sure;
    const char *grid_because, *block_because; /* NULL: it is given, or the kernel requires it */
    gint64 apart; /* distance of groups in some direction, if it exceeds that of their threads;
                     0: no */
} PsGuessShape;

typedef struct {
    gint64 value;
    PsIdgSure sure;
    const char *because;
} PsGuessNumber;

/* Guesses the missing parts. gpu may be NULL. FALSE and *error (PS_ERROR_USAGE) if a given part is
 * wrong, or follows from a missing one. */
gboolean ps_guess_shape(PsGuessShape *shape, const PsTaking *taking, const PsPtxUses *uses,
                        const PsGpu *gpu, GError **error);

/* The number that this use of an argument suggests. */
PsGuessNumber ps_guess_number(const PsGuessShape *shape, const PsPtxUse *use);

/* "56x56" (g_free). */
char *ps_guess_extent(const guint size[3]);

#endif
