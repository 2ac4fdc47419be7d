/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A closer look at the kernels that cost a program most: the launches that take most of a kernel's
 * time are asked about alone, from the graph that the log keeps of them. A kernel's gain counts for
 * the program by its share of the time (Amdahl's law).
 */
#ifndef PIPESIM_CARD_CLOSER_H
#define PIPESIM_CARD_CLOSER_H

#include "answer/answer.h"
#include "card/log.h"
#include "card/summary.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct {
    const char *kernel; /* as the code names it; the log's */
    gint64 launches;    /* launches that are alike: those that take most of the kernel's time */
    double share;       /* their share of the time of all launches of the program */
    PsIdg *idg;
    PsQuestion question;
    PsAnswer *answer;
} PsCardCloser;

typedef struct {
    const PsGpu *gpu; /* borrowed */
    guint most;       /* kernels */
    guint advised;    /* for how many kernels, from the first on, advice is sought */
    guint threads;
    PsHearer progress;
} PsCardCloserOptions;

/* PsCardCloser, the dearest kernel first; kernels of which the log has no graph are left out. The
 * log outlives it. NULL and *error where one of them has no answer. */
GPtrArray *ps_card_closer_new(const PsCardRead *read, const PsCardCloserOptions *options,
                              GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
