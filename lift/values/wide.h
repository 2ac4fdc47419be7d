/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integers of 64 bits in machine code, whose registers have 32: sums with a carry, comparisons of
 * both halves, products of both halves, and addresses that are computed of these. Numbers that lie
 * in memory as 64 bits, and values computed of them, are no indices, and left out.
 */
#ifndef PIPESIM_LIFT_VALUES_WIDE_H
#define PIPESIM_LIFT_VALUES_WIDE_H

#include "lift/values/steps.h"

G_BEGIN_DECLS

/* Marks the steps of machine code that are parts of such operations. */
void ps_wide_find(const PsFacts *facts, const GPtrArray *steps);

G_END_DECLS
#endif
