/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparisons of two numbers of a type.
 */
#ifndef PIPESIM_PTX_ALU_COMPARE_H
#define PIPESIM_PTX_ALU_COMPARE_H

#include "ptx/alu/float.h"

G_BEGIN_DECLS

/* The operation that gives 0 or 1 per lane for the operator ("lt", "geu") on that type; halves are
 * compared as singles. NULL where the type has no such operator. */
const PsPtxOperation *ps_ptx_relation(const char *name, PsPtxType type);

G_END_DECLS
#endif
