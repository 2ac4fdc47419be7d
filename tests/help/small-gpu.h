/* SPDX-License-Identifier: BSD-3-Clause */
/* A small description of a GPU that is right, for tests that change it. */
#ifndef PIPESIM_TESTS_HELP_SMALL_GPU_H
#define PIPESIM_TESTS_HELP_SMALL_GPU_H

#include "gpu/gpu.h"

/* Its text: 16 lines, of which tests know what is in which. */
extern const char small_gpu[];

/* Reads such a text, under the name x.xml (ps_gpu_free). NULL and *error as ps_gpu_parse. */
PsGpu *small_gpu_parse(const char *text, GError **error);

#endif
