/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reports the progress of long work to a function, which can end the work.
 *
 * Since: 0.1.0
 */
#ifndef PIPESIM_BASE_PROGRESS_H
#define PIPESIM_BASE_PROGRESS_H

#include "base/error.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The phase of the work; it says what PsProgress counts. */
typedef enum {
    PS_PHASE_RUN,    /* one simulation; nothing is counted */
    PS_PHASE_PLAN,   /* points whose needs are found out */
    PS_PHASE_POINTS, /* points that are simulated or measured */
    PS_PHASE_GROUP,  /* warp instructions that a kernel's group has executed, of those it may */
    PS_PHASE_FILE,   /* bytes of a file that is read */
    PS_PHASE_TOOL,   /* a program of others, such as a compiler; nothing is counted */
} PsPhase;

/* How far work is. */
typedef struct {
    PsPhase phase;
    guint64 done, of; /* `of` 0: not known */
    double share;     /* of the phase's time, as far as that can be told; 0: not known yet */
    gint64 since;     /* when the share was 0: microseconds of the monotonic clock */
} PsProgress;

/* Called some four times a second at most while work goes on, in the thread that asked for it.
 * FALSE ends the work soon, with PS_ERROR_CANCELLED. */
typedef gboolean (*PsProgressFunc)(const PsProgress *progress, gpointer data);

/* Whom work tells how far it is; func NULL: nobody. */
typedef struct {
    PsProgressFunc func;
    gpointer data;
} PsHearer;

#pragma GCC visibility pop
G_END_DECLS
#endif
