/* SPDX-License-Identifier: BSD-3-Clause */
/* What would help, as far as the run's utilization tells without another simulation, so without a
 * gain. advice/ has gains. */
#ifndef PIPESIM_TELL_HINT_H
#define PIPESIM_TELL_HINT_H

#include "answer/answer.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* "fewer or cheaper instructions of local.load: 85 % of what local is busy with"; NULL where
 * nothing ran, or a bound decides the time (g_free). */
char *ps_hint_new(const PsAnswer *answer);

#pragma GCC visibility pop
G_END_DECLS
#endif
