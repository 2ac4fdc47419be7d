/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a launch begins with: its arguments, and memory that they lead to. That is each piece of
 * memory that an argument points into, each variable of the code, and pieces that these point into
 * in turn, as far as they are small enough to be tables of pointers. Kernels may reach more, by
 * numbers that nobody recognizes as pointers.
 */
#ifndef PIPESIM_LATENCY_BENCH_PROFILE_TAKING_H
#define PIPESIM_LATENCY_BENCH_PROFILE_TAKING_H

#include "latency-bench/profile/driver.h"
#include "latency-bench/profile/modules.h"

/* A call that launches, as it came. */
typedef struct {
    uint32_t call; /* CUPTI's number of it */
    uint32_t nth, device;
    const char *kernel; /* mangled */
    DriverLaunch launch;
    uint32_t cluster[3]; /* 0: as the code says */
    int cooperative;
} TakenCall;

/* Waits for all earlier work of the context that is current, copies, and writes it to the file. -1
 * and *why, static: it cannot be taken. One thread at a time. */
int ps_taking_take(const Driver *driver, Parts *parts, const Code *code, const TakenCall *call,
                   const char **why);

#endif
