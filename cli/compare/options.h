/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line of the verb compare: what A is and what B is.
 *
 *     compare A.idg B.idg --gpu GPU                two graphs, or kernels' code
 *     compare GRAPH --gpu A.xml --gpu B.xml        two GPUs
 *     compare GRAPH --gpu GPU --what-if LATENCIES  without and with other latencies
 *     compare ... --versus OPTIONS                 what stands before --versus is both's; B has
 *                                                  what stands after it instead, or besides
 */
#ifndef PIPESIM_CLI_COMPARE_OPTIONS_H
#define PIPESIM_CLI_COMPARE_OPTIONS_H

#include "cli/command-line.h"

/* One of the two, as texts; it has one file and one GPU. */
typedef struct {
    Value *given;
    char **apart;        /* options that the other side lacks: "--block 128" each */
    char **common;       /* two kernels in code: values of --arg that the other gets, too */
    gboolean from_input; /* its file is the one from standard input, */
    char *input;         /* which A removes, or NULL (cli/system/input.h) */
} CompareSide;

/* Reads A and B, which are zeroed. If help is asked for, A's values say so, and nothing else
 * counts. FALSE and *error for what values_read refuses, and if it is unclear which two things are
 * compared. Either way compare_sides_clear must follow. */
gboolean compare_sides_read(char **argv, CompareSide sides[2], GError **error);
void compare_sides_clear(CompareSide sides[2]);

#endif
