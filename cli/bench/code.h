/* SPDX-License-Identifier: BSD-3-Clause */
/* The verb bench with --code: the machine code that compilers make of the kernels. */
#ifndef PIPESIM_CLI_BENCH_CODE_H
#define PIPESIM_CLI_BENCH_CODE_H

#include "cli/options.h"

/* Compiles the kernels for each architecture, without a device, and writes a page in Markdown to
 * options->output. The exit status. */
int bench_code(const Options *options);

#endif
