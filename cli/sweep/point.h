/* SPDX-License-Identifier: BSD-3-Clause */
/* One point of a sweep. */
#ifndef PIPESIM_CLI_SWEEP_POINT_H
#define PIPESIM_CLI_SWEEP_POINT_H

#include "pipesim.h"

/* Where it is, and its number in the whole sweep, from 1. Of its values (one for each --vary) the
 * first so many are known. */
typedef struct {
    const PsIdg *idg;
    const PsGpu *gpu;
    PsRational *values;
    guint known;
    guint number;
} Point;

#endif
