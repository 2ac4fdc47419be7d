/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries of the runtime that are the driver's. */
#ifndef PIPESIM_DRIVER_SAME_H
#define PIPESIM_DRIVER_SAME_H

#include "driver/runtime.h"

/* An entry whose parameters are the driver's. */
#define SAME(NAME, TYPES, VALUES)                                                                  \
    CUresult cu##NAME TYPES;                                                                       \
    cudaError_t cuda##NAME TYPES                                                                   \
    {                                                                                              \
        RUNTIME_CALL(cu##NAME VALUES);                                                             \
    }
/* ... of a variant that has a number there. */
#define SAME_AS(NAME, VARIANT, TYPES, VALUES)                                                      \
    CUresult VARIANT TYPES;                                                                        \
    cudaError_t cuda##NAME TYPES                                                                   \
    {                                                                                              \
        RUNTIME_CALL(VARIANT VALUES);                                                              \
    }

#endif
