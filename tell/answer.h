/* SPDX-License-Identifier: BSD-3-Clause */
/* The facts of an answer. */
#ifndef PIPESIM_TELL_ANSWER_H
#define PIPESIM_TELL_ANSWER_H

#include "answer/answer.h"
#include "answer/listing.h"
#include "tell/facts.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* All facts of an answer, with its reasons, sensitivities and advice if it has them. measured:
 * measured seconds of the kernel, or 0. The answer must live as long as the facts. */
PsTold *ps_answer_told(const PsAnswer *answer, double measured);

/* The same, members of the group that is open: of a what-if, or of one of two that are compared. */
void ps_tell_answer(const PsAnswer *answer, double measured, PsTold *facts);

/* The group `listing`: what ran, by machine instruction. The listing must live as long. */
void ps_tell_listing(const PsListing *listing, PsTold *facts);

#pragma GCC visibility pop
G_END_DECLS
#endif
