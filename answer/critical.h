/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a warp waits for: its critical path, each instruction taking its completion latency and the
 * time that instructions of its class queue on the mean of the run. That is the time of a warp
 * where no pipeline is saturated.
 */
#ifndef PIPESIM_ANSWER_CRITICAL_H
#define PIPESIM_ANSWER_CRITICAL_H

#include "answer/answer.h"

/* The class with the largest share of the path, and that share; NULL where there is none. Of a long
 * program the beginning stands for the whole; where warps differ, it is the longest path's. */
const PsMachineClass *critical_class(const Answer *answer, double *share);

#endif
