/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of the driver, beside CUDA's entries, for our libraries that stand in for others of
 * NVIDIA's. */
#ifndef PIPESIM_DRIVER_STAND_IN_H
#define PIPESIM_DRIVER_STAND_IN_H

#include "card/card.h"
#include "driver/cuda.h"

#pragma GCC visibility push(default)

/* Launches a kernel in place of another library's, whose work is given. */
CUresult driver_stand_in(const CUlaunchConfig *config, CUfunction function, void **params,
                         const PsCardStandIn *what);

/* Says, once, that an entry or a part of it is not there. */
CUresult driver_missing(const char *name);

#pragma GCC visibility pop

#endif
