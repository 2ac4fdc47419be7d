/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Look-ups in a description, and what follows from its rows: rates, latencies, bandwidths, names
 * and sources. The description itself is in gpu.h.
 */
#ifndef PIPESIM_GPU_ROWS_H
#define PIPESIM_GPU_ROWS_H

#include "gpu/gpu.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The words for issue policies and orders in files and on the command line: "gto", "program". */
const char *ps_policy_name(PsPolicy policy);
const char *ps_order_name(PsOrder order);

/* Does as ps_gpu_parse, and looks for families in more folders, a list that NULL ends. A
 * description's family is otherwise looked for in the folder `families` beside its file, or beside
 * the file itself. */
PsGpu *ps_gpu_parse_with(const char *text, gsize length, const char *name,
                         const char *const *folders, GError **error);

/* The sources, pipelines and classes alone as a family's text, which descriptions can extend, and
 * which extends another one (NULL: none). Free with g_free. */
char *ps_gpu_write_family(const PsGpu *gpu, const char *extends);

/* Whether kernels may also be compiled for warps of twice as many threads, as on RDNA. */
gboolean ps_gpu_has_wide_warps(const PsGpu *gpu);

/* Changes the description to warps of twice as many threads, which the pipelines that say so take
 * in halves. FALSE and *error if the GPU has no such warps (PS_ERROR_VALUE) or figures are too fine
 * (PS_ERROR_LIMIT); the description is then useless. */
gboolean ps_gpu_widen_warps(PsGpu *gpu, GError **error);

/* Changes the description to pairs of compute units that run groups as one. FALSE and *error where
 * the GPU has no such pairs (PS_ERROR_VALUE) or figures are too fine (PS_ERROR_LIMIT); the
 * description is then of no use. */
gboolean ps_gpu_pair_units(PsGpu *gpu, GError **error);

/* TRUE if its vendor is AMD, by the name that the description states or OpenCL tells. */
gboolean ps_gpu_is_amd(const PsGpu *gpu);

/* The level of that name; NULL if the description states none. Borrowed. */
const PsMemoryLevel *ps_gpu_level(const PsGpu *gpu, PsLevel level);

/* The bandwidth in 10^9 bytes per second of a launch of whose traffic `parts` / 1024 is mixed
 * (docs/reference/model.md, R7). FALSE where that is too fine for 64 bits. */
gboolean ps_gpu_level_bandwidth(const PsMemoryLevel *level, gint64 parts, PsRational *bandwidth);

/* A latency that is stated at a clock of `at` MHz ({0, 1}: in cycles of the CU's own), in cycles of
 * this clock (MHz). FALSE where that is too fine for 64 bits. */
gboolean ps_gpu_cycles(PsRational latency, PsRational at, PsRational clock, PsRational *cycles);

/* The pipeline and the latencies that <local-memory> gives a class of local memory such as
 * "local.load.c4.v2". FALSE, and nothing is set, if the description has no such rule, if the class
 * is none of local memory or has a row of its own, or if its latencies are beyond PS_MAX_LATENCY or
 * too fine. */
gboolean ps_gpu_local_latency(const PsGpu *gpu, const char *asked, guint *pipeline,
                              PsLatency *latency);

/* The latencies of a row for a class that it serves: the row's own, and its cost for each further
 * pass that the class's name states ("constant.c32"). FALSE, and nothing is set, if they are beyond
 * PS_MAX_LATENCY or too fine. */
gboolean ps_gpu_pass_latency(const PsClass *gpu_class, const char *asked, PsLatency *latency);

/* Scales a row's latencies to an instruction with so much work, if the row states the work that
 * they stand for. A product of matrices states its work by its shape. FALSE as in
 * ps_gpu_pass_latency. */
gboolean ps_gpu_work_latency(const PsClass *gpu_class, PsRational work, PsLatency *latency);
gboolean ps_gpu_product_latency(const PsClass *gpu_class, const char *asked, PsLatency *latency);
/* FALSE if the class is a product of four warps by its shape, and the row does not state the work
 * of its latencies: then the row is for a warp's products. */
gboolean ps_gpu_serves_product(const PsClass *gpu_class, const char *asked);
/* For a class of products of matrices that no tensor core of the GPU has, by its compute
 * capability: the words behind "for which" that say so, without an end (g_free); else NULL. */
char *ps_gpu_product_lacking(const PsGpu *gpu, const char *class_name);

/* Instructions of threads that a compute unit issues of a class per cycle: the warp size over
 * lambda, for each of the schedulers that has the pipeline. */
double ps_gpu_class_rate(const PsGpu *gpu, const PsClass *gpu_class);

/* The names of all classes, for messages: "fadd, global.load", empty if there are none. Free with
 * g_free. */
char *ps_gpu_class_names(const PsGpu *gpu);

/* The name of the GPU's clock of that frequency: "base", "boost", "under load"; NULL: it is none of
 * them. */
const char *ps_gpu_clock_name(const PsGpu *gpu, PsRational clock);

/* The peak or source of that name or id; NULL if there is none. Borrowed. */
const PsPeak *ps_gpu_peak(const PsGpu *gpu, const char *name);
const PsSource *ps_gpu_source(const PsGpu *gpu, const char *id);

/* The id of the source of a figure, in an element that a description has once: <chip>, <limits>,
 * <cache>, <memory>, <atomics>, <local-memory>, <overheads> or <host-link>, by the names of the
 * file ("limits", "warps"). If a card changes some of a family's figures, the others have the
 * family's source. NULL if none is named. Borrowed. */
const char *ps_gpu_setting_source(const PsGpu *gpu, const char *element, const char *attribute);

/* The ids of all sources of the figures of such an element, each once, its own first; a NULL stands
 * for figures without one. Free the array alone (g_ptr_array_unref). */
GPtrArray *ps_gpu_setting_sources(const PsGpu *gpu, const char *element);

/* Does as ps_gpu_occupancy, but errors call the memory that a group shares "shared memory". */
gboolean ps_gpu_occupancy_in_words(const PsGpu *gpu, const PsGroupNeeds *needs, const char *memory,
                                   PsOccupancy *occupancy, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
