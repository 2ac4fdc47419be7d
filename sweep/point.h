/* SPDX-License-Identifier: BSD-3-Clause */
/* One point of a sweep. */
#ifndef PIPESIM_SWEEP_POINT_H
#define PIPESIM_SWEEP_POINT_H

#include "gpu/gpu.h"
#include "idg/idg.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Where it is, and its number in the whole sweep, from 1. Of its values (one for each --vary) the
 * first so many are known. */
typedef struct {
    const char *name; /* of the graph; of code that is varied, whose graph has none before it is
                         built, that of --kernel or of the file */
    const char *file; /* of code that is varied; else NULL */
    guint pair;       /* number of the file and GPU, from 1 */
    const PsIdg *idg; /* NULL: of code that is varied */
    const PsGpu *gpu;
    const char *gpu_name; /* as --gpu has it, with `file` */
    PsRational *values;
    guint known;
    guint number;
} PsSweepPoint;

#pragma GCC visibility pop
G_END_DECLS
#endif
