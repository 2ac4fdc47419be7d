/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line of the verb compare: what A is and what B is.
 *
 *     compare A.idg B.idg --gpu GPU                two graphs
 *     compare GRAPH --gpu A.xml --gpu B.xml        two GPUs
 *     compare GRAPH --gpu GPU --what-if LATENCIES  without and with other latencies
 *     compare GRAPH --gpu GPU --versus OPTIONS     what stands before --versus is A's; B has the
 *                                                  same, but for what stands after it
 */
#ifndef PIPESIM_CLI_COMPARE_OPTIONS_H
#define PIPESIM_CLI_COMPARE_OPTIONS_H

#include "cli/options.h"

/* Reads what A is into *a and, where there is a --versus, what B is into *b; both are zeroed.
 * FALSE and *error for what raw_read does not take. */
gboolean compare_raw_read(char **argv, Raw *a, Raw *b, gboolean *versus, GError **error);

/* One of the two; everything is borrowed from the options. */
typedef struct {
    const Options *options;
    const char *file, *gpu;
    gboolean what_if; /* with its options' latencies */
} CompareSide;

/* Which two things are compared. FALSE and *error (wrong usage) where that is not clear. */
gboolean compare_sides(const Options *options, CompareSide sides[2], GError **error);

#endif
