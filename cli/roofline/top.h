/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels that take longest, in memory that does not grow with all of them. */
#ifndef PIPESIM_CLI_ROOFLINE_TOP_H
#define PIPESIM_CLI_ROOFLINE_TOP_H

#include "pipesim-private.h"

typedef struct {
    guint most;
    GPtrArray *kept; /* PsRooflineKernel, the longest first; of equal ones the first in the file */
    guint64 others;  /* that are not among them */
} Top;

void top_init(Top *top, guint most);
void top_clear(Top *top);

/* By the measured time, or that predicted for the first GPU. */
void top_add(Top *top, PsRooflineKernel *kernel);

#endif
