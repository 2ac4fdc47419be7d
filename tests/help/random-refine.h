/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random refinements (docs/reference/model.md, section 4) for a random case: none, one alone, any
 * of them, or all. R9 is in the graph: some nodes hold their warps. R4 is left out, for it only
 * decides latencies; R8 comes with R7.
 */
#ifndef PIPESIM_TESTS_HELP_RANDOM_REFINE_H
#define PIPESIM_TESTS_HELP_RANDOM_REFINE_H

#include "tests/help/random-graph.h"

/* Gives the case refinements, by its seed. The environment variable PIPESIM_REFINEMENTS ("R1 R3",
 * "" for none) restricts them; without it all may be drawn. */
void random_case_refine(RandomCase *random_case);

/* Gives some cases one to three what-ifs of classes, by their seeds; after their refinements. */
void random_case_what_if(RandomCase *random_case);

#endif
