/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a GPU's description states, figure by figure, each with its source: for the tables of show,
 * of one GPU and of two side by side.
 */
#ifndef PIPESIM_CLI_SHOW_FIGURES_H
#define PIPESIM_CLI_SHOW_FIGURES_H

#include "pipesim-private.h"

/* Parts of a description. */
typedef enum {
    PART_CHIP,
    PART_LIMITS,
    PART_CACHE,
    PART_LEVELS,
    PART_REQUESTS,
    PART_ATOMICS,
    PART_LOCAL,
    PART_PIPELINES,
    PART_PEAKS,
    PART_OVERHEADS,
    N_PARTS
} Part;

typedef struct {
    char *name;         /* "registers", unlike all others of the part */
    char *value;        /* as people read it: "65 536", "229 at 1740 MHz", "one for the CU" */
    double number;      /* to be compared; of a latency at a clock nanoseconds; NaN: a word */
    gboolean is_time;   /* it is such a latency */
    const char *unit;   /* "per CU"; "" */
    const char *source; /* id of a source of the description, or NULL */
} Figure;

/* The heading of a part. */
const char *figures_title(Part part);

/* The figures of that part (g_ptr_array_unref), an array of Figure that is empty where the
 * description says nothing of it. They borrow from the description. */
GPtrArray *figures_of(const PsGpu *gpu, Part part);

/* The id of the source that a peak comes from; NULL where none is named. */
const char *figures_peak_source(const PsGpu *gpu, PsPeakKind kind, PsPeakOrigin origin);

#endif
