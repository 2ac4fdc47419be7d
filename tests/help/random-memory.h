/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of a random case (rules R7 and R8 of docs/reference/model.md): a description of 1 to 5
 * levels, of atomics, and in place of some of the graph's nodes accesses to it.
 */
#ifndef PIPESIM_TESTS_HELP_RANDOM_MEMORY_H
#define PIPESIM_TESTS_HELP_RANDOM_MEMORY_H

#include "tests/help/random-graph.h"

/* To be called when the rest of the refinements is drawn. */
void random_case_add_memory(RandomCase *random_case, GRand *rand);

/* Writes the description of memory, as TAP diagnostics. */
void random_case_print_memory(const RandomCase *random_case);

#endif
