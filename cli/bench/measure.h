/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The common part of bench and validate: they measure a device into a file, unless there is one,
 * and then use the file.
 */
#ifndef PIPESIM_CLI_BENCH_MEASURE_H
#define PIPESIM_CLI_BENCH_MEASURE_H

#include "cli/options.h"

typedef struct {
    const BenchOptions *options;
    Progress *progress;  /* borrowed */
    gboolean validation; /* whole kernels instead of micro-benchmarks */
    char *const *path;   /* path of the file, as soon as it is known */
    gpointer self;       /* the verb's own, for: */
    /* Sets *path, for a device of that name, or for NULL and options->from; NULL: it is known. */
    gboolean (*choose)(gpointer self, const char *device, GError **error);
    gboolean (*use)(gpointer self, GError **error);
    void (*clear)(gpointer self); /* before a signal ends the program */
} BenchWork;

/* FALSE and *error if the output would replace the measurements: if `output`, of the option of that
 * name, is their file under any name. output NULL: nothing is written. */
gboolean bench_check_output(const char *name, const char *output, const char *raw, GError **error);

/* Called before measuring. FALSE and *error if output exists and may not be overwritten. */
gboolean bench_check_absent(const BenchOptions *options, const char *output, GError **error);

/* The exit status. Measures everything that suits the device, or until a signal asks for an end,
 * which then ends the program. Measurements are kept in any case. */
int bench_work(const BenchWork *work, GError **error);

#endif
