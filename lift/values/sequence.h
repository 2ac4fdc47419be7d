/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sequences for instructions of PTX that no GPU has: divisions, square roots, functions with exact
 * rounding, everything on 64-bit integers. The assembler makes a sequence of instructions of each.
 */
#ifndef PIPESIM_LIFT_VALUES_SEQUENCE_H
#define PIPESIM_LIFT_VALUES_SEQUENCE_H

#include "ptx/run/run.h"

G_BEGIN_DECLS

#define PS_STEP_MOST_AFTER 6

typedef struct {
    char *class_name;
    gboolean reads; /* it reads what the PTX instruction reads */
    guint n_after;
    guint after[PS_STEP_MOST_AFTER]; /* the earlier steps that it waits for, counted from 0 */
} PsStep;

typedef struct {
    GArray *steps; /* PsStep, in the order in which they issue */
    guint result;  /* the step whose result is the instruction's */
} PsSequence;

/* The text of the sequence that the assembler makes of an instruction, as the tables in sequence.c
 * have it, with the subroutine if warps take that way; NULL: a single instruction. `wide`: also for
 * additions, logic and the like of 64-bit integers. */
const char *ps_sequence_text(const PsPtxInstruction *instruction, PsPtxWay way, gboolean wide);

/* The sequence of a division by the divisor of an earlier one, whose inverse is in a register; NULL
 * where nothing is saved by that. */
const char *ps_sequence_again(const PsPtxInstruction *instruction);

/* The same of an operation by its name in PTX alone, such as "div.approx.f32", on the usual way; no
 * additions and the like of 64-bit integers. */
const char *ps_sequence_of(const char *op);

/* A sequence from such a text. Free with ps_sequence_free. */
PsSequence *ps_sequence_new(const char *text);
void ps_sequence_free(PsSequence *sequence);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSequence, ps_sequence_free)

G_END_DECLS
#endif
