/* SPDX-License-Identifier: BSD-3-Clause */
/* What the page for people says of the roofline: its lines of the summary, and the table of all
 * intermediate values. Free texts with g_free. */
#ifndef PIPESIM_CLI_REPORT_ROOFLINE_H
#define PIPESIM_CLI_REPORT_ROOFLINE_H

#include "cli/answer.h"

/* Predicted time, bound, type, intensity and ceiling. */
char *describe_roofline(const Answer *answer);

/* The ratio and its reading; NULL where nothing can be compared. */
char *describe_cross_check(const Answer *answer);

/* A measured time (seconds), and how far the others are from it. */
char *describe_measured(const Answer *answer, double measured);

/* Every value by the paper's symbol, and where the peaks come from. */
void print_roofline_values(const Bound *bound, GString *out);

/* FALSE where a roofline has nothing to say, since the graph states nothing that it could bound, or
 * the GPU no peak that it would need. */
gboolean has_roofline_values(const Answer *answer);

#endif
