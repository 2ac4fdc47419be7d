/* SPDX-License-Identifier: BSD-3-Clause */
/* The facts of all GPUs with a description. */
#ifndef PIPESIM_TELL_GPUS_FACTS_H
#define PIPESIM_TELL_GPUS_FACTS_H

#include "gpu/gpu.h"
#include "tell/facts.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The list `gpus` of these (PsGpu), which must live as long as the facts. */
void ps_tell_gpus(const GPtrArray *gpus, PsTold *facts);

#pragma GCC visibility pop
G_END_DECLS
#endif
