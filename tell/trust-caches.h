/* SPDX-License-Identifier: BSD-3-Clause */
/* How sure an answer can be of what caches keep, in parts of the sentence of trust.h. */
#ifndef PIPESIM_TELL_TRUST_CACHES_H
#define PIPESIM_TELL_TRUST_CACHES_H

#include "answer/answer.h"

G_BEGIN_DECLS

/* Adds what may stay in caches while the kernel runs, what it takes where they keep nothing of what
 * lanes leave that lie apart, and whether the description has caches at all; each where it may
 * change the time much, as "; ...". */
void ps_trust_append_caches(GString *out, const PsAnswer *answer);

G_END_DECLS
#endif
