/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queries about levels of memory. Internal to the library.
 */
#ifndef PIPESIM_GPU_LEVEL_H
#define PIPESIM_GPU_LEVEL_H

#include "gpu/gpu.h"

/* The cache that each CU has for itself: l0, else l1; NULL where the description states neither.
 * Borrowed. */
const PsMemoryLevel *ps_gpu_own_cache(const PsGpu *gpu);

/* Bytes per cycle of a CU at that level when `cus` CUs (at least 1) use it alike at this clock
 * (MHz): its part of the bandwidth, but no more than its port. FALSE where the figure is too fine
 * for 64 bits. */
gboolean ps_gpu_level_rate(const PsMemoryLevel *level, gint64 cus, PsRational clock,
                           PsRational *rate);

/* The share of a launch's traffic at device memory that is mixed, in 1024ths. All of it is mixed
 * once a quarter of the bytes is read and a quarter written (docs/reference/model.md, R7). */
gint64 ps_gpu_mixed_parts(double read, double written);

#endif
