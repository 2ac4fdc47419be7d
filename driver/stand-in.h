/* SPDX-License-Identifier: BSD-3-Clause */
/* What libraries of ours that stand in for others of NVIDIA's need of the driver, beside CUDA's
 * entries. */
#ifndef PIPESIM_DRIVER_STAND_IN_H
#define PIPESIM_DRIVER_STAND_IN_H

#include "card/card.h"
#include "driver/cuda.h"

#pragma GCC visibility push(default)

/* Launches a kernel in place of one of another library, whose work that says. */
CUresult driver_stand_in(const CUlaunchConfig *config, CUfunction function, void **params,
                         const PsCardStandIn *what);

/* An entry, or a part of it, is not there: says so, once. */
CUresult driver_missing(const char *name);

#pragma GCC visibility pop

#endif
