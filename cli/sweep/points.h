/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The points of a sweep for one graph on one GPU: every combination of the varied values, the last
 * list fastest. They are made one at a time, since there may be ten million. max is what occupancy
 * allows with the values of the lists before it (and never more groups than a CU has to run).
 */
#ifndef PIPESIM_CLI_SWEEP_POINTS_H
#define PIPESIM_CLI_SWEEP_POINTS_H

#include "cli/options.h"
#include "pipesim.h"

/* One simulation with its options, the varied values in their places. */
typedef struct {
    PsQuestion question; /* points into what follows */
    PsScope *params;
    GPtrArray *latencies;         /* NULL where none change */
    GPtrArray *what_if_latencies; /* the same and the what-if's; NULL where none was asked */
} Setup;

/* The options with the first n of the varied values. NULL and *error for a latency that cannot
 * be. */
Setup *setup_new(const Options *options, const PsIdg *idg, const PsGpu *gpu,
                 const PsRational *values, guint n, GError **error);
void setup_free(Setup *setup);

typedef struct Points Points;

/* One point: where it is, and its number in the whole sweep, from 1. Of its values (one for each
 * --vary) the first so many are known. */
typedef struct {
    const PsIdg *idg;
    const PsGpu *gpu;
    PsRational *values;
    guint known;
    guint number;
} Point;

/* All are borrowed. */
Points *points_new(const Options *options, const PsIdg *idg, const PsGpu *gpu);
void points_free(Points *points);

/* Makes the next point. FALSE at the end. values (one for each --vary) receives it; *known says how
 * many of them are set: fewer than all only with *error, when the list behind them cannot be made;
 * the points that it would have had are passed over. */
gboolean points_next(Points *points, PsRational *values, guint *known, GError **error);

/* How many points there are; where they are more than VARY_MAX_POINTS, some number above that. Only
 * lists before a max are walked. */
gint64 points_count(const Options *options, const PsIdg *idg, const PsGpu *gpu);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Setup, setup_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Points, points_free)

#endif
