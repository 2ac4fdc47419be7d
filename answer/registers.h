/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The effect of the compiler's choice of registers, where that choice is not certain. PTX uses any
 * number of registers, so a graph of PTX has the choice of one assembler, or none. Another version,
 * or other options, may take more or fewer, and then a compute unit holds another number of groups.
 */
#ifndef PIPESIM_ANSWER_REGISTERS_H
#define PIPESIM_ANSWER_REGISTERS_H

#include "answer/sensitivity.h"

G_BEGIN_DECLS

/* The nearest choices with which a compute unit holds other groups at once. */
typedef struct {
    gint64 registers; /* of a thread, at most or at least; 0: there is no such choice */
    gint64 groups;    /* that a compute unit then holds at once */
} PsRegisterStep;

typedef struct {
    PsRegisterStep fewer, more; /* registers */
} PsRegisterSteps;

/* Both are 0 if the registers are known, or if the question states the groups at once. */
PsRegisterSteps ps_answer_register_steps(const PsAnswer *answer);

G_END_DECLS
#endif
