/* SPDX-License-Identifier: BSD-3-Clause */
/* The verb bench with --precompile: kernels for machines without a compiler. */
#ifndef PIPESIM_CLI_BENCH_PRECOMPILE_H
#define PIPESIM_CLI_BENCH_PRECOMPILE_H

#include "cli/options.h"

/* Writes an archive for each architecture into the folder options->output, which is made unless it
 * is there. The exit status. */
int bench_precompile(const Options *options);

#endif
