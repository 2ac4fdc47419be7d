/* SPDX-License-Identifier: BSD-3-Clause */
/* How sure an answer can be: where the figures come from that it rests on. */
#ifndef PIPESIM_CLI_REPORT_TRUST_H
#define PIPESIM_CLI_REPORT_TRUST_H

#include "pipesim.h"

/* "the GPU's figures are published, derived; assumed: branch, what launches cost": the kinds of
 * sources, best first, of the latencies, levels of memory and launches that the run used, and what
 * nobody measured of it (g_free). */
char *trust_describe(const PsAnswer *answer);

#endif
