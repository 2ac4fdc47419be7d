/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs and GPUs built in memory for tests, in few words. No reader and no file is
 * involved in a test of the engine.
 */
#ifndef PIPESIM_TESTS_HELP_BUILD_GRAPH_H
#define PIPESIM_TESTS_HELP_BUILD_GRAPH_H

#include "gpu/gpu.h"
#include "idg/idg.h"

/* An expression that must parse. */
PsExpr *build_expr(const char *text);

/* A graph with its launch. */
PsIdg *build_idg(const char *groups, const char *group_size);

/* A node whose `after` is written as in a file: "x y@2 z@all", "" for none. */
PsIdgItem *build_node(GPtrArray *body, const char *name, const char *class_name, const char *after);

/* A loop; the result is its body. */
GPtrArray *build_loop(GPtrArray *body, const char *times);

/* A GPU with that many compute units and pipelines, warps of 32, 1000 MHz, no classes and no
 * limits. Its end is build_gpu_free. */
PsGpu *build_gpu(gint64 compute_units, guint n_pipelines);
void build_gpu_free(PsGpu *gpu);

void build_class(PsGpu *gpu, const char *name, guint pipeline, PsRational issue,
                 PsRational completion);

#endif
