/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The common declarations of the fit's files. All of them work on logarithms, because the noise of
 * a time is a share of it: in them equation 1 is the upper hull of straight branches, log c = max
 * over branches of (at + offset), where `at` is the logarithm of a latency and offset that of the
 * load that it counts for.
 */
#ifndef PIPESIM_LATENCY_BENCH_FIT_CURVE_H
#define PIPESIM_LATENCY_BENCH_FIT_CURVE_H

#include "latency-bench/fit.h"

typedef enum {
    PS_BRANCH_FLAT,      /* Lambda, for any load */
    PS_BRANCH_CU,        /* lambda, for W * ilp */
    PS_BRANCH_SCHEDULER, /* lambda', for ceil(W / S) * ilp */
    PS_N_BRANCHES
} PsBranch;

typedef struct {
    gint64 warps, ilp;
    double y; /* log cycles */
    double offset[PS_N_BRANCHES];
} PsCurvePoint;

/* Sorted by warps, ilp and y: repeats of one launch stand together, and nothing depends on the
 * order of the given points. */
typedef struct {
    PsCurvePoint *points;
    guint n;
} PsCurve;

typedef struct {
    double at[PS_N_BRANCHES]; /* -INFINITY: no such branch */
    double loss;              /* in units of the scale's square: as chi squared, but bounded */
} PsHull;

/* The scale of residuals, outliers apart. */
typedef struct {
    double variance;  /* of one point */
    guint freedom;    /* degrees of freedom */
    double inflation; /* by how much means over repeats vary more than repeats explain; 1: not */
    guint outliers;
    double explained; /* share of the variance of y */
} PsSpread;

/* Lambda by active warps. */
typedef struct {
    gint64 warps;
    double at;     /* log Lambda */
    double weight; /* points that tell it; 0: taken from the neighbours */
} PsTableLevel;

typedef struct {
    GArray *levels;  /* PsTableLevel, by growing warps */
    PsBranch branch; /* of the pipeline */
    double issue;    /* log lambda */
    guint steps;     /* levels that differ */
    double loss;
} PsTable;

/* A residual of more than this many scales counts for nothing. */
#define PS_OUTLIER 4.685

/* ---- robust figures (robust.c) --------------------------------------------------------- */

/* Tukey's biweight and its loss, which is u * u for small u and PS_OUTLIER squared / 3 at most. */
double ps_robust_weight(double u);
double ps_robust_loss(double u);

double ps_median(double *values, guint n); /* sorts them; n > 0 */

/* Standard deviation from the median of |residual|, for a fit with that many parameters. */
double ps_robust_scale(const double *residuals, guint n, guint parameters);

/* The same from repeats of the same launch alone; NaN if there are too few. */
double ps_repeat_scale(const PsCurve *curve);

/* The same from the smoothness of the curve; NaN if there are too few points. */
double ps_neighbour_scale(const PsCurve *curve);

/* residuals: of a fit with that many parameters, to points of that scale. */
void ps_spread(const PsCurve *curve, const double *residuals, double scale, guint parameters,
               PsSpread *spread);

/* The quantile of Student's distribution, for 95 % on both sides. */
double ps_student(guint freedom);

/* ---- the hull (hull.c) ----------------------------------------------------------------- */

double ps_hull_at(const PsHull *hull, const PsCurvePoint *point, PsBranch *branch);
void ps_hull_residuals(const PsHull *hull, const PsCurve *curve, double *residuals);

/* The hull of the flat branch and a pipeline's branch with the least sum of |residual|, over all
 * ways to divide the loads between them. */
void ps_hull_start(const PsCurve *curve, PsBranch branch, PsHull *hull);

/* Descends from there to the least robust loss. */
void ps_hull_refine(const PsCurve *curve, double scale, PsHull *hull);

/* ---- contention (table.c) -------------------------------------------------------------- */

/* A starting point for a curve whose Lambda grows with the warps, with that branch and a pipeline.
 * straight: a hull for the same. Free with ps_table_clear. */
void ps_table_start(const PsCurve *curve, const PsHull *straight, PsBranch branch, PsTable *table);
void ps_table_residuals(const PsTable *table, const PsCurve *curve, double *residuals);
void ps_table_refine(const PsCurve *curve, double scale, PsTable *table);
void ps_table_clear(PsTable *table);

const PsTableLevel *ps_table_level(const PsTable *table, gint64 warps);

/* By how much Lambda grows, as a logarithm. */
double ps_table_growth(const PsTable *table);

/* Picks the few levels between which straight lines give the others. Each gets issue, in cycles. */
GArray *ps_table_points(const PsTable *table, double issue); /* PsLatencyAt */

/* ---- which model (model.c) ------------------------------------------------------------- */

/* A curve and the findings about it. */
typedef struct {
    PsCurve curve;
    gint64 schedulers;          /* 0: not known */
    gboolean scope_hidden;      /* whatever scope fits best is not to be told */
    double scale;               /* of the residuals */
    PsHull cu, scheduler, both; /* the hypotheses */
    PsHull hull;                /* the chosen one of them */
    PsTable table;              /* in place of the hull, if it has levels */
    PsBranch alike;             /* branch that lambda is taken from */
    double *residuals;
    PsSpread spread;
    PsPipelineScope scope;
} PsFitWork;

/* Fits the hypotheses, then chooses the scope, then looks for contention; in this order. */
void ps_fit_hypotheses(PsFitWork *work);
void ps_fit_scope(PsFitWork *work);
void ps_fit_contention(PsFitWork *work);

/* TRUE if the lesser loss shows that the fit with the greater one lacks something. */
gboolean ps_fit_shows(const PsFitWork *work, double less, double more);

#endif
