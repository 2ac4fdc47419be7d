/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of all intermediate values of the roofline, for people. */
#ifndef PIPESIM_TELL_ROOFLINE_VALUES_H
#define PIPESIM_TELL_ROOFLINE_VALUES_H

#include "answer/answer.h"
#include "tell/paper.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Every value by the paper's symbol, and the sources of the peaks. */
void ps_put_roofline_values(const PsLaunchRoofline *bound, const PsPaper *paper);

/* FALSE where a roofline has nothing to say, since the graph states nothing that it could bound, or
 * the GPU no peak that it would need. */
gboolean ps_has_roofline_values(const PsAnswer *answer);

#pragma GCC visibility pop
G_END_DECLS
#endif
