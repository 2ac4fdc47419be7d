/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A description with three levels of memory and accesses to it, for what the reference binds nodes
 * to (R7, R8).
 */
#ifndef PIPESIM_TESTS_HELP_LEVELS_H
#define PIPESIM_TESTS_HELP_LEVELS_H

#include "tests/help/by-hand.h"
#include "tests/help/reference-traffic.h"

/* Ten compute units at 1000 MHz share 2000 and 500 GB/s: 200 and 50 bytes per cycle for each. Times
 * of device memory are those of 500 MHz. */
extern const PsMemoryLevel level_l1, level_l2, level_device;

/* A node's bytes, shares and spot; NULL: not stated. */
typedef struct {
    const char *class_name, *bytes, *l0, *l1, *l2, *device, *spot, *turns, *lines, *wavefronts,
        *rows, *lanes;
    guint serial;
    const char *partial;
} Access;

/* A description of ten compute units with these levels; its pipelines are alu 0, mem 1 and atom 2.
 * The caller frees it with build_gpu_free. */
PsGpu *gpu_with(const PsMemoryLevel *levels, guint n);
PsGpu *gpu_of_three(void);

/* What a description has about atomics: 2.5 ns at one address, 10 at the lines. */
void add_atomics(PsGpu *gpu);

PsIdgItem *add_access(GPtrArray *body, const Access *access);
RefMemory memory_of(const PsGpu *gpu);

/* Stops end with a service of zero. */
void check_stops(const RefTraffic *traffic, const RefStop *stops);

/* lambda, Lambda and stops of the node must be these, in 1/1024 cycle. */
void check_traffic(const RefMemory *memory, const Access *access, gint64 issue, gint64 completion,
                   const RefStop *stops);

#endif
