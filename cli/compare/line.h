/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of a command line for messages on what a side of a comparison lacks: A's options stand
 * before --versus, B's behind it.
 */
#ifndef PIPESIM_CLI_COMPARE_LINE_H
#define PIPESIM_CLI_COMPARE_LINE_H

#include "cli/options.h"

/* "--versus B.cu --block 64": what follows A (g_free). */
char *compare_line_rest(const Options *const sides[2]);

/* "pipesim compare A.cu --gpu=a100 ... --versus": what comes before B (g_free). */
char *compare_line_begin(const Options *const sides[2]);

/* " --clock 1000": options of B alone that do not describe its launch (g_free). */
char *compare_line_more(const Options *const sides[2]);

#endif
