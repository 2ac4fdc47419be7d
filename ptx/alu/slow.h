/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Divisions, reciprocals and roots that are rounded exactly are short sequences that are right for
 * usual operands, and a test of the operands, by which a warp calls a subroutine where any of its
 * lanes needs it.
 */
#ifndef PIPESIM_PTX_ALU_SLOW_H
#define PIPESIM_PTX_ALU_SLOW_H

#include "ptx/run/step.h"

G_BEGIN_DECLS

/* Which way a lane with the operands a and b (of one: a) takes. */
typedef PsPtxWay (*PsPtxCheck)(guint64 a, guint64 b);

/* Of an instruction; NULL where it has one way only. */
PsPtxCheck ps_ptx_check(const PsPtxMnemonic *mnemonic);

G_END_DECLS
#endif
