/* SPDX-License-Identifier: BSD-3-Clause */
/* Chains whose schedule tells latencies. Internal to latency-bench/schedule/. */
#ifndef PIPESIM_LATENCY_BENCH_PROBE_H
#define PIPESIM_LATENCY_BENCH_PROBE_H

#include <glib.h>

/* A chain in PTX: the text of a step, in which $0 to $3 are what it hands on. Operands are %a to %d
 * of 32 bits, %e and %f of double, %g and %h of single precision. */
typedef struct {
    const char *name; /* the class; or, where one instruction hands another its result, what that is
                         called */
    const char *unit; /* the pipeline that serves the class; NULL: it is no class */
    const char *type; /* of what it hands on: "f32" */
    guint words;      /* of that type */
    int least;        /* compute capability that has it in PTX */
    const char *step;
    const char *from; /* the instructions that stand for it, in blanks: "FADD" */
    const char *to;   /* those that need its result; NULL: the same */
} PsProbe;

extern const PsProbe ps_probes[];
extern const guint ps_n_probes;

/* The number of chains in the kernel that has them side by side: as many as hide the completion
 * latency. */
guint ps_probe_chains(const PsProbe *probe);

/* The name of the kernel with so many chains (g_free). */
char *ps_probe_kernel(const PsProbe *probe, guint chains);

/* The kernels of an architecture in PTX (g_free). */
char *ps_probe_module(int capability);

#endif
