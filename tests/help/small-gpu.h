/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptions of GPUs: from files, and a small one that is right, for tests that change it. */
#ifndef PIPESIM_TESTS_HELP_SMALL_GPU_H
#define PIPESIM_TESTS_HELP_SMALL_GPU_H

#include "gpu/gpu.h"

/* A file that must be right (ps_gpu_free). */
PsGpu *gpu_load(const char *path);

/* Its text: 16 lines, of which tests know what is in which. */
extern const char small_gpu[];

/* Reads such a text, under the name x.xml (ps_gpu_free). NULL and *error as ps_gpu_parse. */
PsGpu *small_gpu_parse(const char *text, GError **error);

#endif
