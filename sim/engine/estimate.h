/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Estimates: where no exact repeat was found in time (sim/engine/forward.h), a stretch that is
 * steady (sim/engine/steady.h) is taken to go on as it did in the mean. The state of the engine
 * goes on as it is, so what comes after, the end above all, is simulated from a state as there was
 * one:
 *
 * - Groups (depth 0): so many groups that wait are passed over as were launched in whole multiples
 *   of the stretch. A sample is as many launches as groups are on the CU at once.
 * - Loops (depth 1 and deeper): every warp goes on by whole iterations of its loop, a multiple of
 *   what it, or where there are barriers its group, went in the stretch.
 *
 * Time goes by work: the instructions that were passed over, whose number is known exactly. The
 * uncertainty is added up in PsEngine.doubt. Errors by chance are added as squares. Errors that may
 * all go to the same side, such as a rate that still changes, are added as they are. An estimate in
 * a loop is part of a group's time, so its uncertainty grows with the groups that are passed over.
 * The simulation behind an estimate is another course of the same run (PsEngine.scatter). Counts
 * decide everything, so the result is the same each time. Internal to sim/.
 */
#ifndef PIPESIM_SIM_ENGINE_ESTIMATE_H
#define PIPESIM_SIM_ENGINE_ESTIMATE_H

#include "sim/engine/engine.h"
#include "sim/engine/steady.h"

/* Depths that are distinguished: launches, and loops down to this many less one. */
#define PS_FORWARD_DEPTHS 4

/* Iterations that each warp goes in a stretch of loops, at least. */
#define PS_ESTIMATE_LEAST_TRIPS 2

/* Iterations of each loop that are simulated at its end. */
#define PS_ESTIMATE_LAST_ITERATIONS 2

/* Iterations that are left of a warp's loop: of the node that is ahead, and of the one behind. 0:
 * it is not in the loop. */
typedef struct {
    gint64 ahead, behind;
} PsEstimateTrips;

/* The state at the start of a series, and at a start to come. */
typedef struct {
    gint64 launched;
    guint residents;
    gint64 *left; /* of each slot's warp: instances */
    PsEstimateTrips *trips;
} PsEstimateMark;

typedef struct {
    PsSteady steady;
    gint64 launched;         /* groups at the latest event */
    guint start;             /* the mark with which the series began */
    PsEstimateMark marks[2]; /* the other one of the start to come */
    guint tested;            /* points at the last test */
} PsEstimateSeries;

typedef struct {
    gboolean on;
    PsEstimateSeries *series; /* [depth] */
} PsExtrapolation;

/* A stretch to be passed over. */
typedef struct {
    guint depth;
    double most;    /* how often the stretch may be repeated */
    gint64 times;   /* how often it is */
    gint64 groups;  /* of the stretch; 0: of loops */
    double work;    /* instructions of the stretch */
    double trips;   /* of loops: iterations in it of the warp that went fewest */
    double apart;   /* of loops: iterations by which warps taken to go on alike differ */
    double rate;    /* ticks that an instruction takes, once it is decided */
    double scatter; /* ps_steady_scatter of the part that is simulated after it */
} PsEstimateStep;

/* on: time may be skipped. */
void ps_estimate_init(PsExtrapolation *estimate, const PsEngine *engine, gboolean on);
void ps_estimate_clear(PsExtrapolation *estimate);

/* Begins anew at all deeper depths; with `too` at that depth, too. */
void ps_estimate_restart(PsExtrapolation *estimate, const PsEngine *engine, guint depth,
                         gboolean too);

/* The outcome of an event. */
typedef enum { PS_ESTIMATE_NOTHING, PS_ESTIMATE_MARK, PS_ESTIMATE_TEST } PsEstimateEvent;

/* Counts an event at this depth. The result: nothing more to do; or there is a new mark, whose
 * trips the caller sets; or the caller shall look whether something can be passed over. */
PsEstimateEvent ps_estimate_event(PsExtrapolation *estimate, PsEngine *engine, guint depth);

/* The latest mark, of the start to come. */
PsEstimateMark *ps_estimate_mark(const PsExtrapolation *estimate, guint depth);

/* The loop at a depth that holds most of a program's work; NULL if there is none. */
const PsPlanLoop *ps_estimate_loop(const PsPlanProgram *program, guint depth);

/* How many instances of a node an iteration of a loop has; 0 for a node that is not in it. */
static inline gint64 ps_estimate_per_iteration(const PsPlanNode *node, guint loop)
{
    gint64 instances = 1;
    for (guint l = 0; l < node->n_loops; l++) {
        if (node->loops[l].number == loop)
            return instances;
        instances *= node->loops[l].trips;
    }
    return 0;
}

/* Sets the iterations, and parts of one, that each slot's warp went from the mark to `now`, and
 * step->apart. FALSE if the warps do not all go on alike, if some nodes of a warp run ahead of
 * others, or if groups were launched or ended since. */
gboolean ps_estimate_trips(const PsExtrapolation *estimate, const PsEngine *engine,
                           PsEstimateStep *step, const PsEstimateTrips *now, double *trips);

/* Finds a stretch of groups, and how often it may be repeated. FALSE: none was launched. */
gboolean ps_estimate_groups(const PsExtrapolation *estimate, const PsEngine *engine,
                            PsEstimateStep *step);

/* Decides whether the stretch is repeated, and if so how often. */
gboolean ps_estimate_decide(const PsExtrapolation *estimate, PsEngine *engine,
                            PsEstimateStep *step);

/* Half of the 95 % interval of the end of the run, in ticks. */
double ps_estimate_half_width(const PsEngine *engine);

/* Passes so many instructions over: warps have their new counters. Calls the listeners. */
void ps_estimate_skip(PsExtrapolation *estimate, PsEngine *engine, const PsEstimateStep *step,
                      gint64 work);

#endif
