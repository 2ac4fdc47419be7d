/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exactly rounded divisions, reciprocals and roots. Each is a short sequence that is right for
 * usual operands, and a test of the operands: a warp calls a subroutine where any of its lanes
 * needs it.
 */
#ifndef PIPESIM_PTX_ALU_SLOW_H
#define PIPESIM_PTX_ALU_SLOW_H

#include "ptx/step/lane.h"

G_BEGIN_DECLS

/* The operation that tells which way (PsPtxWay) each lane with an instruction's operands takes;
 * NULL where it has one way only. */
const PsPtxOperation *ps_ptx_check(const PsPtxMnemonic *mnemonic);

G_END_DECLS
#endif
