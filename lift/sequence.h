/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instructions of PTX that no GPU has: divisions, square roots, functions that are rounded exactly,
 * whatever works on integers of 64 bits. The assembler makes a sequence of instructions of each.
 */
#ifndef PIPESIM_LIFT_SEQUENCE_H
#define PIPESIM_LIFT_SEQUENCE_H

#include "ptx/run/run.h"

G_BEGIN_DECLS

#define PS_STEP_MOST_AFTER 6

typedef struct {
    char *class_name;
    gboolean reads; /* what the instruction reads */
    guint n_after;
    guint after[PS_STEP_MOST_AFTER]; /* earlier steps that it waits for, counted from 0 */
} PsStep;

typedef struct {
    GArray *steps; /* PsStep, in the order in which they issue */
    guint result;  /* the step whose result is the instruction's */
} PsSequence;

/* What the assembler makes of an instruction, with the subroutine where warps take that way: as the
 * tables in sequence.c spell it. NULL: one instruction. `wide`: of additions, logic and the like of
 * 64-bit integers, too. */
const char *ps_sequence_text(const PsPtxInstruction *instruction, PsPtxWay way, gboolean wide);

/* From such a text. Free with ps_sequence_free. */
PsSequence *ps_sequence_new(const char *text);
void ps_sequence_free(PsSequence *sequence);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSequence, ps_sequence_free)

G_END_DECLS
#endif
