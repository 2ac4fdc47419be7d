/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The facts of a comparison, made of those of its two answers, and the names of its parts.
 */
#ifndef PIPESIM_TELL_COMPARISON_FACTS_H
#define PIPESIM_TELL_COMPARISON_FACTS_H

#include "answer/compare.h"
#include "answer/listing.h"
#include "tell/facts.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* One of the two; all is borrowed. */
typedef struct {
    const PsTold *answer;      /* its facts */
    const char *file;          /* of the graph or the code, as it was given */
    char **apart;              /* options that the other has not: "--block 128" each */
    const char *latencies;     /* its what-if, or NULL */
    const PsSassCode *machine; /* the machine code, to be listed; NULL in both: it is not */
} PsComparedSide;

/* The whole comparison, A and B (free with ps_told_free). It borrows keys from the answers. */
PsTold *ps_comparison_told(const PsComparison *comparison, const PsComparedSide sides[2]);

/* The name of a charge of each table (g_free); classes and pipelines in the language of that
 * answer's source, or, if it is NULL, with the names of files. */
char *ps_class_charge_words(const PsAnswer *answer, const PsCharge *charge);
char *ps_line_charge_words(const PsCharge *charge);
char *ps_pipeline_charge_words(const PsAnswer *answer, const PsCharge *charge);

/* "B takes 6.290 times as long as A: 31.78 ms instead of 5.052 ms" (g_free). */
char *ps_comparison_words(const PsComparison *comparison);

#pragma GCC visibility pop
G_END_DECLS

#endif
