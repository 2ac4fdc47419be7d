/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of all intermediate values of the roofline, for people. */
#ifndef PIPESIM_CLI_REPORT_ROOFLINE_H
#define PIPESIM_CLI_REPORT_ROOFLINE_H

#include "pipesim-private.h"

/* Every value by the paper's symbol, and where the peaks come from. */
void print_roofline_values(const PsLaunchRoofline *bound, const PsPaper *paper);

/* FALSE where a roofline has nothing to say, since the graph states nothing that it could bound, or
 * the GPU no peak that it would need. */
gboolean has_roofline_values(const PsAnswer *answer);

#endif
