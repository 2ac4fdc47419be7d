/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Builds micro-benchmarks: a kernel's source is some macros, then pieces of text (kernels/), and
 * its graph a loop around a few nodes. Internal to the library.
 */
#ifndef PIPESIM_LATENCY_BENCH_KERNEL_PRIVATE_H
#define PIPESIM_LATENCY_BENCH_KERNEL_PRIVATE_H

#include "base/class-name.h"
#include "latency-bench/kernel.h"

/* The pieces, as make/build.mk embeds them. */
extern const char ps_text_arithmetic[], ps_text_burst[], ps_text_chain[], ps_text_common[],
    ps_text_constant[], ps_text_each[], ps_text_flow[], ps_text_group[], ps_text_intensity[],
    ps_text_local[], ps_text_mix[], ps_text_pointer[], ps_text_prelude_cuda[],
    ps_text_prelude_hip[], ps_text_prelude_module[], ps_text_prelude_opencl[], ps_text_ring[],
    ps_text_stream[], ps_text_sweep[], ps_text_tensor[], ps_text_tiles[], ps_text_tiles_store[],
    ps_text_touch[], ps_text_walk[];

/* The instructions of a chain, for its kernel and its graph. */
typedef struct {
    const char *class_name; /* in the graph */
    const char *op;         /* OP_... of the preludes */
    char type;              /* TYPE_... of the preludes */
    gint64 per_step;        /* instructions of the class in one step */
    gint64 steps;           /* of a trip: 1, 2, 4 ... 64 */
    gint64 operations;      /* of one instruction and thread */
    const char *counts;     /* their type in a graph: "fp32"; NULL: no operations */
    const char *backends;   /* as of PsBenchKernel */
} PsChain;

/* A new kernel with that name (taken), added to all; ilp, unroll and step are 1. */
PsBenchKernel *ps_bench_add(GPtrArray *all, char *name, PsBenchKind kind, const char *class_name);

/* Adds "#define NAME VALUE"; frees nothing. */
void ps_bench_define(GString *source, const char *name, const char *value);

/* Fills in the members that follow from the chain: ilp, unroll, operations, graph and the source,
 * in which `setup` is the piece that sets the starts of chains. */
void ps_bench_chain(PsBenchKernel *kernel, const PsChain *chain, gint64 ilp, const char *setup);

/* Has each access of a chain move so many bytes of each thread, from the kernel's level. */
void ps_bench_chain_traffic(PsBenchKernel *kernel, gint64 bytes);

/* The chain of arithmetic of that class; NULL if there is none. */
const PsChain *ps_bench_arithmetic(const char *class_name);

/* The same, in parts. */
void ps_bench_add_arithmetic(GPtrArray *all); /* kernel-arithmetic.c */
void ps_bench_add_levels(GPtrArray *all);     /* kernel-level.c */
void ps_bench_add_memory(GPtrArray *all);     /* kernel-memory.c */
void ps_bench_add_patterns(GPtrArray *all);   /* kernel-pattern.c */
void ps_bench_add_rates(GPtrArray *all);      /* kernel-rate.c */

/* ---- graphs -------------------------------------------------------------------------------- */

/* A graph with its launch and a loop of `length` trips, whose body is *trip. */
PsIdg *ps_bench_graph(const char *name, GPtrArray **trip);

/* A loop in a body; the result is its body. */
GPtrArray *ps_bench_loop(GPtrArray *body, gint64 times);

/* A node that waits for others: names separated by blanks, "" for none. */
PsIdgItem *ps_bench_node(GPtrArray *body, const char *name, const char *class_name,
                         const char *after);

/* What the node counts as (ops), or moves (bytes), all from that level. type may be NULL: no
 * operations. */
void ps_bench_count(PsIdgItem *node, gint64 operations, const char *type);
void ps_bench_traffic(PsIdgItem *node, gint64 bytes, PsLevel level);

/* The same of a node that gets as far as the graph's parameters of the levels' names say, which are
 * added: share is an expression, over `warp`, too. From that first level on. */
void ps_bench_reach(PsIdg *graph, PsIdgItem *node, gint64 bytes, const char *share, PsLevel first);

#endif
