/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recognises operations that compilers write out as several instructions: functions of singles such
 * as sinf (function.c), and in machine code exact divisions, square roots and reciprocals of
 * singles, divisions of 32-bit integers by values that are not constant, and divisions of 64-bit
 * integers in subroutines. Only certain ones are recognised.
 */
#ifndef PIPESIM_LIFT_VALUES_IDIOM_H
#define PIPESIM_LIFT_VALUES_IDIOM_H

#include "lift/values/steps.h"

G_BEGIN_DECLS

/* The steps (ps_steps_new), with the steps of such operations marked. */
GPtrArray *ps_idioms_find(const PsFacts *facts, const PsPtxLaunch *launch);

G_END_DECLS
#endif
