/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What PTX does, counted where it is executed: operations of a thread on values of each type. By
 * the opcode and the type that the PTX itself has, so that it owes nothing to what graphs state.
 */
#ifndef PIPESIM_TESTS_HELP_OPERATIONS_H
#define PIPESIM_TESTS_HELP_OPERATIONS_H

#include "idg/program.h"
#include "ptx/instruction.h"

typedef enum { OF_FP64, OF_FP32, OF_FP16, OF_INT, N_OPERATION_TYPES } OperationType;

extern const char *const operation_names[N_OPERATION_TYPES]; /* as graphs call them: "fp64" */

/* Adds what an instruction does; moves, comparisons, conversions, accesses and products of matrices
 * do nothing here. */
void operations_add(const PsPtxInstruction *instruction, guint64 *counts);

/* Takes off additions of 0 (floats: -0) and multiplications by 1. Machine code has them where one
 * of two operations is wanted, PTX where somebody wrote them. */
void operations_leave_idle(const PsPtxInstruction *instruction, guint64 *counts);

/* Adds what a graph states that the warps of a group of the first kind do. */
void operations_of_graph(const PsKernel *kernel, guint64 warps, guint64 *counts);

#endif
