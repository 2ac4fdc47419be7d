/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Charts as gnuplot scripts with their data inside. They set no terminal and no output: the caller
 * that runs the script decides where the picture goes.
 */
#ifndef PIPESIM_ROOFLINE_DRAW_H
#define PIPESIM_ROOFLINE_DRAW_H

#include "roofline/ceilings.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef enum {
    PS_DRAW_ROOFLINE,     /* performance over operational intensity, all compute ceilings */
    PS_DRAW_HIERARCHICAL, /* one point per memory level of each kernel, all bandwidth ceilings */
    PS_DRAW_QUADRANTS     /* throughput over bandwidth: GPUs are points, kernels half-lines */
} PsDrawKind;

/* A kernel in a chart; everything is borrowed. */
typedef struct {
    const char *name;
    gint64 launch;    /* tells kernels of one name apart if it is not 0; */
    const char *file; /* the file's name, which tells them apart if files differ; NULL: not known */
    const PsParams *params;
    const PsCeilings *ceilings; /* its counts, and the peaks that count for it on that GPU */
    double rate;                /* operations per second, achieved or predicted; NaN: no point */
    gboolean estimated;         /* the rate is predicted, not measured: such points are marked */
    guint gpu;                  /* index of its GPU */
    double adjusted;            /* T'_op of equation 18 there; NaN or 0: not drawn */
    gboolean says_shared;       /* the profiler's word for the memory of a group, else "local" */
} PsDrawKernel;

typedef struct {
    const char *name;
    const PsPeaks *peaks;
} PsDrawGpu;

typedef struct {
    PsDrawKind kind;
    const char *title; /* NULL: one that tells what is shown */
    GArray *gpus;      /* PsDrawGpu, at least one */
    GArray *kernels;   /* PsDrawKernel */
    gboolean
        trajectory; /* kernels are versions of one, in this order: arrows from each to the next */
    int discounted; /* index of the kernel through whose point the discounted roofline goes; -1:
                       none */
} PsDraw;

/* The script (g_free), and the height of its page, as of ps_chart_script. Kernels with a point are
 * numbered in their order (a few with short names show their names), at most 42; the same name on
 * several GPUs is one kernel. Kernels without a point stand in the key, with the reason. NULL and
 * *error (PS_ERROR_VALUE), with what is not known, if nothing can be drawn. */
char *ps_draw_script(const PsDraw *draw, double *height, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
