/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sweep --merge: the parts that --shard made, joined to the CSV that one sweep would have written.
 * Every part is read row by row, all at the same time, so that memory does not grow with the
 * points; each point must be there once, in its place, and of the same sweep.
 */
#ifndef PIPESIM_CLI_SWEEP_MERGE_H
#define PIPESIM_CLI_SWEEP_MERGE_H

#include "cli/options.h"

/* Joins options->files; returns the exit status. */
int sweep_merge(const Options *options);

#endif
