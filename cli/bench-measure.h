/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of bench that needs a device: from the device to a file of measurements. */
#ifndef PIPESIM_CLI_BENCH_MEASURE_H
#define PIPESIM_CLI_BENCH_MEASURE_H

#include "cli/interrupt.h"
#include "cli/options.h"

/* The device that the options ask for. gpu, which a model needs, is read then and must outlive it.
 * NULL and *error where there is none. */
PsDevice *bench_open(const BenchOptions *bench, PsGpu **gpu, GError **error);

typedef struct {
    const BenchOptions *options;
    PsDevice *device;
    const char *path;     /* of the measurements */
    Interrupt *interrupt; /* which began before the device was opened */
    gboolean validation;  /* whole kernels instead of micro-benchmarks */
} BenchMeasurement;

/* Measures all that suits the device, or until a signal asks for an end. What was measured is kept
 * however this ends. FALSE and *error where something failed. */
gboolean bench_measure(const BenchMeasurement *measurement, GError **error);

#endif
