/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a walk through the spots: the writers of values, and operations under way beside the
 * warp. */
#ifndef PIPESIM_LIFT_VALUES_WALK_H
#define PIPESIM_LIFT_VALUES_WALK_H

#include "lift/values/producers.h"
#include "lift/values/spots.h"

G_BEGIN_DECLS

/* Groups of copies under way that are kept apart; older ones count as one. */
#define PS_WALK_GROUPS 16
/* Scoreboards of a warp. */
#define PS_WALK_BOARDS 6

/* The latest executions of a copy that waits for mbarriers refer to. */
typedef struct {
    guint point;
    guint n;             /* so many are needed */
    PsProducers *values; /* the latest first */
} PsLatest;

typedef struct {
    PsSpots *spots;
    guint n_values;
    PsProducers *values;              /* values of the registers, followed by those below */
    PsProducers *open[PS_N_BESIDE];   /* what goes on beside the warp and is in no group yet */
    PsProducers *groups[PS_N_BESIDE]; /* its groups, the latest first */
    /* Copies whose end was waited for since the last barrier, and waits for mbarriers. */
    PsProducers *waited;
    PsProducers *access; /* accesses since the last barrier */
    PsProducers *boards; /* machine code: of each scoreboard, what has yet to release it */
    guint owed;          /* those that the next node waits for, as bits */
    PsProducers sources; /* what the present step reads */
    PsProducers read;    /* machine code: the same by registers */
    gint64 *count;       /* per spot: instances so far */
    PsProducers *extra;  /* per spot: what other parts of its node, executed before, read */
    guint64 steps;
    guint n_latest; /* copies that waits for mbarriers refer to */
    PsLatest *latest;
} PsWalk;

/* Executes the step at that spot: its edges, and what its results are made by. */
void ps_walk_step(PsWalk *walk, guint at);

G_END_DECLS
#endif
