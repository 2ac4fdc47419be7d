/* SPDX-License-Identifier: BSD-3-Clause */
/* All that a GPU's description states, as facts and for people. */
#ifndef PIPESIM_TELL_GPU_DESCRIBED_H
#define PIPESIM_TELL_GPU_DESCRIBED_H

#include "gpu/gpu.h"
#include "tell/facts.h"
#include "tell/paper.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The document `pipesim show GPU --format json`; b is NULL, or the GPU beside (ps_told_free). The
 * GPUs live as long as the facts. */
PsTold *ps_gpus_described(const PsGpu *a, const PsGpu *b);

/* The page of one GPU, with the source of each figure. */
void ps_gpu_page(const PsGpu *gpu, const PsPaper *paper);

/* Two side by side: each figure of both, and what B's is of A's; on request with their sources. */
void ps_gpus_beside(const PsGpu *a, const PsGpu *b, gboolean sources, const PsPaper *paper);

/* Writes the path of a description's file, and the source of its figures (PsSource), if that is
 * stated. */
void ps_put_path(const char *path, const PsPaper *paper);
void ps_put_sources(const GPtrArray *sources, const char *title, const PsPaper *paper);

#pragma GCC visibility pop
G_END_DECLS
#endif
