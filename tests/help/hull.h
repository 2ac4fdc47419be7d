/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Curves of devices that are known, measured with noise, and how well their fits come out, counted.
 * Curves are those of equation 1, computed here, on the launches that a plan makes.
 */
#ifndef PIPESIM_TESTS_HELP_HULL_H
#define PIPESIM_TESTS_HELP_HULL_H

#include "latency-bench/fit.h"

/* A device to measure. */
typedef struct {
    double issue, completion;
    PsPipelineScope scope;
    gint64 schedulers;
    double port;   /* cycles per instruction of a scheduler's issue port; 0: none */
    double growth; /* Lambda of the most warps is 1 + growth times that of one */
    gint64 knee;   /* warps from which on it grows no more; 0: it grows all the way */
} HullTruth;

/* How it is measured. */
typedef struct {
    double noise;    /* standard deviation, as a share */
    double outliers; /* share of samples that take 1 to 5 times as long */
    gint64 most_warps, most_ilp;
    guint repeats;
    gboolean even;       /* without the odd numbers of warps that fill schedulers unevenly */
    double launch_noise; /* of all repeats of one launch alike */
    gboolean deep;       /* many chains of many warps, too, as the full grid has them */
} HullManner;

/* Two per cent of noise, one of outliers, up to 64 warps with 4 chains, 3 repeats. */
extern const HullManner hull_usual;

/* What a sample takes without noise. */
double hull_cycles(const HullTruth *truth, gint64 warps, gint64 ilp, gint64 most_warps);

/* A curve: PsHullPoint of each launch and repeat. */
GArray *hull_curve(const HullTruth *truth, const HullManner *manner, GRand *random);
void hull_fit(const GArray *points, gint64 schedulers, PsHullFit *result);

double hull_log_uniform(GRand *random, double low, double high);

/* ---- counts over draws --------------------------------------------------------------------- */

typedef struct {
    guint draws, both, right, wrong, issue_held, completion_held, tables, outliers;
} HullCounts;

gboolean hull_near(double value, double truth, double share);
gboolean hull_holds(const PsEstimate *estimate, double truth);

/* In per cent of the draws. */
double hull_share(const HullCounts *counts, guint count);

void hull_count(const HullTruth *truth, const PsHullFit *result, HullCounts *counts);
void hull_say(const char *what, const HullCounts *counts);

/* Draws for each seed. */
guint hull_draws(void);

typedef void (*HullCheck)(const HullTruth *truth, const PsHullFit *result, HullCounts *counts);

/* Many curves of one truth; check, if not NULL, sees each fit. */
HullCounts hull_repeat(const HullTruth *truth, const HullManner *manner, gint64 schedulers,
                       HullCheck check);

#endif
