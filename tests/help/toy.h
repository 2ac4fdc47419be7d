/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel for tests of devices, and what is done with it on stand-ins for their drivers
 * (tests/help/stand-in.h).
 */
#ifndef PIPESIM_TESTS_HELP_TOY_H
#define PIPESIM_TESTS_HELP_TOY_H

#include "latency-bench/device.h"
#include "tests/help/stand-in.h"

/* A chase through memory. */
PsBenchKernel toy_kernel(void);
extern const PsBenchLaunch toy_launch;

/* The error is that one; it is freed. */
void toy_check_error(GError *error, PsErrorCode code, const char *message);

/* Opens, compiles, runs once, closes. NULL, or the first error. */
GError *toy_session_with(const char *backend, const PsBenchKernel *kernel,
                         const PsBenchLaunch *launch, PsBenchSample *sample);
GError *toy_session(const char *backend, PsBenchSample *sample);

/* Such a session tells what the stand-in does, and leaves nothing behind. */
void toy_check_sample(const StandIn *stand, const char *backend);

/* A call that fails when it is made for the at-th time, and what is said then. */
typedef struct {
    const char *call;
    int at, code;
    PsErrorCode error;
    const char *message;
} ToyFailure;

void toy_check_failures(const StandIn *stand, const char *backend, const ToyFailure *failures,
                        guint n);

/* Whatever call fails (a list that ends in NULL), and when: its name is told, and all is given back
 * that can be. */
void toy_check_every_call(const StandIn *stand, const char *backend, const char *const *calls);

#endif
