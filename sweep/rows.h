/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the rows of a sweep: one for each simulated point, with its warnings, its mark in the
 * chart, or the reason of its failure. */
#ifndef PIPESIM_SWEEP_ROWS_H
#define PIPESIM_SWEEP_ROWS_H

#include "sweep/job.h"
#include "sweep/sweep.h"

G_BEGIN_DECLS

typedef struct {
    const PsSweepRun *run;
    const PsSweepAsked *asked;
    const PsSweepPlan *plan;
    PsSweepResult *result;
    const PsSweepFormat *format;
    PsSweepPage page;
    guint last_pair;    /* of the last row; 0: there is none */
    GHashTable *warned; /* warnings that were said */
} PsSweepRows;

/* No row yet. The run and its result live longer; ps_sweep_rows_clear frees the rest. */
PsSweepRows ps_sweep_rows_new(const PsSweepRun *run, PsSweepResult *result);
void ps_sweep_rows_clear(PsSweepRows *rows);

/* Says a text to the run's caller, as a warning or as a note. */
void ps_sweep_rows_tell(const PsSweepRows *rows, const char *text, gboolean warning);

/* Says what building the point's graph told. */
void ps_sweep_rows_say_told(PsSweepRows *rows, const PsSweepJob *job);

/* Writes the row of a point that was done, well or not, and counts failures in the result. FALSE
 * and *error: it cannot be written. */
gboolean ps_sweep_rows_write(PsSweepRows *rows, const PsSweepJob *job, GError **error);

/* Hands the caller what the format has written so far, such as the head or the end. */
gboolean ps_sweep_rows_put(PsSweepRows *rows, GError **error);

G_END_DECLS
#endif
