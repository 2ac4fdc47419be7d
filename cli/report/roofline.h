/* SPDX-License-Identifier: BSD-3-Clause */
/* What the page for people says of the roofline: its lines of the summary, and the table of all
 * intermediate values. Free texts with g_free. */
#ifndef PIPESIM_CLI_REPORT_ROOFLINE_H
#define PIPESIM_CLI_REPORT_ROOFLINE_H

#include "pipesim.h"

/* The ceiling, the roofline in the usual sense: the least time, what sets it, type and intensity.
 */
char *describe_ceiling(const PsAnswer *answer);

/* The time that equation 19 predicts, and its bound; NULL where it cannot. */
char *describe_prediction(const PsAnswer *answer);

/* The simulated time as a multiple of that prediction, and what that says; NULL where nothing can
 * be compared. */
char *describe_cross_check(const PsAnswer *answer);

/* A measured time (seconds), and how far the others are from it. */
char *describe_measured(const PsAnswer *answer, double measured);

/* Every value by the paper's symbol, and where the peaks come from. */
void print_roofline_values(const PsLaunchRoofline *bound, GString *out);

/* FALSE where a roofline has nothing to say, since the graph states nothing that it could bound, or
 * the GPU no peak that it would need. */
gboolean has_roofline_values(const PsAnswer *answer);

#endif
