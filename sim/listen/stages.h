/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A listener that adds up how full the stages of software pipelines are, on the first CU: the
 * fillings that are under way (begun, and not all there), full (there, and not taken), and in use
 * (taken, and not given back), as means over the time from a group's first copy until it takes its
 * last filling.
 */
#ifndef PIPESIM_SIM_LISTEN_STAGES_H
#define PIPESIM_SIM_LISTEN_STAGES_H

#include "idg/rings.h"
#include "sim/sim.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Means, in fillings. */
typedef struct {
    double under_way, full;
    double in_use; /* NaN if nobody knows when stages are given back */
} PsStageMeans;

/* Sums that are being made. */
typedef struct PsStages PsStages;

/* The machine and the rings of its kernel (ps_rings_new) are borrowed, and must outlive it. */
PsStages *ps_stages_new(const PsMachine *machine, const GPtrArray *rings);
void ps_stages_free(PsStages *stages);

/* The listener to pass to ps_sim_run; borrowed, valid as long as stages is. */
PsListener ps_stages_listener(PsStages *stages);

/* The state of a filling. */
typedef enum { PS_STAGE_UNDER_WAY, PS_STAGE_FULL, PS_STAGE_IN_USE, PS_STAGE_N_STATES } PsStageState;

/* Fillings, or parts of one, that enter a state at a time (below 0: leave it), on the first CU. */
typedef struct {
    gint64 time; /* ticks */
    guint ring;  /* by its number */
    PsStageState state;
    double fillings;
} PsStageChange;

/* Is called at each change, as soon as the engine knows of it: in no order of time. */
typedef void (*PsStagesWatch)(void *data, const PsStageChange *change);
void ps_stages_watch(PsStages *stages, PsStagesWatch watch, void *data);

/* The means of a ring, by its number, when the run is over; NaN where the first CU had no such
 * group. */
PsStageMeans ps_stages_means(const PsStages *stages, guint ring);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsStages, ps_stages_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
