/* SPDX-License-Identifier: BSD-3-Clause */
/* The facts of two sets of kernels, for all formats. */
#ifndef PIPESIM_GATE_TOLD_H
#define PIPESIM_GATE_TOLD_H

#include "gate/gate.h"
#include "tell/facts.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Everything that is told of them (ps_told_free): the document `gate` of tell/facts.table. */
PsTold *ps_gate_told(const PsGate *gate);

#pragma GCC visibility pop
G_END_DECLS
#endif
