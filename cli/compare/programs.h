/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two programs, kernel by kernel: commands that are run (--program), or recordings of which no
 * launch is named; or one of these on two GPUs.
 */
#ifndef PIPESIM_CLI_COMPARE_PROGRAMS_H
#define PIPESIM_CLI_COMPARE_PROGRAMS_H

#include "cli/options.h"

/* Compares them, and writes the table. FALSE and *error. */
gboolean compare_programs(const Options *options, GError **error);

#endif
