/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stand-ins for CUDA's driver and CUPTI, as far as `pipesim profile` meets them: the program
 * cupti-app.c does what its arguments say, the driver of cupti-cuda.c loads the injected library
 * and tells cupti-library.c of launches, which calls back and counts as CUPTI would. What a launch
 * counts follows from its grid, so that a test sees which counters went to which launch.
 * cupti-shim.c tells the same CUPTI of programs that run on pipesim's own driver.
 */
#ifndef PIPESIM_TESTS_STAND_IN_CUPTI_H
#define PIPESIM_TESTS_STAND_IN_CUPTI_H

#include "latency-bench/profile/cupti-api.h"

#include <stdint.h>

typedef struct {
    void *context;
    uint32_t device;
    const char *kernel;
    int32_t grid;
    int is_graph, fails;
} StandInLaunch;

typedef void (*StandInLaunchFunction)(const StandInLaunch *launch);
typedef void (*StandInContextFunction)(void *context);

#endif
