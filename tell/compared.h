/* SPDX-License-Identifier: BSD-3-Clause */
/* Two questions, answered and compared, with all their facts. */
#ifndef PIPESIM_TELL_COMPARED_H
#define PIPESIM_TELL_COMPARED_H

#include "tell/comparison-facts.h"

G_BEGIN_DECLS

typedef struct {
    PsAnswer *answers[2]; /* A's and B's */
    PsTold *sides[2];     /* the facts of each */
    PsComparison *comparison;
    PsTold *told; /* the facts of both: the document of ps_compare_json */
} PsCompared;

/* Arguments and errors are those of ps_compare_json, and what the questions borrow must outlive the
 * result (ps_compared_free). */
PsCompared *ps_compared_new(PsQuestion *a, PsQuestion *b, const char *const *options_a,
                            const char *const *options_b, GError **error);
void ps_compared_free(PsCompared *compared);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCompared, ps_compared_free)

G_END_DECLS
#endif
