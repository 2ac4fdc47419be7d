/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two answers, A and B, side by side, and their difference charged to what their critical paths
 * consist of. On each side the shares of a table, with what is on no path (the kernel's launch, the
 * clamp), add up to the result; so do the differences.
 *
 * Since: 0.1
 */
#ifndef PIPESIM_ANSWER_COMPARE_H
#define PIPESIM_ANSWER_COMPARE_H

#include "answer/explain.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* What is charged to one name on both paths. */
typedef struct {
    PsPathKind kind;  /* by_class: of its stretches; by_pipeline: PORT of issue ports */
    const char *name; /* borrowed: the class that the graphs ask for, the line (clean) or the
                         pipeline; NULL: none */
    gint64 ticks[2];
    gboolean there[2]; /* it is on that path at all */
    double seconds[2];
    double difference; /* B's seconds less A's */
} PsCharge;

/* Why B takes longer than A, or less long. */
typedef struct {
    const PsAnswer *answers[2]; /* A, B */
    double difference;          /* seconds that B takes more than A */
    GPtrArray *by_class; /* PsCharge, largest difference first, like the next two; NULL where a
                            path is not known */
    GPtrArray *by_line;
    GPtrArray *by_pipeline;
    PsCharge launch, clamp; /* what is on no path; no ticks */
    /* What B has to do as a multiple of A: floating-point operations, or where none are counted
     * bytes of device memory; 1 where that is equal, more or less, or not known. */
    double work;
    gboolean work_is_operations;
    const char *problem; /* why there are no tables, or NULL; borrowed */
} PsComparison;

/* Both must be explained (PsQuestion.explain), and outlive it. */
PsComparison *ps_comparison_new(const PsAnswer *a, const PsAnswer *b);
void ps_comparison_free(PsComparison *comparison);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsComparison, ps_comparison_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
