/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gives the codes of a random case names, and nodes of theirs waits for nodes of other warps (R12).
 * Some such cases have warps that wait for each other for ever.
 */
#ifndef PIPESIM_TESTS_HELP_RANDOM_ROLES_H
#define PIPESIM_TESTS_HELP_RANDOM_ROLES_H

#include "tests/help/random-graph.h"

void random_case_roles(RandomCase *random_case);

/* The same, but no warp waits for ever: a case in which some would has no waits at all. */
void random_case_roles_that_end(RandomCase *random_case);

#endif
