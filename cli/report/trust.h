/* SPDX-License-Identifier: BSD-3-Clause */
/* How sure an answer can be: where the figures come from that it rests on. */
#ifndef PIPESIM_CLI_REPORT_TRUST_H
#define PIPESIM_CLI_REPORT_TRUST_H

#include "pipesim.h"

/* "the GPU's figures are published, derived; assumed: branch, what launches cost": the kinds of
 * sources, best first, of the latencies, levels of memory and launches that the run used, and what
 * nobody measured of it (g_free). */
char *trust_describe(const PsAnswer *answer);

/* Of a figure that is assumed: the class's name, or "what launches cost". */
const char *assumed_name(const PsAssumed *assumed);

/* "; it rests on assumed figures: barrier; that is less than the model can tell, 5 %", what there
 * is of it, behind what advice says (g_free). */
char *certainty_describe(const PsAdvice *advice);

#endif
