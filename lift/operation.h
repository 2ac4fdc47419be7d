/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What nodes compute where their class does not say it: operations that take several instructions,
 * and conversions. A graph has it in `op`, `part` and `by`.
 */
#ifndef PIPESIM_LIFT_OPERATION_H
#define PIPESIM_LIFT_OPERATION_H

#include "lift/symbol.h"

G_BEGIN_DECLS

/* States what a node with the result of a spot's PTX instruction computes. */
void ps_operation_state(const PsSymbols *symbols, const PsSpots *spots, guint spot,
                        PsIdgItem *node);

G_END_DECLS
#endif
