/* SPDX-License-Identifier: BSD-3-Clause */
/* What would help, from what a run was busy with: no simulation more, so no figure of what it would
 * give. advice has those. */
#ifndef PIPESIM_CLI_REPORT_HINT_H
#define PIPESIM_CLI_REPORT_HINT_H

#include "pipesim.h"

/* "fewer or cheaper instructions of local.load: 85 % of what local is busy with"; NULL where
 * nothing ran, or a bound decides the time (g_free). */
char *hint_new(const PsAnswer *answer);

#endif
