/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records as text and as the steps that they stand for, for tests.
 */
#ifndef PIPESIM_TESTS_HELP_ROLL_TEXT_H
#define PIPESIM_TESTS_HELP_ROLL_TEXT_H

#include "lift/loops/roll.h"

/* "0 L0{3x[1 2] 1x[1]} 4": points, and loops with their runs; "~" before the brace for each degree
 * of coarseness; "L-" for a loop of no code's. Free with g_free. */
char *roll_text(const PsRollSequence *sequence);

/* Appends the points (guint) of all steps in the order in which the record has them. */
void roll_unroll(const PsRollSequence *sequence, GArray *points);

/* The greatest coarseness in it. */
PsRollCoarse roll_coarsest(const PsRollSequence *sequence);

/* Adds to counts[point] how often each point happens. */
void roll_count(const PsRollSequence *sequence, gint64 times, gint64 *counts);

#endif
