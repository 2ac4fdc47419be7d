/* SPDX-License-Identifier: BSD-3-Clause */
/* How two answers, A and B, are shown side by side, with what their difference consists of. */
#ifndef PIPESIM_CLI_COMPARE_COMPARE_H
#define PIPESIM_CLI_COMPARE_COMPARE_H

#include "pipesim-private.h"

typedef struct {
    const PsComparison *comparison;
    const PsTold *told; /* its facts */
    PsComparedSide sides[2];
} Versus;

/* The comparison for people. */
void compare_text(const Versus *versus, const PsPaper *paper);

/* The machine code of both beside each other, where it is listed: a section for people. */
void compare_listings_text(const Versus *versus, const PsPaper *paper);

#endif
