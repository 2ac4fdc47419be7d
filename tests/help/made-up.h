/* SPDX-License-Identifier: BSD-3-Clause */
/* GPUs that were made up, and measured as devices that simulate. */
#ifndef PIPESIM_TESTS_HELP_MADE_UP_H
#define PIPESIM_TESTS_HELP_MADE_UP_H

#include "tests/help/bench.h"

/* One of 12 CUs at 1300 MHz; own: its memory, refinements and overheads, in XML. */
PsGpu *made_up_gpu(int warp_size, const char *own);

/* With a last cache of so many MiB, whose latencies are these, in cycles. */
#define MADE_UP_L1 33
#define MADE_UP_L2 210
#define MADE_UP_DEVICE 560
PsGpu *made_up_with_l2(gint64 mib);

/* A campaign on it with the full grid, with noise; l2 (0: what it says itself) is what its driver
 * tells. */
PsBenchResult *made_up_campaign(const PsGpu *gpu, double noise, gint64 l2);

/* What such a campaign measured, without noise, on a GPU of 32 threads in a warp (ps_raw_free). */
PsRaw *made_up_raw(const char *own);

/* Whether one of the warnings has the text. */
gboolean made_up_warned(const PsBenchResult *result, const char *text);

/* What was fitted to a class, which must be there. */
const PsBenchFit *made_up_fit(const PsBenchResult *result, const char *class_name);

#endif
