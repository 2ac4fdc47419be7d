/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of an answer's facts, each told by a file of its own. Internal. */
#ifndef PIPESIM_TELL_ANSWER_PARTS_H
#define PIPESIM_TELL_ANSWER_PARTS_H

#include "answer/answer.h"
#include "tell/facts.h"

/* The quantitative roofline, and all that it is made of. */
void ps_tell_roofline(const PsAnswer *answer, PsTold *facts);

/* The sentences that people read, and the three lines that they come for. */
void ps_tell_words(const PsAnswer *answer, double measured, PsTold *facts);

/* What was busy: pipelines, levels of memory, classes, source lines. */
void ps_tell_load(const PsAnswer *answer, PsTold *facts);

/* The reasons of its time, if it was explained: bottleneck, critical path, waits, occupancy over
 * time. */
void ps_tell_reasons(const PsAnswer *answer, PsTold *facts);

/* Roles of warps, and stages of software pipelines, if it was explained. */
void ps_tell_roles(const PsAnswer *answer, PsTold *facts);

/* The place of a node of the answer's kernel (G_MAXUINT: none), as members of the open group. */
void ps_tell_place(const PsAnswer *answer, guint program, guint node, PsTold *facts);

/* What its time depends on, and what would help, if that was asked for. */
void ps_tell_sensitivities(const PsAnswer *answer, PsTold *facts);
void ps_tell_advice(const PsAnswer *answer, PsTold *facts);

#endif
