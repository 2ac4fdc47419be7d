/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two runs of programs, kernel by kernel. Kernels of one name belong together. Of the rest,
 * kernels belong together whose names differ in template arguments alone, in the order of launches.
 */
#ifndef PIPESIM_CARD_VERSUS_H
#define PIPESIM_CARD_VERSUS_H

#include "card/log.h"
#include "tell/facts.h"
#include "tell/paper.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A and B of a kernel, or of all launches. */
typedef struct {
    const char *kernel[2]; /* as the code names it; NULL: that program does not launch it */
    gint64 launches[2], unknown[2];
    double seconds[2];  /* of those whose time is known; NaN: of none */
    double difference;  /* B less A in seconds; NaN: some time is not known */
    guint changed;      /* which of the kernel's launches changes most, from 1, where both have as
                           many, with times that differ; 0: none */
    double changing[2]; /* seconds of that launch */
} PsCardVersusRow;

/* The rows, the largest difference first (g_array_unref). The logs own the texts. *all: the row of
 * all launches. */
GArray *ps_card_versus(const PsCardRead *const reads[2], PsCardVersusRow *all);

/* A side, borrowed. */
typedef struct {
    const PsCardRead *read;
    const char *name; /* the program as it was called, or its recording */
    const char *gpu;
} PsCardVersusSide;

/* The document `programs_compared` of tell/facts.table (ps_told_free). */
PsTold *ps_card_versus_told(const PsCardVersusSide sides[2]);

/* The same for people. */
void ps_card_versus_put(const PsCardVersusSide sides[2], const PsPaper *paper);

#pragma GCC visibility pop
G_END_DECLS
#endif
