/* SPDX-License-Identifier: BSD-3-Clause */
/* The verb bench with --backend compiler:ARCH: latencies from an assembler's schedule. */
#ifndef PIPESIM_CLI_BENCH_COMPILER_H
#define PIPESIM_CLI_BENCH_COMPILER_H

#include "cli/options.h"

/* Writes a family of descriptions to options->output (NULL: a file named after the architecture),
 * and a report. The exit status. */
int bench_compiler(const Options *options);

#endif
