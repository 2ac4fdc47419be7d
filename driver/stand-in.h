/* SPDX-License-Identifier: BSD-3-Clause */
/* The driver's functions, beside CUDA's entries, for pipesim's libraries that stand in for
 * NVIDIA's. */
#ifndef PIPESIM_DRIVER_STAND_IN_H
#define PIPESIM_DRIVER_STAND_IN_H

#include "card/card.h"
#include "driver/cuda.h"

#pragma GCC visibility push(default)

/* Launches a kernel in place of another library's, with that kernel's work. */
CUresult driver_stand_in(const CUlaunchConfig *config, CUfunction function, void **params,
                         const PsCardStandIn *what);

/* Says once that an entry, or a part of it, is not supported. */
CUresult driver_missing(const char *name);

#pragma GCC visibility pop

#endif
