/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What bench and validate have in common: a device is measured into a file, unless that is there,
 * and what the file holds is then put to use.
 */
#ifndef PIPESIM_CLI_BENCH_MEASURE_H
#define PIPESIM_CLI_BENCH_MEASURE_H

#include "cli/options.h"

typedef struct {
    const BenchOptions *options;
    Progress *progress;  /* borrowed */
    gboolean validation; /* whole kernels instead of micro-benchmarks */
    char *const *path;   /* where the file's is, as soon as it is known */
    gpointer self;       /* the verb's, for: */
    /* Sets *path, for a device of that name, or for NULL and options->from; NULL: it is known. */
    gboolean (*choose)(gpointer self, const char *device, GError **error);
    gboolean (*use)(gpointer self, GError **error);
    void (*clear)(gpointer self); /* before a signal ends the program */
} BenchWork;

/* FALSE and *error where what is written would replace the measurements: output, of the option of
 * that name, is their file, by whatever name. output NULL: nothing is written. */
gboolean bench_check_output(const char *name, const char *output, const char *raw, GError **error);

/* Before anything is measured: FALSE and *error where output would be overwritten, and that was not
 * asked for. */
gboolean bench_check_absent(const BenchOptions *options, const char *output, GError **error);

/* The exit status. All that suits the device is measured, or until a signal asks for an end: then
 * the program ends by it. What was measured is kept however this ends. */
int bench_work(const BenchWork *work, GError **error);

#endif
