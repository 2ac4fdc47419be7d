/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The page to share of a program: its kernels, what its streams did over time, all kernels in one
 * roofline, and what would help. One file of HTML, as tell/page/report.h has it.
 */
#ifndef PIPESIM_CARD_PAGE_H
#define PIPESIM_CARD_PAGE_H

#include "card/closer.h"
#include "tell/facts.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* All is borrowed. */
typedef struct {
    const char *program; /* its name */
    const PsCardRead *read;
    const PsTold *facts;      /* of the same (told.h) */
    const GPtrArray *kernels; /* PsCardCloser: those that cost most, with advice or without */
    const PsGpu *gpu;
} PsCardPage;

/* The page (g_free). */
char *ps_card_page(const PsCardPage *page);

#pragma GCC visibility pop
G_END_DECLS
#endif
