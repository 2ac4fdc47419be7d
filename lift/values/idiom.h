/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recognises operations that compilers write out as several instructions: functions of singles such
 * as sinf (function.c), and in machine code exact divisions, square roots and reciprocals of
 * singles, divisions of 32-bit integers by what is not constant, and those of 64 bits that are
 * subroutines. Only what is certain is recognised.
 */
#ifndef PIPESIM_LIFT_VALUES_IDIOM_H
#define PIPESIM_LIFT_VALUES_IDIOM_H

#include "lift/values/steps.h"

G_BEGIN_DECLS

/* The steps (ps_steps_new), with those of such operations marked. */
GPtrArray *ps_idioms_find(const PsFacts *facts, const PsPtxLaunch *launch);

G_END_DECLS
#endif
