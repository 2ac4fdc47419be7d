/* SPDX-License-Identifier: BSD-3-Clause */
/* How sure an answer can be of what caches keep, in parts of the sentence of trust.h. */
#ifndef PIPESIM_TELL_TRUST_CACHES_H
#define PIPESIM_TELL_TRUST_CACHES_H

#include "answer/answer.h"

G_BEGIN_DECLS

/* Adds, each as "; ..." and only where it may change the time much: which data may stay in caches
 * while the kernel runs; the time if caches keep nothing that lanes far apart leave; and that the
 * description has no caches. */
void ps_trust_append_caches(GString *out, const PsAnswer *answer);

G_END_DECLS
#endif
