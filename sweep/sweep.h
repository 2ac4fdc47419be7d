/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sweep: many runs side by side. A failing point is reported, and the others go on. Points are
 * not listed, so memory does not grow with their number, unless a budget of time or the best of
 * them are asked for.
 */
#ifndef PIPESIM_SWEEP_SWEEP_H
#define PIPESIM_SWEEP_SWEEP_H

#include "sweep/format.h"
#include "sweep/plan.h"
#include "sweep/resume.h"
#include "tell/sweep-chart.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The inputs and receivers of a sweep. Everything is borrowed. */
typedef struct {
    const PsSweepPlan *plan; /* checked */
    PsSweepForm form;        /* of the rows; PS_SWEEP_CSV with `resume` */
    const PsSweepCsv *csv;
    PsSweepResume *resume; /* rows that are there; NULL: there are none */
    PsSweepChart *chart;   /* takes the points; NULL: none does */
    gboolean (*put)(const char *text, gpointer data, GError **error); /* takes rows, in order */
    /* Takes the resumed file before the first row: it continues at the file's place. */
    void (*goes_on)(FILE *stream, gpointer data);
    /* Told, in this thread, of failing points and of other news for a person. */
    void (*tell)(const char *text, gboolean warning, gpointer data);
    gpointer data; /* of the three */
} PsSweepRun;

typedef struct {
    gboolean begun;            /* rows were put, so that there is something to keep */
    guint done, failed;        /* points; `done` counts those that were there */
    guint there, there_failed; /* points that a resumed file has */
} PsSweepResult;

/* Runs it to its end. FALSE and *error for what put says, a hearer that ends it, a file to resume
 * that is another sweep's, threads that cannot be had, and (PS_ERROR_TIME) a budget in which not
 * one point was done. */
gboolean ps_sweep_run(const PsSweepRun *run, PsSweepResult *result, GError **error);

/* A chart for the points of the plan: its title and axis (ps_sweep_chart_free). */
PsSweepChart *ps_sweep_chart_of(const PsSweepPlan *plan);

#pragma GCC visibility pop
G_END_DECLS
#endif
