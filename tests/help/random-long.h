/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of a long random case that fills a code: few nodes in loops of many trips.
 */
#ifndef PIPESIM_TESTS_HELP_RANDOM_LONG_H
#define PIPESIM_TESTS_HELP_RANDOM_LONG_H

#include "tests/help/random-code.h"

/* Appends 1 to some 10 nodes with about parts->instances instances: straight, or in a loop, or in
 * one loop in another. */
void random_long_code(const RandomParts *parts, GPtrArray *body);

/* A number of that order of magnitude or any other from least to most. */
gint64 random_size(GRand *rand, gint64 least, gint64 most);

#endif
