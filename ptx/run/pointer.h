/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is left of a call through a pointer when the calls that it stands for follow it
 * (code/pointers.h): a test that the pointer of each lane leads to one of these functions.
 */
#ifndef PIPESIM_PTX_RUN_POINTER_H
#define PIPESIM_PTX_RUN_POINTER_H

#include "ptx/run/families.h"
#include "ptx/step/step.h"

G_BEGIN_DECLS

/* Makes the step of the call through a pointer; callee: the operand that has the pointer. FALSE:
 * two functions have one number. */
gboolean ps_ptx_pointer_decode(PsPtxDecode *decode, PsPtxStep *step, guint callee);

/* Executes a call of a function that is being executed. */
void ps_ptx_pointer_recursion(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask);

G_END_DECLS
#endif
