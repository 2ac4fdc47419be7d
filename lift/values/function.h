/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of singles that the compiler has written out, such as sinf, in PTX and machine code.
 */
#ifndef PIPESIM_LIFT_VALUES_FUNCTION_H
#define PIPESIM_LIFT_VALUES_FUNCTION_H

#include "lift/values/step-set.h"

G_BEGIN_DECLS

/* Finds them, and marks their steps. */
void ps_functions_find(const PsIdiomSearch *search);

G_END_DECLS
#endif
