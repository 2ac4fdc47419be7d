/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes a kernel's metrics from its counters, and says what is missing. See import.h for the
 * formulas themselves.
 */
#ifndef PIPESIM_ROOFLINE_FORMULA_H
#define PIPESIM_ROOFLINE_FORMULA_H

#include "roofline/import/import.h"

/* The state of a counter of a kernel. */
typedef struct {
    double sum;         /* sum over its launches, */
    gint64 n;           /* and the number of these */
    guint64 begun;      /* the launch that was begun when it was last put */
    double last;        /* in that launch */
    double estimate;    /* sum over launches that have only estimates, */
    gint64 n_estimated; /* and the number of these */
    guint64 begun_estimated;
    int missing; /* the line that says it has no value; 0: none */
} PsCounter;

/* How many launches have the counter, exact or estimated. */
static inline gint64 ps_counter_launches(const PsCounter *counter)
{
    return counter->n + counter->n_estimated;
}

/* Formulas with their counters by number. */
typedef struct {
    const PsFormulas *formulas;
    GPtrArray *names;               /* names of counters; borrowed */
    GArray *units;                  /* PsUnit of each */
    GHashTable *by_name;            /* number + 1 */
    int (*terms)[PS_FORMULA_TERMS]; /* -1 ends them */
} PsCounters;

void ps_counters_init(PsCounters *counters, const PsFormulas *formulas);
void ps_counters_clear(PsCounters *counters);

/* The metrics of so many launches from the sums of their counters; a counter that is missing in one
 * launch is missing. Sets a bit in *taken for each formula with a note that was taken, and in
 * *estimated for each metric with estimates. */
void ps_counters_metrics(const PsCounters *counters, const PsCounter *values, gint64 launches,
                         PsMetrics *metrics, guint64 *taken, guint *estimated);

/* A kernel that ran and whose counters, or those of all instructions, are all 0 was not counted:
 * these zeros become NaN. TRUE if so. */
gboolean ps_counters_forget(const PsCounters *counters, const PsCounter *values,
                            PsMetrics *metrics);

/* The bits of those metrics that the paper's parameters need and that are not known. */
guint ps_metrics_lacking(const PsMetrics *metrics);

/* Only the duration is known. */
gboolean ps_metrics_only_seconds(const PsMetrics *metrics);

/* What launches of a kernel lack, or kernels of the file. */
typedef struct {
    guint metrics;             /* bits */
    const PsCounter *counters; /* that may say why; NULL: none */
    gint64 launches;
    const char *whom; /* "" or "kernel 'name': " */
} PsLack;

/* Warns of these metrics: what they are needed for, why they are missing, and how to collect
 * them. */
void ps_counters_warn(const PsCounters *counters, const PsLack *lack, PsProfile *profile);

/* Warns of metrics that estimates are in: one bit for each. */
void ps_counters_warn_estimated(const PsCounters *counters, guint metrics, PsProfile *profile);

#endif
