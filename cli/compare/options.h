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
    char **apart;  /* its options that the other has not: "--block 128" each */
    char **common; /* of two kernels in code: the values of --arg that the other is given, too */
    gboolean from_input; /* its file is that of standard input, */
    char *input;         /* which is A's to remove, or NULL (cli/system/input.h) */
} CompareSide;

/* Reads A and B, which are zeroed. Where help is asked for, A's values say so and nothing else
 * counts. FALSE and *error for what values_read does not take, and where it is not clear which two
 * things are compared. compare_sides_clear is due in both cases. */
gboolean compare_sides_read(char **argv, CompareSide sides[2], GError **error);
void compare_sides_clear(CompareSide sides[2]);

#endif
