/* SPDX-License-Identifier: BSD-3-Clause */
/* How a gate's facts are written for people. */
#ifndef PIPESIM_CLI_GATE_GATE_H
#define PIPESIM_CLI_GATE_GATE_H

#include "cli/report/paper.h"

/* The verdict, the kernels that differ, and what is worse than is allowed. */
void gate_text(const PsTold *facts, const PsPaper *paper);

#endif
