/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What How sure says of times that differ from the one that is told: by a lower clock, and by what
 * was seen of kernels that others had asked about.
 */
#ifndef PIPESIM_TELL_TRUST_RECORD_H
#define PIPESIM_TELL_TRUST_RECORD_H

#include "answer/answer.h"

G_BEGIN_DECLS

/* Appends the time at the base clock, if the answer is for a boost clock far above it; share is the
 * part of the time that the clock decides. */
void ps_trust_append_base(GString *out, const PsAnswer *answer, double share);

/* Appends how near answers were for kernels of strangers, and between which times this one is
 * then. */
void ps_trust_append_strangers(GString *out, const PsAnswer *answer);

G_END_DECLS
#endif
