/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs of nested loops, branches, breaks, continues and early ends, and a run of them
 * that makes events as an executor does: lanes that part meet at the immediate post-dominator, one
 * side after the other. Ways are drawn by lot; there are no values.
 */
#ifndef PIPESIM_TESTS_HELP_HAND_RUN_H
#define PIPESIM_TESTS_HELP_HAND_RUN_H

#include "tests/help/hand-code.h"

typedef struct {
    GRand *rand;
    guint most_points;   /* about */
    gboolean wild;       /* breaks of several loops, ends inside loops */
    gboolean divergent;  /* lanes go different ways */
    gboolean last_first; /* of two sides, the later in the text goes first */
    guint most_steps;    /* about: then loops end */
} HandLot;

/* What a run did. */
typedef struct {
    GArray *points;     /* guint: of all steps that a lane executed, and branches, in order */
    gint64 entries[64]; /* of each loop, from outside */
} HandRun;

PsPtxCode *hand_program(const HandLot *lot);
void hand_run(const PsPtxCode *code, const HandLot *lot, const PsPtxListener *listener,
              HandRun *run);

#endif
