/* SPDX-License-Identifier: BSD-3-Clause */
/* Two answers, A and B, side by side, with the parts of their difference. */
#ifndef PIPESIM_TELL_COMPARISON_PAGE_H
#define PIPESIM_TELL_COMPARISON_PAGE_H

#include "tell/comparison-facts.h"
#include "tell/paper.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct {
    const PsComparison *comparison;
    const PsTold *told; /* its facts */
    PsComparedSide sides[2];
    char **titled[2]; /* what of their options the titles have, but what these say otherwise */
} PsVersus;

/* The comparison for people. */
void ps_versus_page(const PsVersus *versus, const PsPaper *paper);

/* The machine code of both beside each other, if it is listed: a section for people. */
void ps_versus_listings(const PsVersus *versus, const PsPaper *paper);

#pragma GCC visibility pop
G_END_DECLS
#endif
