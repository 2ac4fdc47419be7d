/* SPDX-License-Identifier: BSD-3-Clause */
/* The sentences of a gate (g_free each), and words of limits. */
#ifndef PIPESIM_GATE_WORDS_H
#define PIPESIM_GATE_WORDS_H

#include "gate/gate.h"

#define PS_GATE_N_LIMITS 5

/* "registers", of one of PsLimitBits; static. */
const char *ps_gate_limit_name(guint bit);

/* "32 registers of a thread before, 40 after; at most 4 more are allowed". Both are known. */
char *ps_gate_sentence(const PsGatePair *pair, PsGateFigure figure, const PsGateLimit *limit);

/* "No kernel is worse than is allowed; 3 of 12 differ". */
char *ps_gate_verdict(const PsGate *gate);

/* "12 of the kernel's 40 accesses to local memory are in this line". */
char *ps_gate_cause(const PsGateKernel *kernel, guint n);

/* Why the occupancy of so many kernels is unknown. */
char *ps_gate_unknown_occupancy(guint kernels);

#endif
